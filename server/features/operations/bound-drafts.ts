import { takeAttempt } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'

/** Drafts are kept for an hour, so that no more than about twice as many of a token's are ever there. */
const draftsByToken = { limit: 100, windowMs: 3_600_000 }

/**
 * Counts a draft that is about to be made. A token that only reads may make so many and no more: each may be as large as all domains together, and of
 * anyone who found such a token nobody asked for any.
 * @throws AppError too_many_attempts
 */
export async function boundDrafts(ctx: Ctx): Promise<void> {
  const { via } = ctx.actor
  if (via?.kind !== 'token' || via.scope !== 'read') return
  await takeAttempt(ctx, `drafts:${via.id}`, draftsByToken)
}
