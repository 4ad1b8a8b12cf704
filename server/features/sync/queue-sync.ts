import type { Queryable } from '#server/db/client.ts'
import { updateDueNow, updateWanted } from '#server/features/domains/mirror/index.ts'
import { updateDetailsWanted, updateSyncAsked, wakeSync } from './sync.repo.ts'

/** The next reading of these accounts' zones comes immediately, and with it what was put off after failures. */
export async function queueSync(db: Queryable, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return
  await updateSyncAsked(db, accountIds)
  await updateDueNow(db, accountIds)
  await wakeSync(db)
}

/**
 * A person looks at these zones: what is still to be read of them is read before everything else.
 * Cheap when there is nothing to read.
 */
export async function wantDetails(db: Queryable, zoneIds: readonly string[]): Promise<void> {
  if (zoneIds.length === 0) return
  const accountIds = await updateWanted(db, zoneIds)
  if (accountIds.length > 0) await updateDetailsWanted(db, accountIds)
}
