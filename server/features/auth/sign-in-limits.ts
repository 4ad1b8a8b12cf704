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
  /** The person is currently signed in from this address. */
  readonly familiar: boolean
}

interface WindowLimit {
  readonly limit: number
  readonly windowMs: number
}

/** The counters of an address: the address, and for IPv6 also its network, because single addresses are free. */
const addressLimits = (what: string, address: string | null, { limit, windowMs }: WindowLimit): (readonly [string, WindowLimit])[] => {
  const network = networkOf(address)
  return [
    [`${what}:${subscriberOf(address)}`, { limit, windowMs }],
    ...(network === null ? [] : [[`${what}:${network}`, { limit: limit * networkFactor, windowMs }] as const]),
  ]
}

/**
 * Counts an attempt by its address.
 * @throws AppError too_many_attempts
 */
export async function takeByAddress(ctx: Ctx<Actor | null>, what: string, limit: WindowLimit): Promise<void> {
  for (const [key, each] of addressLimits(what, ctx.address, limit)) await takeAttempt(ctx, key, each)
}

export const giveBackByAddress = (ctx: Ctx<Actor | null>, what: string, limit: WindowLimit): Promise<void> =>
  giveBackAttempts(ctx, ...addressLimits(what, ctx.address, limit).map(([key]) => key))

/**
 * Counts a sign-in attempt before the password is checked, so that concurrent attempts count too. A known device has its own counter only.
 * Otherwise attempts count by address, by address and email together, and by email over all addresses: the last one only slows down,
 * because anyone who knows an email could otherwise lock its owner out.
 * @returns a function that gives the attempt back after a success
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
    // The password was not checked.
    await giveBackAttempts(ctx, ...counted)
    if (error instanceof AppError) ctx.log.warn({ address: ctx.address }, 'too many failed sign-ins')
    throw error
  }
}
