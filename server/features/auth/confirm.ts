import type { z } from 'zod'
import { confirmationBySession } from '#server/features/auth/auth.policy.ts'
import { findUser } from '#server/features/auth/auth.repo.ts'
import { answerSecondFactor, askSecondFactor, hasSecondFactor } from '#server/features/two-factor/index.ts'
import { giveBackAttempts, takeAttempt } from '#server/platform/attempts.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { verifyPassword } from '#server/platform/passwords.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { confirmationAsked, confirmInput } from '#shared/features/auth/schema.ts'

/** The methods available for step-up authentication. */
export const askConfirmation = async (ctx: Ctx): Promise<z.infer<typeof confirmationAsked>> => ({
  secondFactor: await askSecondFactor(ctx, ctx.actor.userId, 'confirm'),
})

/**
 * Authenticates the person again in this session, sufficient for `requireRecentAuth` for ten minutes. The password counts only without a
 * second factor.
 * @throws AppError invalid_credentials, invalid_second_factor, passkey_failed, challenge_expired, too_many_attempts
 */
export async function confirm(ctx: Ctx, input: z.output<typeof confirmInput>): Promise<{ success: true }> {
  const now = () => new Date(ctx.clock.now())
  if (input.method === 'password') {
    await checkPassword(ctx, input.password)
    await ctx.sessions.verify(ctx.db.orm, ctx.actor.sessionId, now(), 'password')
  } else {
    await answerSecondFactor(ctx, 'confirm', input, (tx) => ctx.sessions.verify(tx, ctx.actor.sessionId, now(), input.method))
  }
  return { success: true }
}

async function checkPassword(ctx: Ctx, password: string): Promise<void> {
  const { userId, sessionId } = ctx.actor
  // Counted per session, so that guesses in a stolen session do not lock the person out of their own.
  const key = `confirm:${sessionId}`
  await takeAttempt(ctx, key, confirmationBySession)
  if (await hasSecondFactor(ctx.db.orm, userId)) throw new AppError('invalid_second_factor')
  const user = await findUser(ctx.db.orm, userId)
  if (!(await verifyPassword(user?.passwordHash ?? null, password, userId))) {
    const details = { why: 'invalid_credentials' }
    await audit(ctx.db.orm, ctx, {
      action: 'denied',
      entityType: 'user',
      entityId: userId,
      entityName: user?.email,
      ownerId: userId,
      details,
    })
    throw new AppError('invalid_credentials')
  }
  await giveBackAttempts(ctx, key)
}
