import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { deleteToken } from './api-tokens.repo.ts'

/**
 * The token is worth nothing from its next use on; administrators may do it to anybody's.
 * @throws AppError not_found
 */
export async function revokeToken(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const { name, userId, scope } = await deleteToken(tx, ctx.actor, id)
    await audit(tx, ctx, { action: 'delete', entityType: 'token', entityId: id, entityName: name, ownerId: userId, details: { scope } })
  })
}
