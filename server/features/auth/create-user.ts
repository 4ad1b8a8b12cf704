import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import { usernameBase, usernameFor } from '#server/features/auth/auth.policy.ts'
import { findUserByEmail, hasUsers, listUsernamesFrom, lockRegistration } from '#server/features/auth/auth.repo.ts'
import type { SignInRow, UserRow } from '#server/features/auth/auth.repo.ts'
import { insertUser } from '#server/features/users/index.ts'
import type { Role, user } from '#shared/features/auth/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { personLabel } from '#shared/features/users/person-label.ts'

interface NewUser {
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  /** `open`: anyone may register. `closed`: only the first person may. A role: created by an operator. */
  readonly as: 'open' | 'closed' | Role
}

/**
 * The first user is the administrator, later ones are users unless a role is given.
 * @throws AppError registration_closed, email_taken
 */
export async function createUser(tx: Transaction, { email, name, passwordHash, as }: NewUser): Promise<UserRow> {
  await lockRegistration(tx)
  const first = !(await hasUsers(tx))
  if (as === 'closed' && !first) throw new AppError('registration_closed')
  if ((await findUserByEmail(tx, email)) !== null) throw new AppError('email_taken')
  const username = usernameFor(email, await listUsernamesFrom(tx, usernameBase(email)))
  const role = as === 'admin' || as === 'user' ? as : first ? 'admin' : 'user'
  return insertUser(tx, { username, email, name, passwordHash, role })
}

export const toUser = ({ id, username, name, email, role, createdAt }: SignInRow): z.infer<typeof user> => ({
  id,
  username,
  name,
  email,
  role,
  createdAt: createdAt.toISOString(),
})

/** A person as named in the activity log. */
export const actorOf = (user: SignInRow) => ({ kind: 'user' as const, userId: user.id, name: personLabel(user) })
