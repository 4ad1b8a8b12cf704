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
 * A token of the actor's own. The secret is in this answer only.
 * @throws AppError session_only, confirmation_needed, limit_reached, unauthorized where the person has another role by now
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
    // One that was asked for before the person got another role, was disabled or signed out is not created after it.
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
