import { randomBytes } from 'node:crypto'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireFresh } from '#server/platform/fresh.ts'
import type { ApiToken, NewToken } from '#shared/features/api-tokens/schema.ts'
import { insertToken } from './api-tokens.repo.ts'
import { hashToken } from './find-token-actor.ts'
import { toToken } from './token-view.ts'

const prefixLength = 9

/**
 * A token of the actor's own. The secret is in this answer only.
 * @throws AppError session_only, confirmation_needed
 */
export async function createToken(ctx: Ctx, { name, scope, expiresAt }: NewToken): Promise<{ token: ApiToken; secret: string }> {
  requireFresh(ctx)
  const { userId } = ctx.actor
  const secret = `zd_${randomBytes(32).toString('base64url')}`
  const expires = expiresAt ? new Date(expiresAt) : null
  const row = await ctx.db.orm.transaction(async (tx) => {
    const prefix = secret.slice(0, prefixLength)
    const inserted = await insertToken(tx, { userId, name, scope, prefix, tokenHash: hashToken(secret), expiresAt: expires })
    await audit(tx, ctx, {
      action: 'create',
      entityType: 'token',
      entityId: inserted.id,
      entityName: name,
      ownerId: userId,
      details: { scope, expiresAt: expires?.toISOString() ?? null },
    })
    return inserted
  })
  return { token: toToken(row), secret }
}
