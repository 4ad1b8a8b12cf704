import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'

/** Ends the session here, so that its token is worth nothing any more. */
export async function logout(ctx: Ctx): Promise<{ success: true }> {
  const { userId, sessionId, name } = ctx.actor
  await ctx.db.orm.transaction(async (tx) => {
    await ctx.sessions.end(tx, sessionId)
    await audit(tx, ctx, { action: 'logout', entityType: 'user', entityId: userId, entityName: name, ownerId: userId })
  })
  ctx.cookies?.clear('session')
  return { success: true }
}
