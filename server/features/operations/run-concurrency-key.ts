import { createBatchLoader } from '#server/platform/batch-loader.ts'
import type { Database } from '#server/db/client.ts'
import type { Lease, LeasedQueue } from '#server/platform/leased-queue.ts'
import type { ItemTrier, Shared } from './try-item.ts'
import type { OutcomeWriter } from './write-outcomes.ts'
import { claimItems } from './claim-items.repo.ts'
import type { Claim, ClaimedItem } from './claim-items.repo.ts'

/** If a batch finishes within this time, the next one is twice as large. */
const soonMs = 100
const claimAtMost = 64
const keysPerClaim = 32
const untouched = { result: null, code: null, provider_code: null, message: null, wait_seconds: null }

/**
 * Runs the items of one concurrency key until none is due.
 * @param itemsPerKey items tried concurrently, some calling while the outcomes of others are written; the provider's limits apply in
 * addition
 * @param isPaused claims nothing new while true
 */
export function createKeyRunner(parts: {
  readonly db: Database
  readonly trier: ItemTrier
  readonly outcomes: OutcomeWriter
  readonly itemsPerKey: number
  readonly isPaused: () => boolean
  readonly queue: () => Pick<LeasedQueue, 'markUnsure'>
  readonly onClaimed: (operationIds: readonly string[]) => void
}): (lane: string, lease: Lease) => Promise<void> {
  const { db, trier, outcomes, itemsPerKey } = parts
  /** Claims of several concurrency keys at about the same time share one statement. */
  const claim = createBatchLoader<Claim, ClaimedItem[]>(keysPerClaim, (claims) => claimItems(db, claims))

  return async (lane, lease) => {
    const ready: ClaimedItem[] = []
    const shared: Shared = { stopped: new Map(), connections: new Map() }
    let isEmpty = false
    let claiming: Promise<void> | null = null
    // A claimed item counts as tried, so only items that will be tried soon are claimed.
    let batch = itemsPerKey
    let claimedAtMs = -Infinity
    const mayClaim = () => !isEmpty && !parts.isPaused()

    async function claimBatch(): Promise<void> {
      const now = performance.now()
      batch = now - claimedAtMs < soonMs ? Math.min(batch * 2, claimAtMost) : itemsPerKey
      claimedAtMs = now
      try {
        const items = await claim({ lane, worker: lease.worker, limit: batch })
        await trier.learnOf(items)
        if (items.length === 0) isEmpty = true
        ready.push(...items.toSorted((one, other) => one.position - other.position))
        parts.onClaimed(items.map(({ operationId }) => operationId))
      } catch (error) {
        parts.queue().markUnsure(lane, lease.worker)
        throw error
      }
    }
    const more = () => (claiming ??= claimBatch().finally(() => (claiming = null)))
    const underWay = () => claiming

    async function tryItems(): Promise<void> {
      while (!lease.signal.aborted) {
        const item = ready.shift()
        // Claims while the last items of the batch are still running, so that no call of the key waits for it.
        if (ready.length < itemsPerKey && mayClaim() && item !== undefined) void more().catch(() => undefined)
        if (item === undefined) {
          if (!mayClaim()) return
          await more()
          continue
        }
        // Many items may have been claimed together, so a pause or cancellation applies from the next item on, and revoked rights within
        // five seconds.
        await trier.learnOf([item]).catch(() => undefined)
        const outcome = await trier.tryItem(item, lease, shared)
        await outcomes.write(lease.worker, { operation_id: item.operationId, position: item.position, ...outcome })
      }
    }

    const ends = await Promise.allSettled(Array.from({ length: itemsPerKey }, tryItems))
    // Items of a claim still in progress are released too.
    await underWay()?.catch(() => undefined)
    for (const { operationId, position } of ready) {
      void outcomes.write(lease.worker, { operation_id: operationId, position, ...untouched, state: 'pending' })
    }
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
