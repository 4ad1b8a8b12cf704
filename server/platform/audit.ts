import type { Queryable } from '#server/db/client.ts'
import { activity } from '#server/db/schema/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/actor.ts'

export type AuditEntry = Pick<typeof activity.$inferInsert, 'action' | 'entityType' | 'entityId' | 'entityName' | 'ownerId'> & {
  /** What changed, before and after; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Writes who did what, in the transaction that does it: there is no change without its entry and no entry without its change. */
export async function audit(
  db: Queryable,
  ctx: Pick<Ctx<Actor | null>, 'actor' | 'address' | 'requestId'>,
  ...entries: AuditEntry[]
): Promise<void> {
  if (entries.length === 0) return
  const actor = ctx.actor
  await db.insert(activity).values(
    entries.map((entry) => ({
      ...entry,
      details: entry.details ?? {},
      actorId: actor?.kind === 'user' ? actor.userId : null,
      actorName: actor === null ? 'anonymous' : actor.name,
      address: ctx.address,
      requestId: ctx.requestId,
    })),
  )
}
