import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { deleteToken, deleteTokensOf } from './api-tokens.repo.ts'

/**
 * The token is invalid from its next use; administrators may revoke any token.
 * @throws AppError not_found
 */
export async function revokeToken(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const { name, userId, scope } = await deleteToken(tx, ctx.actor, id)
    await audit(tx, ctx, { action: 'delete', entityType: 'token', entityId: id, entityName: name, ownerId: userId, details: { scope } })
  })
}

/** Revokes all tokens of a person and logs each. Returns their number. */
export async function revokeTokensOf(by: AuditSource, tx: Transaction, userId: string): Promise<number> {
  const gone = await deleteTokensOf(tx, userId)
  await audit(
    tx,
    by,
    ...gone.map(({ id, name, scope }) => ({
      action: 'delete' as const,
      entityType: 'token' as const,
      entityId: id,
      entityName: name,
      ownerId: userId,
      details: { scope },
    })),
  )
  return gone.length
}
