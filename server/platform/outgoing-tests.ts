import { takeAttempt } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'

/** All kinds of tests together. */
export const outgoingTests = { limit: 30, windowMs: 60_000 }

/**
 * Counts a request that a person has the panel send to an address of their choice, so that it cannot be used to flood or to scan other hosts.
 * @throws AppError too_many_attempts
 */
export const takeOutgoingTest = (ctx: Ctx): Promise<void> => takeAttempt(ctx, `outgoing-test:${ctx.actor.userId}`, outgoingTests)
