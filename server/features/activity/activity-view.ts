import { readActivityCode } from '#server/platform/activity-code.ts'
import type { UserActor } from '#server/platform/actor.ts'
import type { ActivityEntry } from '#shared/features/activity/schema.ts'
import type { ActivityRow, Viewer } from './activity.repo.ts'

/** An administrator sees everything; other people see changes to their resources and their own actions. */
export const viewerOf = (actor: UserActor): Viewer => (actor.role === 'admin' ? null : actor.userId)

/** A UUID of version 7 starts with its time in milliseconds. */
const timeOf = (id: string) => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString()

/** Null for what no version of the panel wrote. */
export function toEntry(row: ActivityRow, viewer: Viewer): ActivityEntry | null {
  const kind = readActivityCode(row.code)
  if (kind === null) return null
  const mine = viewer === null || row.actorId === null || row.actorId === viewer
  return {
    id: row.id,
    createdAt: timeOf(row.id),
    actor: { id: row.actorId, name: row.actorName, kind: kind.actorKind, token: row.tokenName },
    owner: row.ownerId === null ? null : { id: row.ownerId, name: row.ownerName },
    action: kind.action,
    entityType: kind.entityType,
    entityId: row.entityId,
    entityName: row.entityName,
    zoneId: row.domainId,
    operation: row.operationId === null || row.operationKind === null ? null : { id: row.operationId, kind: row.operationKind },
    details: row.details,
    address: mine ? row.address : null,
  }
}
