import { findUserByEmail, updatePassword } from '#server/features/auth/auth.repo.ts'
import { forgetChallenges } from '#server/features/two-factor/index.ts'
import { endAccess } from '#server/features/users/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { forgetSignIns } from '#server/platform/attempts.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { refuseOwnPassword } from '#shared/features/auth/weak-password.ts'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * For operators: sets a new password and ends every session and the calendar URL of that person, with `revokeTokens` also their API tokens.
 * @throws AppError not_found, validation_failed
 */
export async function resetPassword(
  ctx: Ctx<Actor>,
  { revokeTokens = false, ...input }: { readonly email: string; readonly password: string; readonly revokeTokens?: boolean | undefined },
): Promise<{ readonly disabled: boolean }> {
  const user = await findUserByEmail(ctx.db.orm, input.email)
  if (user === null) throw new AppError('not_found')
  refuseOwnPassword(input.password, user)
  const passwordHash = await hashPassword(input.password)
  await ctx.db.orm.transaction(async (tx) => {
    await updatePassword(tx, user.id, passwordHash)
    await forgetChallenges(tx, user.id)
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'user',
      entityId: user.id,
      entityName: user.email,
      ownerId: user.id,
      details: { changed: ['password'] },
    })
    await endAccess(ctx, tx, user.id, { tokens: revokeTokens })
  })
  await forgetSignIns(ctx, user.email)
  return { disabled: user.disabledAt !== null }
}
