import type { Role } from '#shared/features/auth/schema.ts'
import type { UserState } from '#shared/features/users/schema.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'

/** The URL parameters of the users page. */
export interface UsersSearch {
  q?: string
  role?: Role
  state?: UserState
}

export function parseUsersSearch(raw: unknown): UsersSearch {
  const { text, oneOf } = searchParams(raw)
  return compact<UsersSearch>({ q: text('q'), role: oneOf('role', ['admin', 'user']), state: oneOf('state', ['active', 'disabled']) })
}
