import type { Services } from '#server/platform/context.ts'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import { createAnnouncer } from './announcer.ts'
import { checkAccount } from './check-account.ts'
import { connectOrNote } from './connect-or-note.ts'
import { createDetailWriter } from './detail-writer.ts'
import { readDetails } from './read-details.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createGate } from '#server/platform/gate.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { defaultSyncOptions } from './sync-run.ts'
import type { SyncOptions, SyncRun } from './sync-run.ts'
import { findSyncAccount, listDueWork, listUnchanged, postponeWork, syncChannel, wakeMessages } from './sync.repo.ts'
import type { SyncAccount, SyncWork } from './sync.repo.ts'
import { syncZoneList } from './sync-zone-list.ts'

interface Running {
  readonly work: SyncWork
  readonly accountId: string
  readonly startedAt: number
  readonly abort: AbortController
  account: SyncAccount | null
  yielding: boolean
  readonly hurry: AbortController
  wanted: () => void
  ended: Promise<void>
}

const jobs: Readonly<Record<SyncWork, (run: SyncRun) => Promise<void>>> = { check: checkAccount, list: syncZoneList, details: readDetails }
const isDue: Readonly<Record<SyncWork, (account: SyncAccount) => boolean>> = {
  check: (account) => account.checkPending,
  list: (account) => account.listDue,
  details: (account) => account.detailsDue,
}
/** Listing and details exclude each other; a check may run beside them. */
const lockOf = (work: SyncWork, accountId: string) => `${work === 'check' ? 'check' : 'sync'} ${accountId}`
/** Details of one account go on for hours under a budget; when others wait for their place they make room after a while. */
const placeMs = 60_000
const statementsAtOnce = 4
const settleMs = 20

export interface SyncScheduler {
  /** Stops what runs, gives the locks back, and resolves when nothing runs any more. */
  stop(): Promise<void>
}

/**
 * Keeps the mirror of the providers true: takes the accounts whose check, zone list or details are due, in this process
 * and in however many others do the same. Who holds an account's lock works on it; when a process dies, PostgreSQL frees
 * its locks and another one goes on from what is written.
 */
