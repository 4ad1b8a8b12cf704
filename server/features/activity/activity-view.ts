import { readActivityCode } from '#server/platform/activity-code.ts'
import type { UserActor } from '#server/platform/actor.ts'
import type { ActivityEntry } from '#shared/features/activity/schema.ts'
import type { ActivityRow, Viewer } from './activity.repo.ts'

/** An administrator sees everything, anybody else what was done to their things and what they did. */
export const viewerOf = (actor: UserActor): Viewer => (actor.role === 'admin' ? null : actor.userId)

/** A UUID of version 7 begins with the milliseconds of its time. */
const timeOf = (id: string) => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString()

/** Null for what no version of the panel wrote. */
export function toEntry(row: ActivityRow, viewer: Viewer): ActivityEntry | null {
  const kind = readActivityCode(row.code)
  if (kind === null) return null
  const mine = viewer === null || row.actor_id === null || row.actor_id === viewer
  return {
    id: row.id,
    createdAt: timeOf(row.id),
    actor: { id: row.actor_id, name: row.actor_name, kind: kind.actorKind, token: row.token_name },
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name },
    action: kind.action,
    entityType: kind.entityType,
    entityId: row.entity_id,
    entityName: row.entity_name,
    zoneId: row.zone_id,
    operation: row.operation_id === null || row.operation_kind === null ? null : { id: row.operation_id, kind: row.operation_kind },
    details: row.details,
    address: mine ? row.address : null,
  }
}
