import { createHash } from 'node:crypto'
import type { UserActor } from '#server/platform/actor.ts'
import type { Services } from '#server/platform/context.ts'
import { personLabel } from '#shared/features/users/person-label.ts'
import { findByHash, touchToken } from './api-tokens.repo.ts'

/** Sessions' tokens are shorter and have no such beginning; scanners for leaked secrets know ours by it. */
const form = /^zd_[\w-]{43}$/
const touchAfterMs = 60_000

export const isApiToken = (bearer: string): boolean => form.test(bearer)

/** What is kept of a token: SHA-256 is enough for 256 random bits. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Whom a token acts for, as they are now: a role taken away is taken from their tokens too, and who owes a second factor owes it there as well. Null for an unknown, revoked or outdated one. */
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
