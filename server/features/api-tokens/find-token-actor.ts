import { createHash } from 'node:crypto'
import type { UserActor } from '#server/platform/actor.ts'
import type { Services } from '#server/platform/context.ts'
import { personLabel } from '#shared/features/users/person-label.ts'
import { findByHash, touchToken } from './api-tokens.repo.ts'

/** Session tokens are shorter and lack this prefix; secret scanners recognize API tokens by it. */
const form = /^zd_[\w-]{43}$/
const touchAfterMs = 60_000

export const isApiToken = (bearer: string): boolean => form.test(bearer)

/** The stored hash: SHA-256 is sufficient for 256 random bits. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * The actor of a token with its user's current role: a removed role no longer applies, and a required second factor is required here too.
 * Null for an unknown, revoked or expired token.
 */
export async function findTokenActor(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
  address: string | null,
): Promise<UserActor | null> {
  const row = await findByHash(db, hashToken(token))
  const now = clock.now()
  if (row === null || (row.expiresAt !== null && Date.parse(row.expiresAt) <= now)) return null
  if (row.lastUsedAt === null || now - Date.parse(row.lastUsedAt) > touchAfterMs) {
    await touchToken(db.orm, row.id, { at: new Date(now), address, unlessSince: new Date(now - touchAfterMs) })
  }
  return {
    kind: 'user',
    userId: row.userId,
    name: personLabel(row),
    role: row.role,
    sessionId: '',
    verifiedAt: null,
    secondFactorDue: row.secondFactorDue,
    via: { kind: 'token', id: row.id, name: row.tokenName, scope: row.scope },
  }
}
