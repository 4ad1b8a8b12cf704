import type { Queryable } from '#server/db/client.ts'
import { updateDueNow, updateWanted } from '#server/features/domains/mirror/index.ts'
import { updateDetailsWanted, updateSyncAsked, wakeSync } from './sync.repo.ts'

/** Makes the next listing of these accounts due immediately, together with readings postponed after failures. */
export async function queueSync(db: Queryable, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return
  await updateSyncAsked(db, accountIds)
  await updateDueNow(db, accountIds)
  await wakeSync(db)
}

/** Moves unread details of zones that a user looks at to the front. Cheap if there are none. */
export async function wantDetails(db: Queryable, domainIds: readonly string[]): Promise<void> {
  if (domainIds.length === 0) return
  const accountIds = await updateWanted(db, domainIds)
  if (accountIds.length > 0) await updateDetailsWanted(db, accountIds)
}
