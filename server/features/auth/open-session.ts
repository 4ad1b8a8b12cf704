import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import { lockSignIn } from '#server/features/auth/auth.repo.ts'
import type { SignInRow } from '#server/features/auth/auth.repo.ts'
import { actorOf, toUser } from '#server/features/auth/create-user.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import { isSecondFactorRequired } from '#server/features/two-factor/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { rememberDevice } from '#server/platform/known-device.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { SessionProof, signedIn } from '#shared/features/auth/schema.ts'

/**
 * For somebody who has proved by `by` that it is them. What they proved may have been changed meanwhile, by a change of the password or by
 * an administrator: it is compared with the person as they are now, who stay so until the transaction ends.
 * @returns null where the password was enough when it was checked and is not any more, because there is a second factor by now
 * @throws AppError user_disabled, invalid_credentials
 */
export async function openSession(
  ctx: Ctx<Actor | null>,
  tx: Transaction,
  user: SignInRow,
  by: SessionProof,
): Promise<z.infer<typeof signedIn> | null> {
  const now = await lockSignIn(tx, user.id)
  if (now === null || (by === 'password' && now.passwordHash !== user.passwordHash)) throw new AppError('invalid_credentials')
  if (now.disabledAt !== null) throw new AppError('user_disabled')
  if (by === 'password' && now.hasFactor) return null
  const token = await ctx.sessions.create(tx, user.id, ctx, by)
  rememberDevice(ctx, user.id)
  const entry = { entityType: 'user', entityId: user.id, entityName: user.email, ownerId: user.id } as const
  await audit(tx, { ...ctx, actor: actorOf(user) }, { ...entry, action: 'login', ...(by === 'password' ? {} : { details: { by } }) })
  return { token: ctx.cookies?.keepSession(token) ?? token, user: toUser(user) }
}

/** Says to somebody without a second factor whether the panel wants one. After the transaction, because it asks the pool. */
export async function markSecondFactorDue(ctx: Ctx<Actor | null>, signed: z.infer<typeof signedIn>): Promise<z.infer<typeof signedIn>> {
  const { twoFactor } = await getPanelSettings(ctx)
  return isSecondFactorRequired(twoFactor, signed.user.role) ? { ...signed, secondFactorDue: true } : signed
}

/** Ends the session here, so that its token is worth nothing any more. */
export async function logout(ctx: Ctx): Promise<{ success: true }> {
  const { userId, sessionId, name } = ctx.actor
  await ctx.db.orm.transaction(async (tx) => {
    await ctx.sessions.end(tx, sessionId)
    await audit(tx, ctx, { action: 'logout', entityType: 'user', entityId: userId, entityName: name, ownerId: userId })
  })
  ctx.cookies?.clear('session')
  return { success: true }
}
