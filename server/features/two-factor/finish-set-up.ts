import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { factorAdded } from '#shared/features/two-factor/schema.ts'
import { auditFactor } from './audit-factor.ts'
import { makeFirstRecoveryCodes } from './recovery-codes.ts'

/**
 * Completes the set-up of a factor in its transaction: this session counts as verified, and the person's sessions with password only end,
 * because they may be an intruder's.
 */
export async function finishSetUp(
  ctx: Ctx,
  tx: Transaction,
  factor: 'totp' | 'passkey',
  name?: string,
): Promise<z.infer<typeof factorAdded>> {
  const { userId, sessionId } = ctx.actor
  await ctx.sessions.verify(tx, sessionId, new Date(ctx.clock.now()), factor)
  const sessionsEnded = await ctx.sessions.endPasswordOnlyOf(tx, userId, sessionId)
  await auditFactor(tx, ctx, { factor, change: 'added', ...(name !== undefined && { name }), ...(sessionsEnded > 0 && { sessionsEnded }) })
  return { recoveryCodes: await makeFirstRecoveryCodes(ctx, tx), sessionsEnded }
}
