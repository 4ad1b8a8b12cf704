import type { Database } from '#server/db/client.ts'
import type { LeasedQueue } from '#server/platform/leased-queue.ts'
import { claimQuarantined } from './claim-items.repo.ts'
import type { ItemTrier } from './try-item.ts'
import type { OutcomeWriter } from './write-outcomes.ts'

/** After this time no further quarantined item starts until the concurrency keys had their turn. */
const separateRunMs = 1_000
const standstillMs = 5_000

/** The key for quarantine claims whose result is unknown. */
export const quarantineKey = 'suspects'
const separateKeyPrefix = 'alone '
export const isTriedSeparately = (key: string): boolean => key.startsWith(separateKeyPrefix)

interface Quarantine {
  /** Concurrency keys claim nothing new, because a quarantined item needs to run with nothing beside it. */
  readonly isActive: boolean
  /** When quarantined items may run again, by `performance.now()`. */
  readonly againAtMs: number
  /**
   * Runs quarantined items one after the other while nothing else runs in this process, so that another crash identifies the item.
   * Concurrency keys finish what they have claimed and get the same time afterwards. Neither side delays the other for longer than
   * `standstillMs`: while an item hangs without crashing, other items run beside it.
   */
  run(): Promise<void>
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(late.resolve, ms, false)
  const ended = await Promise.race([work.then(() => true), late.promise])
  clearTimeout(timer)
  return ended
}

/** Items in progress during more than one crash are quarantined: they run separately, so that a poison item takes no others down. */
export function createQuarantine(parts: {
  readonly db: Database
  readonly trier: ItemTrier
  readonly outcomes: OutcomeWriter
  readonly queue: () => LeasedQueue
  readonly onClaimed: (operationIds: readonly string[]) => void
}): Quarantine {
  const { db, trier, outcomes } = parts
  let isActive = false
  let againAtMs = -Infinity

  /** False if there is none or it hangs. */
  async function tryNext(queue: LeasedQueue): Promise<boolean> {
    const lease = await queue.lease()
    const item = await claimQuarantined(db, lease.worker)
      .then(async (claimed) => {
        if (claimed !== null) await trier.learnOf([claimed])
        return claimed
      })
      .catch((error: unknown) => {
        queue.markUnsure(quarantineKey, lease.worker)
        throw error
      })
    if (item === null) return false
    parts.onClaimed([item.operationId])
    const place = { operation_id: item.operationId, position: item.position }
    const trying = trier.tryItem(item, lease, { stopped: new Map(), connections: new Map() }).then((outcome) => {
      void outcomes.write(lease.worker, { ...place, ...outcome })
      return outcomes.flush()
    })
    const key = `${separateKeyPrefix}${place.operation_id} ${place.position}`
    return endsWithin(queue.add(key, lease.worker, trying), standstillMs)
  }

  return {
    get isActive() {
      return isActive
    },
    get againAtMs() {
      return againAtMs
    },
    async run() {
      const startedAtMs = performance.now()
      const queue = parts.queue()
      isActive = true
      try {
        let goesOn = await endsWithin(queue.idle(), standstillMs)
        while (goesOn && !queue.stopping.aborted && performance.now() - startedAtMs < separateRunMs) goesOn = await tryNext(queue)
      } finally {
        isActive = false
        againAtMs = 2 * performance.now() - startedAtMs
      }
    },
  }
}
