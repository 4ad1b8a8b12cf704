import { createUser } from '#server/features/auth/create-user.ts'
import type { UserRow } from '#server/features/auth/auth.repo.ts'
import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { hashPassword } from '#server/platform/passwords.ts'
import { refuseOwnPassword } from '#shared/features/auth/weak-password.ts'
import type { Role } from '#shared/features/auth/schema.ts'

/**
 * Creates a user even if registration is closed.
 * @throws AppError email_taken, validation_failed
 */
export async function createUserByOperator(
  ctx: Ctx<Actor>,
  input: { readonly email: string; readonly name: string | null; readonly password: string; readonly role: Role },
): Promise<UserRow> {
  refuseOwnPassword(input.password, input)
  const passwordHash = await hashPassword(input.password)
  return ctx.db.orm.transaction(async (tx) => {
    const user = await createUser(tx, { email: input.email, name: input.name, passwordHash, as: input.role })
    await audit(tx, ctx, {
      action: 'create',
      entityType: 'user',
      entityId: user.id,
      entityName: user.email,
      ownerId: user.id,
      details: { role: user.role },
    })
    await ctx.events.publish(tx, user.id, 'users')
    return user
  })
}
