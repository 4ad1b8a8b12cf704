import type { Ctx } from '#server/platform/context.ts'
import type { Session } from '#shared/features/me/schema.ts'
import { listSessions } from './me.repo.ts'

/** The person's sessions: the current one first, then by last use. */
export async function listMySessions(ctx: Ctx): Promise<{ sessions: Session[] }> {
  const rows = (await listSessions(ctx.db.orm, ctx.actor.userId)).map(
    ({ id, address, userAgent, verifiedBy, createdAt, lastUsedAt, expiresAt }): Session => ({
      id,
      current: id === ctx.actor.sessionId,
      address,
      userAgent,
      verifiedBy,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }),
  )
  return { sessions: rows.toSorted((a, b) => Number(b.current) - Number(a.current)) }
}
