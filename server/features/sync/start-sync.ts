import type { Services } from '#server/platform/context.ts'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import { systemClock } from '#server/platform/clock.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { createRunningSyncs } from './running-syncs.ts'
import { defaultSyncOptions } from './sync-run.ts'
import type { SyncOptions } from './sync-run.ts'
import { listDueWork, syncChannel, wakeMessages } from './sync.repo.ts'

const settleMs = 20

export interface SyncScheduler {
  /** Stops running work, releases the locks, and resolves when nothing runs any more. */
  stop(): Promise<void>
}

/**
 * Keeps the mirror up to date: picks accounts whose check, zone list, details, audit log or reports are due, in this process and any number of others. The
 * holder of an account's lock works on it; when a process dies, PostgreSQL releases its locks and another one continues from what is
 * written.
 */
export async function startSync(services: Services, given: Partial<SyncOptions> = {}): Promise<SyncScheduler> {
  const { db, log } = services
  const options: SyncOptions = { ...defaultSyncOptions, ...given }
  const stopping = new AbortController()
  const syncs = createRunningSyncs(services, options, { onEnded: () => loop.wake() })
  let locks: AdvisoryLocks | null = null

  function heldLocks(): AdvisoryLocks {
    if (locks !== null && !locks.lost.aborted) return locks
    const lost = locks
    if (lost !== null) void lost.close().catch(() => undefined)
    const opened = openAdvisoryLocks(db)
    opened.lost.addEventListener('abort', () => {
      if (stopping.signal.aborted) return
      log.warn('lost the connection that held the locks of running syncs')
      syncs.abortAll(opened.lost.reason)
    })
    locks = opened
    return opened
  }

  async function takeDue(): Promise<void> {
    const held = heldLocks()
    const due = await listDueWork(db)
    syncs.makeRoom(due.lists, due.asked, syncs.notUnderWay('details', due.details))
    await syncs.startSome('check', syncs.notUnderWay('check', due.checks), held)
    await syncs.startSome('list', syncs.notUnderWay('list', due.lists), held)
    await syncs.startSome('details', syncs.notUnderWay('details', due.details), held)
    await syncs.startSome('changes', syncs.notUnderWay('changes', due.changes), held)
    await syncs.startSome('reports', syncs.notUnderWay('reports', due.reports), held)
  }

  // Many syncs end at nearly the same time, so one query serves them all.
  const loop = runLoop(
    { clock: systemClock, log, loops: services.loops },
    { name: 'sync', everyMs: options.pollMs, settleMs, stopping },
    takeDue,
  )
  const listening = await db.sql.listen(
    syncChannel,
    (message) => {
      if (message === wakeMessages.accountsChanged) {
        syncs.interruptChanged().catch((error: unknown) => log.warn({ err: error }, 'failed to compare running syncs with their accounts'))
      } else if (message.startsWith(wakeMessages.wanted)) {
        syncs.want(message.slice(wakeMessages.wanted.length))
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
      syncs.abortAll(new Error('the sync is stopping'))
      await syncs.close()
      await locks?.close()
    },
  }
}
