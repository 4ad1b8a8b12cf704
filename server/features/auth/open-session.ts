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
 * Creates a session for a person authenticated by `by`. Password or factors may have changed in the meantime, so they are compared with the
 * current user, locked until the transaction ends.
 * @returns null if the password is no longer sufficient because a second factor was set up
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

/** Reports whether the panel requires a second factor the person lacks. After the transaction, because it uses the pool. */
export async function markSecondFactorDue(ctx: Ctx<Actor | null>, signed: z.infer<typeof signedIn>): Promise<z.infer<typeof signedIn>> {
  const { twoFactor } = await getPanelSettings(ctx)
  return isSecondFactorRequired(twoFactor, signed.user.role) ? { ...signed, secondFactorDue: true } : signed
}

/** Ends the session immediately, so that its token is invalid. */
export async function logout(ctx: Ctx): Promise<{ success: true }> {
  const { userId, sessionId, name } = ctx.actor
  await ctx.db.orm.transaction(async (tx) => {
    await ctx.sessions.end(tx, sessionId)
    await audit(tx, ctx, { action: 'logout', entityType: 'user', entityId: userId, entityName: name, ownerId: userId })
  })
  ctx.cookies?.clear('session')
  return { success: true }
}
