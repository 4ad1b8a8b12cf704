import type { Queryable } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { SyncRun } from './sync-run.ts'

/** The panel as the actor in the activity log. */
export const system = { actor: { kind: 'system', name: 'sync' }, address: null, requestId: '' } as const

/** Logs that a credential started or stopped working; the first result of a new one is not a change. */
export async function recordHealthChange(
  db: Queryable,
  { id, email, ownerId, health }: SyncRun['account'],
  to: typeof health,
): Promise<void> {
  if (health === to || health === 'unknown') return
  await audit(db, system, {
    action: 'update',
    entityType: 'account',
    entityId: id,
    entityName: email,
    ownerId,
    details: { health: { from: health, to } },
  })
}
