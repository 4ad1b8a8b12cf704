import type { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Role } from '#shared/features/auth/schema.ts'
import type { TwoFactorPolicy } from '#shared/features/settings/schema.ts'
import type { Passkey, twoFactor } from '#shared/features/two-factor/schema.ts'
import { findFactors } from './two-factor.repo.ts'
import type { PasskeyRow } from './two-factor.repo.ts'

/** Whether the panel's policy requires a second factor of this person. `sessions.repo.ts` has the same rule in SQL. */
export const isSecondFactorRequired = (policy: TwoFactorPolicy, role: Role): boolean =>
  policy === 'everyone' || (policy === 'admins' && role === 'admin')

/** The actor's own factors, visible to no one else. */
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

export async function hasSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  const { totp, passkeys } = await findFactors(db, userId)
  return totp || passkeys.length > 0
}
