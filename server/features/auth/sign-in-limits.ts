import {
  networkFactor,
  networkOf,
  signInByAddress,
  signInByAddressAndEmail,
  signInByEmail,
  subscriberOf,
} from '#server/features/auth/auth.policy.ts'
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

interface WindowLimit {
  readonly limit: number
  readonly windowMs: number
}

/** What tries from an address count against: the address, and for IPv6 the network around it, whose addresses cost nothing. */
const addressLimits = (what: string, address: string | null, { limit, windowMs }: WindowLimit): (readonly [string, WindowLimit])[] => {
  const network = networkOf(address)
  return [
    [`${what}:${subscriberOf(address)}`, { limit, windowMs }],
    ...(network === null ? [] : [[`${what}:${network}`, { limit: limit * networkFactor, windowMs }] as const]),
  ]
}

/** Counts a try by its address. @throws AppError too_many_attempts */
export async function takeByAddress(ctx: Ctx<Actor | null>, what: string, limit: WindowLimit): Promise<void> {
  for (const [key, each] of addressLimits(what, ctx.address, limit)) await takeAttempt(ctx, key, each)
}

export const giveBackByAddress = (ctx: Ctx<Actor | null>, what: string, limit: WindowLimit): Promise<void> =>
  giveBackAttempts(ctx, ...addressLimits(what, ctx.address, limit).map(([key]) => key))

/**
 * Counts a try to sign in before the password is looked at, so that tries side by side count too. A known device has a count of its own and
 * meets no other. Elsewhere tries count by address, by address and email together, and by email over all addresses: the last only slows
 * down, since anyone who knows an email could otherwise lock its owner out.
 * @returns takes the try back, for one that succeeded
 * @throws AppError too_many_attempts
 */
export async function takeSignIn(ctx: Ctx<Actor | null>, email: string, { device, familiar }: Where): Promise<() => Promise<void>> {
  const byEmail = signInKey(email)
  const place = device ?? subscriberOf(ctx.address)
  const counted: string[] = []
  const count = async (key: string, limit: WindowLimit) => {
    await takeAttempt(ctx, key, limit)
    counted.push(key)
  }
  try {
    if (device === null) for (const [key, limit] of addressLimits('login:address', ctx.address, signInByAddress)) await count(key, limit)
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
