import { hungSeconds } from '#server/platform/worker-identity.repo.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { createLeasedQueue } from '#server/platform/leased-queue.ts'
import type { LeasedQueue, Runs } from '#server/platform/leased-queue.ts'
import { createProgressUpdater } from './update-progress.ts'
import { createOutcomeWriter } from './write-outcomes.ts'
import { createQuarantine, isTriedSeparately, quarantineKey } from './quarantine.ts'
import { createKeyRunner } from './run-concurrency-key.ts'
import { createItemTrier } from './try-item.ts'
import type { OperationKind } from './operation-kind.ts'
import { operationsChannel, sweepDrafts } from './operations.repo.ts'
import { findNextDueMs, hasDueQuarantined, listDueKeys } from './claim-items.repo.ts'
import { releaseDead, releaseKey, releaseQuarantined, workerLock } from './run-items.repo.ts'
import { listEmpty, reopenCancelled } from './update-progress.repo.ts'

export interface OperationOptions {
  readonly concurrentKeys: number
  readonly itemsPerKey: number
  readonly pollMs: number
  /** A worker that holds its lock without a heartbeat for this long loses its items. */
  readonly hungAfterMs: number
}
const defaults: OperationOptions = { concurrentKeys: 64, itemsPerKey: 16, pollMs: 2_000, hungAfterMs: hungSeconds * 1_000 }
const databaseAwayMs = 1_000
/** When to check again for a worker that may be dead. */
const earlyMs = 500
const sweepEveryMs = 10 * 60_000

interface DueKey {
  readonly key: string
  readonly actorId: string | null
}

export interface OperationRunner {
  /** Lets items in progress finish and claims no new ones. */
  stop(): Promise<void>
}

/**
 * Runs the items of all operations in this process, together with any number of others. An item is marked as running before the attempt and
 * its outcome is written afterwards; when the process dies in between, another one claims its items immediately.
 */
export async function startOperations(
  services: Services,
  kinds: Readonly<Record<string, OperationKind>>,
  given: Partial<OperationOptions> = {},
): Promise<OperationRunner> {
  const { db, log } = services
  const options = { ...defaults, ...given }
  const ending = new AbortController()
  const progress = createProgressUpdater(services, ending.signal)
  const outcomes = createOutcomeWriter(services, ending.signal, (ids) => progress.touch(ids))
  const trier = createItemTrier(services, kinds)
  const queueOf = (): LeasedQueue => queue
  const parts = { db, trier, outcomes, queue: queueOf, onClaimed: (ids: readonly string[]) => progress.touch(ids) }
  const quarantine = createQuarantine(parts)
  const workOn = createKeyRunner({ ...parts, itemsPerKey: options.itemsPerKey, isPaused: () => quarantine.isActive })
  let sweptAtMs = -Infinity
  let hasQuarantined = false
  /** A worker may be dead but could not be reported yet. */
  let isEarly = false

  async function listDue(runs: Runs<DueKey>): Promise<readonly DueKey[]> {
    let due = await listDueKeys(db)
    hasQuarantined = await hasDueQuarantined(db)
    if (hasQuarantined && (performance.now() >= quarantine.againAtMs || (due.length === 0 && runs.size === 0))) {
      await quarantine.run()
      due = await listDueKeys(db)
    }
    return due.map(({ lane, actorId }) => ({ key: lane, actorId }))
  }

  const queue = createLeasedQueue<DueKey>(
    { db, log, loops: services.loops, clock: systemClock },
    {
      name: 'operations',
      workerLock,
      channel: operationsChannel,
      pollMs: options.pollMs,
      retryMs: databaseAwayMs,
      onNotify: () => trier.expire(),
      async prepare() {
        if (performance.now() - sweptAtMs <= sweepEveryMs) return
        sweptAtMs = performance.now()
        await sweepDrafts(db)
        await reopenCancelled(db)
        progress.touch(await listEmpty(db))
      },
      otherWorkers: () => outcomes.workers,
      async releaseDead(own, former) {
        const { released, early } = await releaseDead(db, own, former, options.hungAfterMs)
        isEarly = early
        for (const { operationId, position, state, deaths } of released) {
          if (state === 'failed') log.error({ operationId, position, deaths }, 'gave up on an item that repeatedly crashed its process')
        }
        progress.touch(released.map(({ operationId }) => operationId))
      },
      async releaseUnsure(worker, key, runs) {
        if (key === quarantineKey && [...runs.keys()].some(isTriedSeparately)) return false
        await outcomes.flush()
        await (key === quarantineKey ? releaseQuarantined(db, worker) : releaseKey(db, worker, key))
        return true
      },
      listDue,
      mayStart({ actorId }, runs) {
        // A user with nothing running does not wait for the work of others, which may take hours.
        const hasRuns = [...runs.values()].some(({ due }) => due !== null && due.actorId === actorId)
        return runs.size < (hasRuns ? 1 : 2) * options.concurrentKeys
      },
      work: ({ key }, lease) => workOn(key, lease),
      onEnd: (_due, _error, runs) => {
        // Nothing else is coming that could be written together.
        if (runs.size === 0 && !ending.signal.aborted) void outcomes.flush().then(progress.now)
      },
      async nextRoundMs() {
        const next = await findNextDueMs(db)
        const quarantinedInMs = hasQuarantined ? quarantine.againAtMs - performance.now() : Infinity
        return Math.max(20, Math.min(options.pollMs, next ?? options.pollMs, quarantinedInMs, isEarly ? earlyMs : Infinity))
      },
    },
  )
  await queue.start()
  return {
    async stop() {
      ending.abort()
      await queue.stop()
      await outcomes.flush()
      await progress.stop()
      await queue.close()
    },
  }
}
