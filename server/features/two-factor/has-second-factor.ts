import type { Queryable } from '#server/db/client.ts'
import { findFactors } from './two-factor.repo.ts'

export async function hasSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  const { totp, passkeys } = await findFactors(db, userId)
  return totp || passkeys.length > 0
}
