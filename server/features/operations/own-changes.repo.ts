import type { Database } from '#server/db/client.ts'
import type { zoneChanges } from '#server/db/schema/index.ts'
import type { ClaimedItem } from './claim-items.repo.ts'
import type { RunningOperation } from './run-items.repo.ts'

/** An entry of the history. */
export type Change = Pick<typeof zoneChanges.$inferSelect, 'subject' | 'key' | 'before' | 'after'>

/** Changes of an item's zone since its first attempt that the panel did not make. */
export const listOutsideChanges = ({ sql }: Database, item: ClaimedItem) => sql<(Change & { readonly id: string })[]>`
  select c.id, c.subject, c.key, c.before, c.after
  from operation_items i join zone_changes c on c.zone_id = i.zone_id and c.at >= i.started_at
  where i.operation_id = ${item.operationId} and i.position = ${item.position} and c.source = 'outside'`

export async function adoptChanges({ sql }: Database, ids: readonly string[], operation: RunningOperation): Promise<void> {
  await sql`
    update zone_changes set source = 'operation', batch_id = ${operation.id}, actor_id = ${operation.actorId}, actor_name = ${operation.actorName}
    where id = any(${[...ids]}::uuid[]) and source = 'outside'`
}

/** Provider names of the zone's settings that were changed by anything else since the operation was previewed. */
export async function listSettingsChangedSince({ sql }: Database, domainId: string, operationId: string): Promise<ReadonlySet<string>> {
  const rows = await sql<{ key: string }[]>`
    select distinct c.key from zone_changes c join operations o on o.id = ${operationId}
    where c.zone_id = ${domainId} and c.subject = 'setting' and c.at > o.created_at and c.batch_id is distinct from o.id`
  return new Set(rows.map(({ key }) => key))
}
