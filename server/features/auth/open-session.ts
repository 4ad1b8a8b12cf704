import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import type { SignInRow } from '#server/features/auth/auth.repo.ts'
import { actorOf, toUser } from '#server/features/auth/create-user.ts'
import { isSecondFactorRequired } from '#server/features/two-factor/index.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { signedIn } from '#shared/features/auth/schema.ts'

/** For somebody who has shown all that is asked of them; `by` is how, for the log. */
export async function openSession(
  ctx: Ctx<Actor | null>,
  tx: Transaction,
  user: SignInRow,
  by: 'password' | 'totp' | 'recovery' | 'passkey',
): Promise<z.infer<typeof signedIn>> {
  const token = await ctx.sessions.create(tx, user.id, ctx)
  const entry = { entityType: 'user', entityId: user.id, entityName: user.email, ownerId: user.id } as const
  await audit(tx, { ...ctx, actor: actorOf(user) }, { ...entry, action: 'login', ...(by === 'password' ? {} : { details: { by } }) })
  return { token, user: toUser(user) }
}

/** Says to somebody without a second factor whether the panel wants one. After the transaction, because it asks the pool. */
export async function tellWhetherDue(ctx: Ctx<Actor | null>, signed: z.infer<typeof signedIn>): Promise<z.infer<typeof signedIn>> {
  const { twoFactor } = await getPanelSettings(ctx)
  return isSecondFactorRequired(twoFactor, signed.user.role) ? { ...signed, secondFactorDue: true } : signed
}
