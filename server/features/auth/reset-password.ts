import { findUserByEmail, updatePassword } from '#server/features/auth/auth.repo.ts'
import { forgetChallenges } from '#server/features/two-factor/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { refuseOwnPassword } from '#server/platform/refuse-own-password.ts'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * An operator's: sets a new password and ends every session of that person.
 * @throws AppError not_found, validation_failed
 */
export async function resetPassword(ctx: Ctx<Actor>, input: { readonly email: string; readonly password: string }): Promise<void> {
  const user = await findUserByEmail(ctx.db.orm, input.email)
  if (user === null) throw new AppError('not_found')
  refuseOwnPassword(input.password, user)
  const passwordHash = await hashPassword(input.password)
  await ctx.db.orm.transaction(async (tx) => {
    await updatePassword(tx, user.id, passwordHash)
    await ctx.sessions.endAllOf(tx, user.id)
    await forgetChallenges(tx, user.id)
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'user',
      entityId: user.id,
      entityName: user.email,
      ownerId: user.id,
      details: { changed: ['password'] },
    })
  })
  await ctx.limiter.forget(`login:email:${user.email}`)
}
