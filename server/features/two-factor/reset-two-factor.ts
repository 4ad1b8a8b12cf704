import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import {
  deleteChallengesOf,
  deletePasskeysOf,
  deleteRecoveryCodes,
  deleteTotp,
  findPerson,
  findPersonByEmail,
  lockPerson,
} from './two-factor.repo.ts'

/**
 * For a person who lost phone and codes: the password is sufficient to sign in again, and their sessions end.
 * @throws AppError not_found
 */
export async function resetTwoFactor(
  ctx: Ctx<Actor>,
  whose: { readonly userId: string } | { readonly email: string },
): Promise<{ success: true }> {
  const { orm } = ctx.db
  const person = await ('userId' in whose ? findPerson(orm, whose.userId) : findPersonByEmail(orm, whose.email))
  if (person === null) throw new AppError('not_found')
  await orm.transaction(async (tx) => {
    await lockPerson(tx, person.id)
    await Promise.all([deleteTotp(tx, person.id), deletePasskeysOf(tx, person.id), deleteRecoveryCodes(tx, person.id)])
    await deleteChallengesOf(tx, person.id)
    await ctx.sessions.endAllOf(tx, person.id)
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'user',
      entityId: person.id,
      entityName: person.email,
      ownerId: person.id,
      details: { secondFactor: 'all', change: 'removed' },
    })
    await ctx.events.publish(tx, person.id, 'users')
  })
  await ctx.limiter.forgetAll(`second-factor:${person.id}`)
  return { success: true }
}

/**
 * The same by an administrator after step-up authentication.
 * @throws AppError confirmation_needed, not_found
 */
export async function resetTwoFactorOf(ctx: Ctx, whose: { readonly userId: string }): Promise<{ success: true }> {
  requireRecentAuth(ctx)
  return resetTwoFactor(ctx, whose)
}
