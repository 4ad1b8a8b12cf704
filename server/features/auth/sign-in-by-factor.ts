import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import { signInByAddress } from '#server/features/auth/auth.policy.ts'
import { findUser } from '#server/features/auth/auth.repo.ts'
import { openSession } from '#server/features/auth/open-session.ts'
import { giveBackByAddress, takeByAddress } from '#server/features/auth/sign-in-limits.ts'
import { answerPasskey, answerSecondFactor, askPasskey } from '#server/features/two-factor/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { signedIn } from '#shared/features/auth/schema.ts'
import type { passkeyAsked, passkeyInput, secondFactorInput } from '#shared/features/two-factor/schema.ts'

type SignedIn = z.infer<typeof signedIn>

/**
 * The second step after a correct password.
 * @throws AppError challenge_expired, too_many_attempts, invalid_second_factor, passkey_failed, user_disabled
 */
export const signInBySecondFactor = (ctx: Ctx<Actor | null>, input: z.output<typeof secondFactorInput>): Promise<SignedIn> =>
  answerSecondFactor(ctx, 'second_factor', input, (tx, userId) => open(ctx, tx, userId, input.method))

/** @throws AppError too_many_attempts, passkey_failed */
export async function askForPasskey(ctx: Ctx<Actor | null>): Promise<z.infer<typeof passkeyAsked>> {
  await takeByAddress(ctx, 'passkey', signInByAddress)
  return askPasskey(ctx)
}

/**
 * Signs in with a passkey only, which combines possession with user verification.
 * @throws AppError challenge_expired, passkey_failed, user_disabled
 */
export const signInByPasskey = async (ctx: Ctx<Actor | null>, input: z.output<typeof passkeyInput>): Promise<SignedIn> => {
  const signed = await answerPasskey(ctx, input, (tx, userId) => open(ctx, tx, userId, 'passkey'))
  await giveBackByAddress(ctx, 'passkey', signInByAddress)
  return signed
}

async function open(ctx: Ctx<Actor | null>, tx: Transaction, userId: string, by: 'totp' | 'recovery' | 'passkey'): Promise<SignedIn> {
  const user = await findUser(tx, userId)
  const signed = user === null ? null : await openSession(ctx, tx, user, by)
  if (signed === null) throw new AppError('challenge_expired')
  return signed
}
