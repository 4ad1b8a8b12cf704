import { randomBytes } from 'node:crypto'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ApiToken, NewToken } from '#shared/features/api-tokens/schema.ts'
import { insertToken, lockRole } from './api-tokens.repo.ts'
import { hashToken } from './find-token-actor.ts'
import { toToken } from './list-tokens.ts'

const prefixLength = 9

/**
 * Creates a token of the actor. Only this response contains the secret.
 * @throws AppError session_only, confirmation_needed, limit_reached, unauthorized if the person's role has changed
 */
export async function createToken(
  ctx: Ctx,
  { name, scope, spendLimitUsd = null, expiresAt }: NewToken,
): Promise<{ token: ApiToken; secret: string }> {
  requireRecentAuth(ctx)
  const { userId } = ctx.actor
  const secret = `zd_${randomBytes(32).toString('base64url')}`
  const expires = expiresAt ? new Date(expiresAt) : null
  const row = await ctx.db.orm.transaction(async (tx) => {
    // A token requested before a role change, disabling or sign-out is not created afterwards.
    const still = (await lockRole(tx, userId)) === ctx.actor.role && (await ctx.sessions.lockProof(tx, ctx.actor.sessionId)) !== null
    if (!still) throw new AppError('unauthorized')
    await requireRoom(tx, 'apiTokens', userId)
    const prefix = secret.slice(0, prefixLength)
    const inserted = await insertToken(tx, { userId, name, scope, spendLimitUsd, prefix, tokenHash: hashToken(secret), expiresAt: expires })
    await audit(tx, ctx, {
      action: 'create',
      entityType: 'token',
      entityId: inserted.id,
      entityName: name,
      ownerId: userId,
      details: { scope, ...(spendLimitUsd === null ? {} : { spendLimitUsd }), expiresAt: expires?.toISOString() ?? null },
    })
    return inserted
  })
  return { token: toToken(row), secret }
}
