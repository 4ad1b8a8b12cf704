import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { refuseOwnPassword } from '#shared/features/auth/weak-password.ts'
import type { ManagedUser, NewUserFields } from '#shared/features/users/schema.ts'
import { toManagedUser } from './list-users.ts'
import { getShown, insertUser } from './users.repo.ts'

/**
 * Creates a user even if registration is closed.
 * @throws AppError email_taken, username_taken, confirmation_needed, session_only, validation_failed if the password is their own name
 */
export async function createUser(ctx: Ctx, { password, name, language, ...fields }: NewUserFields): Promise<{ user: ManagedUser }> {
  requireRecentAuth(ctx)
  refuseOwnPassword(password, { ...fields, name })
  const passwordHash = await hashPassword(password)
  return ctx.db.orm.transaction(async (tx) => {
    const shown = { ...fields, name: name || null, language: language ?? null }
    const { id } = await insertUser(tx, { ...shown, passwordHash })
    await audit(tx, ctx, { action: 'create', entityType: 'user', entityId: id, entityName: fields.email, ownerId: id, details: shown })
    await ctx.events.publish(tx, id, 'users')
    return { user: toManagedUser(await getShown(tx, id)) }
  })
}
