import type { Transaction } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { isFactor } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { findFactors, lockPerson } from './two-factor.repo.ts'
import type { Factors } from './two-factor.repo.ts'

/**
 * Locks the actor's factors until the transaction ends and checks the session again: one that has ended in the meantime, or has only the password
 * although a factor exists now, may change nothing.
 * @throws AppError unauthorized, confirmation_needed
 */
export async function lockFactors(ctx: Ctx, tx: Transaction): Promise<Factors> {
  const { userId, sessionId } = ctx.actor
  await lockPerson(tx, userId)
  const factors = await findFactors(tx, userId)
  const proof = await ctx.sessions.lockProof(tx, sessionId)
  if (proof === null) throw new AppError('unauthorized')
  if (hasAny(factors) && !isFactor(proof)) throw new AppError('confirmation_needed')
  return factors
}

export const hasAny = ({ totp, passkeys }: Pick<Factors, 'totp' | 'passkeys'>): boolean => totp || passkeys.length > 0
