import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Limit, Limits } from '#server/platform/limiter.ts'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * Counts an attempt of the caller before it is processed.
 * @throws AppError too_many_attempts
 */
export async function takeAttempt(
  ctx: Ctx<Actor | null>,
  key: string,
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
): Promise<void> {
  const { allowed, remaining, retryAfterSeconds } = await ctx.limiter.take(key, limit, windowMs)
  ctx.limits?.set(key, { limit, remaining, resetSeconds: retryAfterSeconds })
  if (!allowed) throw new AppError('too_many_attempts', { params: { retryAfterSeconds } })
}

/**
 * As above, but only slows attempts down: a burst, then one per interval.
 * @throws AppError too_many_attempts
 */
export async function takePaced(
  ctx: Ctx<Actor | null>,
  key: string,
  { burst, everyMs }: { readonly burst: number; readonly everyMs: number },
): Promise<void> {
  const { allowed, remaining, retryAfterSeconds } = await ctx.limiter.pace(key, burst, everyMs)
  ctx.limits?.set(key, { limit: burst, remaining, resetSeconds: retryAfterSeconds })
  if (!allowed) throw new AppError('too_many_attempts', { params: { retryAfterSeconds } })
}

/**
 * Counts a test message or request that a person makes the panel send, for any kind of target: enough to set targets up, too few to flood
 * anyone.
 * @throws AppError too_many_attempts
 */
export const takeOutgoingTest = (ctx: Ctx): Promise<void> =>
  takePaced(ctx, `outgoing-test:${ctx.actor.userId}`, { burst: 20, everyMs: 3_000 })

export async function givePacedBack(ctx: Ctx<Actor | null>, key: string, { everyMs }: { readonly everyMs: number }): Promise<void> {
  await ctx.limiter.givePaceBack(key, everyMs)
  restore(ctx, [key])
}

/** Key prefix of sign-in attempts for an email in lower case; followed by the address. */
export const signInKey = (email: string): string => `login:email:${email}`

/** After a password change, earlier failures no longer block the person. */
export async function forgetSignIns({ limiter }: Pick<Ctx, 'limiter'>, email: string): Promise<void> {
  await limiter.forget(signInKey(email))
  await limiter.forgetAll(`${signInKey(email)} at `)
}

/** Returns one attempt of each key, because it does not count towards the limit. */
export async function giveBackAttempts(ctx: Ctx<Actor | null>, ...keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await ctx.limiter.giveBack(...keys)
  restore(ctx, keys)
}

function restore(ctx: Ctx<Actor | null>, keys: readonly string[]): void {
  for (const key of keys) {
    const met = ctx.limits?.get(key)
    if (met !== undefined) ctx.limits?.set(key, { ...met, remaining: Math.min(met.limit, met.remaining + 1) })
  }
}

/** The limit that will refuse next; null if none applied. */
export function tightestOf(limits: Limits): Limit | null {
  if (limits.size === 0) return null
  const [tightest = null] = [...limits.values()].toSorted(
    (one, other) => one.remaining - other.remaining || other.resetSeconds - one.resetSeconds,
  )
  return tightest
}
