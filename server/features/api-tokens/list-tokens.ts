import type { Ctx } from '#server/platform/context.ts'
import type { ApiToken } from '#shared/features/api-tokens/schema.ts'
import { listTokensOf } from './api-tokens.repo.ts'
import type { TokenRow } from './api-tokens.repo.ts'

/** Newest first, including expired ones, which explain why a client stopped working. */
export async function listTokens(ctx: Ctx, { userId }: { readonly userId?: string | undefined }): Promise<{ tokens: ApiToken[] }> {
  return { tokens: (await listTokensOf(ctx.db.orm, ctx.actor, userId ?? ctx.actor.userId)).map(toToken) }
}

export const toToken = ({ expiresAt, lastUsedAt, createdAt, ...row }: TokenRow): ApiToken => ({
  ...row,
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})
