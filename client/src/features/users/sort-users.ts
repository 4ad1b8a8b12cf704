import type { ManagedUser } from '#shared/features/users/schema.ts'
import type { Sort } from '#client/ui/data-table.types.ts'

const keys: Record<string, (user: ManagedUser) => string | number> = {
  username: ({ username }) => username.toLowerCase(),
  email: ({ email }) => email,
  role: ({ role }) => role,
  accountsCount: ({ accountsCount }) => accountsCount,
  registrarsCount: ({ registrarsCount }) => registrarsCount,
  domainsCount: ({ domainsCount }) => domainsCount,
  groupsCount: ({ groupsCount }) => groupsCount,
  secured: ({ secured }) => Number(secured),
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt ?? '',
  createdAt: ({ createdAt }) => createdAt,
}

/** The users are all here, so they are sorted here; equal ones by user name. */
export function sortUsers(users: readonly ManagedUser[], { key, direction }: Sort): readonly ManagedUser[] {
  const value = keys[key] ?? ((user: ManagedUser) => user.username)
  const sign = direction === 'asc' ? 1 : -1
  return users.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    return left === right ? a.username.localeCompare(b.username) : left < right ? -sign : sign
  })
}
