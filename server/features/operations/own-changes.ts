import type { Database } from '#server/db/client.ts'
import { isPlanned } from './is-planned.policy.ts'
import { adoptChanges, listOutsideChanges } from './own-changes.repo.ts'
import type { ClaimedItem, RunningOperation } from './run-items.repo.ts'

/**
 * What a try did whose worker died before it wrote it down looks like somebody else's change to whoever reads the zone next. Where it
 * is just what the item was to do, it is the operation's.
 */
export async function ownChanges(db: Database, item: ClaimedItem, operation: RunningOperation): Promise<void> {
  if (item.zone_id === null) return
  const changes = await listOutsideChanges(db, item)
  const own = changes.filter((change) => isPlanned(item.plan, change, item.name)).map(({ id }) => id)
  if (own.length > 0) await adoptChanges(db, own, operation)
}
