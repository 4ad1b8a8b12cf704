import { forgetSignIns } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { refuseOwnPassword } from '#shared/features/auth/weak-password.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ManagedUser, UserChanges } from '#shared/features/users/schema.ts'
import { changeUser } from './change-user.ts'
import { toManagedUser } from './list-users.ts'
import { getShown, hasOtherAdmin, lockWithAdmins } from './users.repo.ts'

/** @throws AppError not_found, conflict, last_admin, email_taken, username_taken, confirmation_needed, session_only, validation_failed */
export async function updateUser(ctx: Ctx, { id, password, revokeTokens, ...given }: UserChanges): Promise<{ user: ManagedUser }> {
  const withPassword = password !== undefined && password !== ''
  // Hashing is slow: only permitted callers may cause it, and no lock may wait for it.
  if (withPassword) requireRecentAuth(ctx)
  const passwordHash = withPassword ? await hashPassword(password) : undefined
  const { user, row } = await ctx.db.orm.transaction(async (tx) => {
    const locked = await lockWithAdmins(tx, [id])
    const row = locked.find((each) => each.id === id.toLowerCase())
    if (row === undefined) throw new AppError('not_found')
    const demoted = row.role === 'admin' && given.role !== undefined && given.role !== 'admin'
    if (demoted && !hasOtherAdmin(locked, new Set([row.id]))) throw new AppError('last_admin')
    if (withPassword) refuseOwnPassword(password, { username: row.username, email: row.email, name: row.name, ...given })
    await changeUser(ctx, tx, row, { ...given, passwordHash, revokeTokens })
    return { user: await getShown(tx, row.id), row }
  })
  if (withPassword) await forgetSignIns(ctx, row.email)
  return { user: toManagedUser(user) }
}
