import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

const recentMs = 10 * 60_000

/**
 * Step-up authentication for what an unattended browser must not do: reveals a secret, creates a token, deletes many, spends money.
 * A person with a second factor has to have given it in this session: their password does not count.
 * @throws AppError session_only for a token, confirmation_needed where the last proof is older than 10 minutes or was the password only
 */
export function requireRecentAuth(ctx: Ctx): void {
  const { verifiedAt, verifiedBy, hasSecondFactor } = ctx.actor
  if (verifiedAt === null) throw new AppError('session_only')
  const enough = hasSecondFactor !== true || isFactor(verifiedBy)
  if (!enough || ctx.clock.now() - verifiedAt.getTime() > recentMs) throw new AppError('confirmation_needed')
}

/** Whether a proof was more than the password. */
export const isFactor = (by: Ctx['actor']['verifiedBy']): boolean => by !== undefined && by !== 'password'
