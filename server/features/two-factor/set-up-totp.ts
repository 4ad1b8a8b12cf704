import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { confirmTotpInput, factorAdded, totpStarted } from '#shared/features/two-factor/schema.ts'
import { answerChallenge, getChallenge, openChallenge } from './challenge.ts'
import { finishSetUp } from './finish-set-up.ts'
import { lockFactors } from './lock-factors.ts'
import { base32, findTotpStep, totpUri } from './totp.policy.ts'
import { findPerson, putTotp } from './two-factor.repo.ts'

/** Encrypts a secret bound to its owner. */
export const totpContext = (userId: string): string => `user:${userId}:totp`

/** Creates a secret that replaces the previous one only after one of its codes was correct. */
export async function startTotp(ctx: Ctx): Promise<z.infer<typeof totpStarted>> {
  requireRecentAuth(ctx)
  const { userId } = ctx.actor
  const person = await findPerson(ctx.db.orm, userId)
  if (person === null) throw new AppError('unauthorized')
  const secret = randomBytes(20)
  const secretSealed = ctx.secrets.encrypt(secret.toString('base64url'), totpContext(userId))
  const ticket = await openChallenge(ctx, { purpose: 'totp_add', userId, data: { secretSealed } })
  return { ticket, secret: base32(secret), uri: totpUri(secret, person.email) }
}

/**
 * An unconfirmed secret is created again.
 * @throws AppError challenge_expired
 */
function decryptPending(ctx: Ctx, encrypted: string): string {
  try {
    return ctx.secrets.decrypt(encrypted, totpContext(ctx.actor.userId))
  } catch (error) {
    throw new AppError('challenge_expired', { cause: error })
  }
}

/** @throws AppError confirmation_needed, challenge_expired, invalid_second_factor */
export async function confirmTotp(ctx: Ctx, input: z.output<typeof confirmTotpInput>): Promise<z.infer<typeof factorAdded>> {
  requireRecentAuth(ctx)
  const { userId } = ctx.actor
  const challenge = await getChallenge(ctx, input.ticket, 'totp_add')
  if (challenge.userId !== userId) throw new AppError('challenge_expired')
  const { secretSealed } = z.object({ secretSealed: z.string() }).parse(challenge.data)
  const secret = Buffer.from(decryptPending(ctx, secretSealed), 'base64url')
  return answerChallenge(ctx, challenge, async (tx) => {
    const step = findTotpStep(secret, input.code, ctx.clock.now())
    if (step === null) throw new AppError('invalid_second_factor')
    await lockFactors(ctx, tx)
    await putTotp(tx, { userId, secretSealed, lastStep: step })
    return finishSetUp(ctx, tx, 'totp')
  })
}
