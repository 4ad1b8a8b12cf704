import type { Transaction } from '#server/db/client.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { auditFactor } from './audit-factor.ts'
import { isSecondFactorRequired } from './get-two-factor.ts'
import { hasAny, lockFactors } from './lock-factors.ts'
import { deletePasskey, deleteRecoveryCodes, deleteTotp, findFactors } from './two-factor.repo.ts'

/** @throws AppError confirmation_needed, not_found, factor_required for the last one if a factor is required */
export const removeTotp = (ctx: Ctx): Promise<{ success: true }> =>
  remove(ctx, async (tx) => {
    if (!(await deleteTotp(tx, ctx.actor.userId))) throw new AppError('not_found')
    await auditFactor(tx, ctx, { factor: 'totp', change: 'removed' })
  })

/** Like `removeTotp`. */
export const removePasskey = (ctx: Ctx, id: string): Promise<{ success: true }> =>
  remove(ctx, async (tx) => {
    const gone = await deletePasskey(tx, ctx.actor.userId, id)
    if (gone === null) throw new AppError('not_found')
    await auditFactor(tx, ctx, { factor: 'passkey', change: 'removed', name: gone.name })
  })

async function remove(ctx: Ctx, one: (tx: Transaction) => Promise<void>): Promise<{ success: true }> {
  requireRecentAuth(ctx)
  const { userId, role } = ctx.actor
  const settings = await getPanelSettings(ctx)
  await ctx.db.orm.transaction(async (tx) => {
    await lockFactors(ctx, tx)
    await one(tx)
    if (hasAny(await findFactors(tx, userId))) return
    if (isSecondFactorRequired(settings.twoFactor, role)) throw new AppError('factor_required')
    // Recovery codes replace a second factor, and none is left.
    await deleteRecoveryCodes(tx, userId)
  })
  return { success: true }
}
