import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { endAccess } from './end-access.ts'
import { getShown } from './users.repo.ts'

/**
 * Ends every session of a person except the caller's own, and their calendar URL; tokens only if requested.
 * @throws AppError not_found
 */
export async function signOutUser(ctx: Ctx, { id, tokens }: { readonly id: string; readonly tokens: boolean }): Promise<{ success: true }> {
  await ctx.db.orm.transaction(async (tx) => {
    const user = await getShown(tx, id)
    await audit(tx, ctx, {
      action: 'logout',
      entityType: 'user',
      entityId: user.id,
      entityName: user.email,
      ownerId: user.id,
      details: { sessions: 'all' },
    })
    await endAccess(ctx, tx, user.id, { except: user.id === ctx.actor.userId ? ctx.actor.sessionId : undefined, tokens })
    await ctx.events.publish(tx, user.id, 'users')
  })
  return { success: true }
}
