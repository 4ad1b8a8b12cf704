import type { z } from 'zod'
import { subscriberOf } from '#server/features/auth/auth.policy.ts'
import { findSignIn } from '#server/features/auth/auth.repo.ts'
import type { SignInRow } from '#server/features/auth/auth.repo.ts'
import { openSession, markSecondFactorDue } from '#server/features/auth/open-session.ts'
import { takeSignIn } from '#server/features/auth/sign-in-limits.ts'
import { askSecondFactor } from '#server/features/two-factor/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findKnownDevice } from '#server/platform/known-device.ts'
import { verifyPassword } from '#server/platform/passwords.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { loginAnswer, loginInput } from '#shared/features/auth/schema.ts'

/**
 * Failed attempts are limited by address and by email; a success gives back only its own attempt. A second factor is required before a session
 * is created.
 * @throws AppError too_many_attempts, invalid_credentials (the same, in the same time, for an unknown email), user_disabled (only with the
 * right password)
 */
export async function login(ctx: Ctx<Actor | null>, input: z.output<typeof loginInput>): Promise<z.infer<typeof loginAnswer>> {
  const { user, familiar } = await findSignIn(ctx.db, input.email, ctx.address)
  const device = user === null ? null : findKnownDevice(ctx, user.id)
  const giveBack = await takeSignIn(ctx, input.email, { device, familiar })

  const verified = await verifyPassword(user?.passwordHash ?? null, input.password, device ?? subscriberOf(ctx.address))
  const entry = { entityType: 'user', entityId: user?.id ?? null, entityName: input.email, ownerId: user?.id ?? null } as const
  if (user === null || !verified) {
    await audit(ctx.db.orm, { ...ctx, actor: null }, { ...entry, action: 'denied', details: { why: 'invalid_credentials' } })
    throw new AppError('invalid_credentials')
  }

  if (user.disabledAt !== null) {
    await audit(ctx.db.orm, { ...ctx, actor: null }, { ...entry, action: 'denied', details: { why: 'user_disabled' } })
    throw new AppError('user_disabled')
  }

  const answer = await openOrAsk(ctx, user)
  await giveBack()
  return answer
}

async function openOrAsk(ctx: Ctx<Actor | null>, user: SignInRow): Promise<z.infer<typeof loginAnswer>> {
  const ask = () => askSecondFactor(ctx, user.id, 'second_factor')
  const secondFactor = await ask()
  if (secondFactor !== null) return { secondFactor }
  const signed = await ctx.db.orm.transaction((tx) => openSession(ctx, tx, user, 'password'))
  if (signed !== null) return markSecondFactorDue(ctx, signed)
  const added = await ask()
  if (added === null) throw new AppError('invalid_credentials')
  return { secondFactor: added }
}
