import type { Database, Transaction } from '#server/db/client.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import type { BatchWeight } from '#server/platform/batch-loader.ts'
import { isDeadlock } from '#server/platform/database-away.ts'
import { currentFence } from '#server/platform/write-fence.ts'
import type { WriteFence } from '#server/platform/write-fence.ts'
import type { OpenZone } from './open-zone.ts'
import { holdZones } from './zone-access.repo.ts'

interface OfZone {
  readonly zone: Pick<OpenZone, 'id'>
}
interface Fenced<Result> {
  readonly result: Result
  readonly fence: WriteFence | undefined
}
interface Limits<Result> {
  /** Results of one transaction. */
  readonly atMost: number
  readonly weight?: BatchWeight<Result>
  readonly sideBySide?: number
}

const mostAttempts = 4

/** The zones are locked before anything of theirs, in one order, as by the deletion of an account. */
async function storeFenced<Result extends OfZone>(
  db: Database,
  all: readonly Fenced<Result>[],
  storeAll: (tx: Transaction, results: readonly Result[]) => Promise<void>,
): Promise<void> {
  const results = all.map(({ result }) => result)
  for (let attempt = 1; ; attempt++) {
    try {
      await db.orm.transaction(async (tx) => {
        for (const fence of new Set(all.map((each) => each.fence))) await fence?.confirmStore?.()
        await holdZones(
          tx,
          results.map(({ zone }) => zone.id),
        )
        await storeAll(tx, results)
      })
      return
    } catch (error) {
      if (!isDeadlock(error) || attempt === mostAttempts) throw error
    }
  }
}

/**
 * Stores results for domains, those of about the same time in one transaction, because an operation has thousands. Each is stored only while
 * its work belongs to this worker.
 */
export function createStore<Result extends OfZone>(
  { atMost, weight, sideBySide = 1 }: Limits<Result>,
  storeAll: (tx: Transaction, results: readonly Result[]) => Promise<void>,
): (db: Database, result: Result) => Promise<void> {
  const create = (db: Database) =>
    createBatchLoader<Fenced<Result>, void>(
      atMost,
      async (all) => {
        await storeFenced(db, all, storeAll)
        return all.map(() => undefined)
      },
      sideBySide,
      weight && { of: ({ result }) => weight.of(result), atMost: weight.atMost },
    )
  const stores = new WeakMap<Database, ReturnType<typeof create>>()
  return async (db, result) => {
    const fence = currentFence()
    // Waited for here, because the batch would let the results of others wait too; within it, this takes no time.
    await fence?.confirmStore?.()
    const store = stores.get(db) ?? create(db)
    stores.set(db, store)
    await store({ result, fence })
  }
}
