import type { z } from 'zod'
import { forgetChallenges, hasSecondFactor } from '#server/features/two-factor/index.ts'
import { endAccess } from '#server/features/users/index.ts'
import { giveBackAttempts, takeAttempt } from '#server/platform/attempts.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { hashPassword, verifyPassword } from '#server/platform/passwords.ts'
import { refuseOwnPassword } from '#shared/features/auth/weak-password.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { changePasswordInput, passwordChanged } from '#shared/features/me/schema.ts'
import { findUser, replacePassword } from './me.repo.ts'

/** Limits guesses at the password in an unattended browser. */
const tries = { limit: 10, windowMs: 15 * 60_000 }
const wrongPassword = () => new AppError('validation_failed', { issues: [{ path: 'currentPassword', message: 'wrong_password' }] })

/**
 * Ends every session of the person, including the current one, which continues with the returned token. Also ends the calendar URL, and API
 * tokens if requested.
 * @throws AppError too_many_attempts, validation_failed if the current password is wrong, confirmation_needed
 */
export async function changePassword(ctx: Ctx, input: z.output<typeof changePasswordInput>): Promise<z.infer<typeof passwordChanged>> {
  const { userId, sessionId } = ctx.actor
  // The continued session counts as recently authenticated; with a second factor the password is not sufficient for that.
  if (await hasSecondFactor(ctx.db.orm, userId)) requireRecentAuth(ctx)
  const key = `confirm:${sessionId}`
  await takeAttempt(ctx, key, tries)
  const user = await findUser(ctx.db.orm, userId)
  if (user === null) throw new AppError('unauthorized')
  const entry = { entityType: 'user', entityId: userId, entityName: user.email, ownerId: userId } as const
  if (!(await verifyPassword(user.passwordHash, input.currentPassword, userId))) {
    await audit(ctx.db.orm, ctx, { ...entry, action: 'denied', details: { why: 'invalid_credentials' } })
    throw wrongPassword()
  }
  refuseOwnPassword(input.password, user)
  const passwordHash = await hashPassword(input.password, userId)
  const changed = await ctx.db.orm.transaction(async (tx) => {
    // Of several changes with the same old password, one succeeds.
    if (!(await replacePassword(tx, userId, user.passwordHash, passwordHash))) throw wrongPassword()
    // A session that ended during the password check is not continued.
    const proof = await ctx.sessions.lockProof(tx, ctx.actor.sessionId)
    if (proof === null) throw new AppError('unauthorized')
    await forgetChallenges(tx, userId)
    await audit(tx, ctx, { ...entry, action: 'update', details: { password: 'changed' } })
    const ended = await endAccess(ctx, tx, userId, { tokens: input.revokeTokens })
    return { token: await ctx.sessions.create(tx, userId, ctx, proof), ...ended }
  })
  await giveBackAttempts(ctx, key)
  return { ...changed, token: ctx.cookies?.keepSession(changed.token) ?? changed.token }
}
