import type { Transaction } from '#server/db/client.ts'
import { forgetChallenges } from '#server/features/two-factor/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Role } from '#shared/features/auth/schema.ts'
import { username } from '#shared/features/users/schema.ts'
import { endAccess } from './end-access.ts'
import { updateUserRow } from './users.repo.ts'
import type { UserRow } from './users.repo.ts'

/** Absent fields are unchanged. */
interface WantedUser {
  readonly username?: string | undefined
  readonly email?: string | undefined
  readonly name?: string | null | undefined
  readonly role?: Role | undefined
  readonly language?: string | null | undefined
  readonly spendLimitUsd?: number | null | undefined
  readonly passwordHash?: string | undefined
  /** On a password change their API tokens end too. */
  readonly revokeTokens?: boolean | undefined
  /** The state the change is based on. */
  readonly updatedAt?: string | undefined
}

const plain = ['username', 'email', 'name', 'role', 'language', 'spendLimitUsd'] as const
/** Fields that affect access, rights, spending or identity. */
const guarded: ReadonlySet<string> = new Set(['username', 'email', 'role', 'spendLimitUsd', 'passwordHash'])

/**
 * Changes a locked user and logs before and after. Another role or password ends their sessions and calendar URL, except the session that
 * changes its own password. A promotion to administrator revokes all tokens, because a token must not have more rights than at its
 * creation. An existing username stays valid even if it would not be accepted today.
 * @throws AppError conflict, validation_failed, email_taken, username_taken, and confirmation_needed or session_only for access-related
 * fields
 */
export async function changeUser(
  ctx: Ctx,
  tx: Transaction,
  row: UserRow,
  { updatedAt, passwordHash, revokeTokens = false, ...given }: WantedUser,
): Promise<void> {
  if (updatedAt !== undefined && updatedAt !== row.updatedAt.toISOString()) throw new AppError('conflict')
  const wanted = { ...given, ...(given.name === undefined ? {} : { name: given.name || null }) }
  const keys = plain.filter((key) => wanted[key] !== undefined && wanted[key] !== row[key])
  if (keys.length === 0 && passwordHash === undefined) return
  if (keys.includes('username') && !username.safeParse(wanted.username).success)
    throw new AppError('validation_failed', { issues: [{ path: 'username', message: 'invalid_username' }] })
  if (passwordHash !== undefined || keys.some((key) => guarded.has(key))) requireRecentAuth(ctx)
  const changes = Object.fromEntries(keys.map((key) => [key, wanted[key]]))
  await updateUserRow(tx, row.id, { ...changes, ...(passwordHash === undefined ? {} : { passwordHash }) })
  const roleChanged = keys.includes('role')
  await audit(tx, ctx, {
    action: 'update',
    entityType: 'user',
    entityId: row.id,
    entityName: row.email,
    ownerId: row.id,
    details: {
      ...Object.fromEntries(keys.map((key) => [key, { from: row[key], to: wanted[key] }])),
      ...(passwordHash === undefined ? {} : { password: 'changed' }),
    },
  })
  if (roleChanged || passwordHash !== undefined) {
    const except = !roleChanged && row.id === ctx.actor.userId ? ctx.actor.sessionId : undefined
    await endAccess(ctx, tx, row.id, {
      except,
      tokens: (revokeTokens && passwordHash !== undefined) || (roleChanged && wanted.role === 'admin'),
    })
    await forgetChallenges(tx, row.id)
  }
  await ctx.events.publish(tx, row.id, 'users')
}
