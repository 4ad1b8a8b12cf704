import { signInByAddress, signInByAddressAndEmail, signInByEmail, subscriberOf } from '#server/features/auth/auth.policy.ts'
import type { Actor } from '#server/platform/actor.ts'
import { giveBackAttempts, givePacedBack, signInKey, takeAttempt, takePaced } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

interface Where {
  /** A browser in which the person has signed in before. */
  readonly device: string | null
  /** They are signed in from this address at the moment. */
  readonly familiar: boolean
}

/**
 * Counts a try to sign in before the password is looked at, so that tries side by side count too. A known device has a count of its own and
 * meets no other. Elsewhere tries count by address, by address and email together, and by email over all addresses: the last only slows
 * down, since whoever knows an email could otherwise lock its owner out.
 * @returns takes the try back, for one that succeeded
 * @throws AppError too_many_attempts
 */
export async function takeSignIn(ctx: Ctx<Actor | null>, email: string, { device, familiar }: Where): Promise<() => Promise<void>> {
  const byEmail = signInKey(email)
  const place = device ?? subscriberOf(ctx.address)
  const counted: string[] = []
  const count = async (key: string, limit: typeof signInByAddress) => {
    await takeAttempt(ctx, key, limit)
    counted.push(key)
  }
  try {
    if (device === null) await count(`login:address:${place}`, signInByAddress)
    await count(`${byEmail} at ${place}`, signInByAddressAndEmail)
    const isPaced = device === null && !familiar
    if (isPaced) await takePaced(ctx, byEmail, signInByEmail)
    return async () => {
      await giveBackAttempts(ctx, ...counted)
      if (isPaced) await givePacedBack(ctx, byEmail, signInByEmail)
    }
  } catch (error) {
    // The password was not looked at.
    await giveBackAttempts(ctx, ...counted)
    if (error instanceof AppError) ctx.log.warn({ address: ctx.address }, 'too many failed sign-ins')
    throw error
  }
}
