import type { Role } from '#shared/features/auth/schema.ts'
import type { UserState } from '#shared/features/users/schema.ts'

/** What the page of users keeps in its address. */
export interface UsersSearch {
  q?: string
  role?: Role
  state?: UserState
}

/** Reads anything at all; what is not understood is left out. */
export function parseUsersSearch(raw: unknown): UsersSearch {
  const part = (key: string): unknown => (typeof raw === 'object' && raw !== null ? new Map(Object.entries(raw)).get(key) : undefined)
  const [q, role, state] = [part('q'), part('role'), part('state')]
  // The router has read a number out of the address where there was one.
  const text = typeof q === 'string' ? q : typeof q === 'number' ? String(q) : ''
  return {
    ...(text !== '' && { q: text.slice(0, 255) }),
    ...((role === 'admin' || role === 'user') && { role }),
    ...((state === 'active' || state === 'disabled') && { state }),
  }
}