export async function startSync(services: Services, given: Partial<SyncOptions> = {}): Promise<SyncScheduler> {
  const { db, log } = services
  const options: SyncOptions = { ...defaultSyncOptions, ...given }
  const limits: Readonly<Record<SyncWork, number>> = {
    check: options.checksAtOnce,
    list: options.listsAtOnce,
    details: options.detailsAtOnce,
  }
  const announcer = createAnnouncer(services)
  const writer = createDetailWriter(services)
  const gate = createGate(statementsAtOnce)
  const running = new Map<string, Running>()
  const stopping = new AbortController()
  let locks: AdvisoryLocks | null = null

  function heldLocks(): AdvisoryLocks {
    if (locks !== null && !locks.lost.aborted) return locks
    const lost = locks
    if (lost !== null) void lost.close().catch(() => undefined)
    const opened = openAdvisoryLocks(db)
    opened.lost.addEventListener('abort', () => {
      if (stopping.signal.aborted) return
      log.warn('the locks of the running syncs were lost with their connection')
      for (const run of running.values()) run.abort.abort(opened.lost.reason)
    })
    locks = opened
    return opened
  }

  async function work(entry: Running): Promise<void> {
    const account = await findSyncAccount(db, entry.accountId)
    // Another process may have done it between the look and the lock.
    if (account === null || !isDue[entry.work](account)) return
    entry.account = account
    const connection = await connectOrNote({ services, announcer }, entry.work, account)
    if (connection === null) return
    await jobs[entry.work]({
      services,
      options,
      account,
      connection,
      announcer,
      writer,
      gate,
      signal: entry.abort.signal,
      yielding: () => entry.yielding,
      hurry: entry.hurry.signal,
      onWanted: (listener) => (entry.wanted = listener),
    })
  }

  function run(kind: SyncWork, accountId: string, held: AdvisoryLocks): void {
    const key = lockOf(kind, accountId)
    const entry: Running = {
      work: kind,
      accountId,
      startedAt: performance.now(),
      abort: new AbortController(),
      account: null,
      yielding: false,
      hurry: new AbortController(),
      wanted: () => undefined,
      ended: Promise.resolve(),
    }
    running.set(key, entry)
    entry.ended = (async () => {
      let failed = false
      try {
        await work(entry)
      } catch (error) {
        // A failure of ours, the provider's are dealt with inside: it is tried again, but not at once.
        failed = !entry.abort.signal.aborted
        if (failed) {
          log.error({ err: error, accountId, work: kind }, 'sync of an account failed')
          await postponeWork(db, accountId, kind).catch(() => undefined)
        }
      }
      running.delete(key)
      await held.unlock(key).catch((error: unknown) => log.warn({ err: error }, 'a lock could not be given back'))
      if (!failed) loop.wake()
    })()
  }

  const countOf = (kind: SyncWork) => [...running.values()].filter((entry) => entry.work === kind).length

  /** Details make room for the listing of their account, and after their time for other accounts. */
  function makeRoom(lists: readonly string[], asked: ReadonlySet<string>, waiting: readonly string[]): void {
    for (const id of lists) {
      const entry = running.get(lockOf('details', id))
      if (entry?.work !== 'details') continue
      entry.yielding = true
      if (asked.has(id)) entry.hurry.abort(new Error('a person waits for the zone list'))
    }
    if (waiting.length === 0 || countOf('details') < limits.details) return
    const oldest = [...running.values()].find((entry) => entry.work === 'details' && !entry.yielding)
    if (oldest !== undefined && performance.now() - oldest.startedAt > placeMs) oldest.yielding = true
  }

  async function takeDue(): Promise<void> {
    const held = heldLocks()
    const due = await listDueWork(db)
    const free = (kind: SyncWork, ids: readonly string[]) => ids.filter((id) => !running.has(lockOf(kind, id)))
    makeRoom(due.lists, due.asked, free('details', due.details))
    for (const [kind, ids] of [
      ['check', due.checks],
      ['list', due.lists],
      ['details', due.details],
    ] as const) {
      const keys = new Map(free(kind, ids).map((id) => [lockOf(kind, id), id]))
      for (const key of await held.tryLock([...keys.keys()], limits[kind] - countOf(kind))) {
        const id = keys.get(key)
        if (id !== undefined) run(kind, id, held)
      }
    }
  }

  async function interruptChanged(): Promise<void> {
    const entries = [...running.values()].flatMap((entry) => (entry.account === null ? [] : [{ entry, account: entry.account }]))
    if (entries.length === 0) return
    const same = await listUnchanged(
      db,
      entries.map(({ account: { id, credentialHash } }) => ({ id, credentialHash })),
    )
    for (const { entry, account } of entries) {
      if (!same.has(account.id)) entry.abort.abort(new Error('the account was deleted or changed'))
    }
  }

  // Much ends at nearly the same time; one look serves it all.
  const loop = runLoop(
    { clock: systemClock, log, loops: services.loops },
    { name: 'sync', everyMs: options.pollMs, settleMs, stopping },
    takeDue,
  )
  const listening = await db.sql.listen(
    syncChannel,
    (message) => {
      if (message === wakeMessages.accountsChanged) {
        interruptChanged().catch((error: unknown) => log.warn({ err: error }, 'running syncs could not be compared with their accounts'))
      } else if (message.startsWith(wakeMessages.wanted)) {
        running.get(lockOf('details', message.slice(wakeMessages.wanted.length)))?.wanted()
      }
      loop.wake()
    },
    loop.wake,
  )

  return {
    async stop() {
      stopping.abort()
      await listening.unlisten()
      await loop.stop()
      for (const entry of running.values()) entry.abort.abort(new Error('the sync stops'))
      await Promise.all([...running.values()].map((entry) => entry.ended))
      await announcer.close()
      await locks?.close()
    },
  }
}
