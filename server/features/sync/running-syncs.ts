import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { Services } from '#server/platform/context.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { createChangePublisher } from './change-publisher.ts'
import { checkAccount } from './check-account.ts'
import { connectOrRecordFailure } from './connect-or-record-failure.ts'
import { createDetailWriter } from './detail-writer.ts'
import { readChanges } from './read-changes.ts'
import { readDetails } from './read-details.ts'
import { readReports } from './read-reports.ts'
import type { SyncOptions, SyncRun } from './sync-run.ts'
import { findSyncAccount, listUnchanged, postponeWork } from './sync.repo.ts'
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

const jobs: Readonly<Record<SyncWork, (run: SyncRun) => Promise<void>>> = {
  check: checkAccount,
  list: syncZoneList,
  details: readDetails,
  changes: readChanges,
  reports: readReports,
}
const isDue: Readonly<Record<SyncWork, (account: SyncAccount) => boolean>> = {
  check: (account) => account.checkPending,
  list: (account) => account.listDue,
  details: (account) => account.detailsDue,
  changes: (account) => account.changesDue,
  reports: (account) => account.reportsDue,
}
/** Listing and details of an account exclude each other; a check, its audit log or its reports may be read at the same time. */
const lockOf = (work: SyncWork, accountId: string) => `${work === 'list' || work === 'details' ? 'sync' : work} ${accountId}`
/** Under a budget the details of one account take hours; after this time they yield to others that wait. */
const placeMs = 60_000
const concurrentStatements = 4

/** Runs the work of one account if it is still due. */
async function work(entry: Running, shared: Pick<SyncRun, 'services' | 'options' | 'publisher' | 'writer' | 'semaphore'>): Promise<void> {
  const account = await findSyncAccount(shared.services.db, entry.accountId)
  // Another process may have done it between the query and the lock.
  if (account === null || !isDue[entry.work](account)) return
  entry.account = account
  const connection = await connectOrRecordFailure(shared, entry.work, account)
  if (connection === null) return
  await jobs[entry.work]({
    ...shared,
    account,
    connection,
    signal: entry.abort.signal,
    yielding: () => entry.yielding,
    hurry: entry.hurry.signal,
    onWanted: (listener) => (entry.wanted = listener),
  })
}

/** The running syncs of this process. `onEnded` is called after a successful one, when there may be room for the next. */
export function createRunningSyncs(services: Services, options: SyncOptions, { onEnded }: { onEnded(): void }) {
  const { db, log } = services
  const limits: Readonly<Record<SyncWork, number>> = {
    check: options.concurrentChecks,
    list: options.concurrentLists,
    details: options.concurrentDetails,
    changes: options.concurrentChanges,
    reports: options.concurrentReports,
  }
  const publisher = createChangePublisher(services)
  const shared = { services, options, publisher, writer: createDetailWriter(services), semaphore: createSemaphore(concurrentStatements) }
  const running = new Map<string, Running>()
  const placesLeft = (kind: SyncWork) => limits[kind] - [...running.values()].filter((entry) => entry.work === kind).length

  async function run(key: string, entry: Running, held: AdvisoryLocks): Promise<void> {
    let failed = false
    try {
      await work(entry, shared)
    } catch (error) {
      // An internal failure (provider errors are handled inside): it is retried, but not immediately.
      failed = !entry.abort.signal.aborted
      if (failed) {
        log.error({ err: error, accountId: entry.accountId, work: entry.work }, 'failed to sync an account')
        await postponeWork(db, entry.accountId, entry.work).catch(() => undefined)
      }
    }
    running.delete(key)
    await held.unlock(key).catch((error: unknown) => log.warn({ err: error }, 'failed to release a lock'))
    if (!failed) onEnded()
  }

  return {
    /** Starts as many of these accounts as there is room for, skipping those that other processes work on. */
    async startSome(kind: SyncWork, accountIds: readonly string[], held: AdvisoryLocks): Promise<void> {
      const ids = new Map(accountIds.map((id) => [lockOf(kind, id), id]))
      for (const key of await held.tryLock([...ids.keys()], placesLeft(kind))) {
        const accountId = ids.get(key)
        if (accountId === undefined) continue
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
        entry.ended = run(key, entry, held)
      }
    },
    notUnderWay: (kind: SyncWork, accountIds: readonly string[]) => accountIds.filter((id) => !running.has(lockOf(kind, id))),
    /** Details yield to the listing of their account and, after their time, to other accounts. */
    makeRoom(lists: readonly string[], asked: ReadonlySet<string>, waiting: readonly string[]): void {
      for (const id of lists) {
        const entry = running.get(lockOf('details', id))
        if (entry?.work !== 'details') continue
        entry.yielding = true
        if (asked.has(id)) entry.hurry.abort(new Error('a person requested the zone list'))
      }
      if (waiting.length === 0 || placesLeft('details') > 0) return
      const oldest = [...running.values()].find((entry) => entry.work === 'details' && !entry.yielding)
      if (oldest !== undefined && performance.now() - oldest.startedAt > placeMs) oldest.yielding = true
    },
    async interruptChanged(): Promise<void> {
      const entries = [...running.values()].flatMap((entry) => (entry.account === null ? [] : [{ entry, account: entry.account }]))
      if (entries.length === 0) return
      const same = await listUnchanged(
        db,
        entries.map(({ account: { id, credentialHash } }) => ({ id, credentialHash })),
      )
      for (const { entry, account } of entries) {
        if (!same.has(account.id)) entry.abort.abort(new Error('the account was deleted or changed'))
      }
    },
    /** A user looks at a domain of an account whose details are being read. */
    want: (accountId: string) => running.get(lockOf('details', accountId))?.wanted(),
    abortAll(reason: unknown): void {
      for (const entry of running.values()) entry.abort.abort(reason)
    },
    async close(): Promise<void> {
      await Promise.all([...running.values()].map((entry) => entry.ended))
      await publisher.close()
    },
  }
}
