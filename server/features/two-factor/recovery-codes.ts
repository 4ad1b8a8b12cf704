import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { recoveryCodesRenewed } from '#shared/features/two-factor/schema.ts'
import { auditFactor } from './audit-factor.ts'
import { hasAny, lockFactors } from './lock-factors.ts'
import { newRecoveryCodes, recoveryCodeText } from './recovery-codes.policy.ts'
import { findFactors, replaceRecoveryCodes } from './two-factor.repo.ts'

/**
 * Replaces the previous codes.
 * @throws AppError conflict if there is no second factor
 */
export async function renewRecoveryCodes(ctx: Ctx): Promise<z.infer<typeof recoveryCodesRenewed>> {
  requireRecentAuth(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    if (!hasAny(await lockFactors(ctx, tx))) throw new AppError('conflict')
    await auditFactor(tx, ctx, { factor: 'recovery', change: 'renewed' })
    return { recoveryCodes: await makeRecoveryCodes(ctx, tx) }
  })
}

/** Recovery codes are created with the first second factor; null if they exist already. */
export async function makeFirstRecoveryCodes(ctx: Ctx, tx: Transaction): Promise<string[] | null> {
  const { recoveryCodesLeft } = await findFactors(tx, ctx.actor.userId)
  return recoveryCodesLeft === 0 ? makeRecoveryCodes(ctx, tx) : null
}

/** Shown only here: only hashes are stored. */
async function makeRecoveryCodes(ctx: Ctx, tx: Transaction): Promise<string[]> {
  const { userId } = ctx.actor
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => ctx.secrets.fingerprint(recoveryCodeText(userId, code))),
  )
  return codes
}
