import type { Queryable } from '#server/db/client.ts'
import { activityCode } from '#server/platform/activity-code.ts'
import type { ActivityActorKind } from '#shared/features/activity/schema.ts'
import { insertAudit } from '#server/platform/audit.repo.ts'
import type { AuditRow } from '#server/platform/audit.repo.ts'
import type { SystemActor, UserActor } from '#server/platform/actor.ts'
import type { ActivityDetails } from '#shared/features/activity/details.ts'

export type AuditEntry = Pick<AuditRow, 'action' | 'entityType' | 'entityId' | 'entityName' | 'ownerId'> & {
  readonly details?: ActivityDetails
}

/** Actor and address of a change; every `Ctx` has them. */
export interface AuditSource {
  readonly actor: Pick<UserActor, 'kind' | 'userId' | 'name' | 'via'> | SystemActor | null
  readonly address: string | null
  readonly requestId: string
}

/** Writes an activity entry in the transaction of the change, so that neither exists without the other. */
export async function audit(db: Queryable, source: AuditSource, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const by = actorColumns(source.actor)
  await insertAudit(
    db,
    entries.map((entry) => {
      const own = by.actorId !== undefined && by.actorId === entry.ownerId
      const code = activityCode({ ...entry, actorKind: by.actorKind, own })
      return { ...entry, details: entry.details ?? {}, ...by, code, address: source.address, requestId: source.requestId }
    }),
  )
}

interface By {
  readonly actorId?: string
  readonly actorName: string
  readonly actorKind: ActivityActorKind
  readonly actorVia?: string | null
}

function actorColumns(actor: AuditSource['actor']): By {
  if (actor === null) return { actorName: 'anonymous', actorKind: 'anonymous' }
  if (actor.kind === 'system') return { actorName: actor.name, actorKind: 'system' }
  return { actorId: actor.userId, actorName: actor.name, actorKind: actor.via?.kind ?? 'user', actorVia: actor.via?.id ?? null }
}
