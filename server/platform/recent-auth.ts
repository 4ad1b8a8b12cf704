import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

const recentMs = 10 * 60_000

/**
 * Step-up authentication for actions that an unattended browser must not permit: revealing a secret, creating a token, deleting many
 * objects, spending money. A person with a second factor must have given it in this session; the password does not suffice.
 * @throws AppError session_only for a token, confirmation_needed if the last authentication is older than 10 minutes or used the password
 * only
 */
export function requireRecentAuth(ctx: Ctx): void {
  const { verifiedAt, verifiedBy, hasSecondFactor } = ctx.actor
  if (verifiedAt === null) throw new AppError('session_only')
  const enough = hasSecondFactor !== true || isFactor(verifiedBy)
  if (!enough || ctx.clock.now() - verifiedAt.getTime() > recentMs) throw new AppError('confirmation_needed')
}

/** Whether the authentication used more than the password. */
export const isFactor = (by: Ctx['actor']['verifiedBy']): boolean => by !== undefined && by !== 'password'
