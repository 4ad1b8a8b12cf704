import type { z } from 'zod'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Passkey, twoFactor } from '#shared/features/two-factor/schema.ts'
import { isSecondFactorRequired } from './required.policy.ts'
import { findFactors } from './two-factor.repo.ts'
import type { PasskeyRow } from './two-factor.repo.ts'

/** The actor's own; nobody sees another's. */
export async function getTwoFactor(ctx: Ctx): Promise<z.infer<typeof twoFactor>> {
  const [{ totp, passkeys, recoveryCodesLeft }, settings] = await Promise.all([
    findFactors(ctx.db.orm, ctx.actor.userId),
    getPanelSettings(ctx),
  ])
  const required = isSecondFactorRequired(settings.twoFactor, ctx.actor.role)
  return { totp, passkeys: passkeys.map(toPasskey), recoveryCodesLeft, required }
}

const toPasskey = ({ id, name, backedUp, lastUsedAt, createdAt }: PasskeyRow): Passkey => ({
  id,
  name,
  backedUp,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})
