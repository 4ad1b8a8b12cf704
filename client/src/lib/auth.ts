import type { User } from '#shared/features/auth/schema.ts'
import { persisted } from './store.ts'

interface Auth {
  user: User | null
  token: string | null
  isAuthenticated: boolean
}

const nobody: Auth = { user: null, token: null, isAuthenticated: false }

export const auth = persisted<Auth>('zonedeck.auth', (stored) => {
  const value = stored as Partial<Auth> | undefined
  return value?.isAuthenticated && value.token && value.user ? { user: value.user, token: value.token, isAuthenticated: true } : nobody
})

export const setAuth = (signedIn: { user: User; token: string }): void =>
  auth.set({ user: signedIn.user, token: signedIn.token, isAuthenticated: true })

export const clearAuth = (): void => auth.set(nobody)
