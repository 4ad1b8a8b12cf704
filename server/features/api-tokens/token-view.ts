import type { ApiToken } from '#shared/features/api-tokens/schema.ts'
import type { TokenRow } from './api-tokens.repo.ts'

export const toToken = ({ expiresAt, lastUsedAt, createdAt, ...row }: TokenRow): ApiToken => ({
  ...row,
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})
