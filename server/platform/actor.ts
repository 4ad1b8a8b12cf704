import type { Role } from '#shared/features/auth/schema.ts'

export interface UserActor {
  readonly kind: 'user'
  readonly userId: string
  readonly name: string
  readonly role: Role
  readonly sessionId: string
}

export interface SystemActor {
  readonly kind: 'system'
  readonly name: string
}

export type Actor = UserActor | SystemActor
