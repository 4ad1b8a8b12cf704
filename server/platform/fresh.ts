import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

const freshMs = 10 * 60_000

/**
 * For what must not be done from an unattended browser: shows a secret, makes a token, deletes much.
 * @throws AppError session_only for a token, confirmation_needed where the last proof is more than 10 minutes old
 */
export function requireFresh(ctx: Ctx): void {
  const { verifiedAt } = ctx.actor
  if (verifiedAt === null) throw new AppError('session_only')
  if (ctx.clock.now() - verifiedAt.getTime() > freshMs) throw new AppError('confirmation_needed')
}
