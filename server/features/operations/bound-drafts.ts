import { takeAttempt } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'

/** Drafts are kept for an hour, so one token holds at most about twice as many of them. */
const draftsByToken = { limit: 100, windowMs: 3_600_000 }

/**
 * Counts a draft that is about to be created. A token that only reads or buys may create a limited number: each draft may be as large
 * as all domains together, and a leaked token must not fill the database.
 * @throws AppError too_many_attempts
 */
export async function boundDrafts(ctx: Ctx): Promise<void> {
  const { via } = ctx.actor
  if (via?.kind !== 'token' || via.scope === 'write') return
  await takeAttempt(ctx, `drafts:${via.id}`, draftsByToken)
}
