import type { TokenScope } from '#shared/features/api-tokens/schema.ts'
import type { Role, SessionProof } from '#shared/features/auth/schema.ts'

export interface UserActor {
  readonly kind: 'user'
  readonly userId: string
  readonly name: string
  readonly role: Role
  /** Empty for a token and in an operation. */
  readonly sessionId: string
  /** When a password or a second factor was last given in this session; null for a token and in an operation. */
  readonly verifiedAt: Date | null
  /** The method of that authentication; absent if there was none. */
  readonly verifiedBy?: SessionProof
  /** The person has a second factor, so step-up authentication requires it; absent for a token and in an operation. */
  readonly hasSecondFactor?: boolean
  /** The panel requires a second factor and this person has none yet. */
  readonly secondFactorDue?: boolean
  /** Others share something with the person; absent if not loaded. */
  readonly hasGrants?: boolean
  /** What acts on behalf of the person, if not the person directly. */
  readonly via?:
    | { readonly kind: 'token'; readonly id: string; readonly name: string; readonly scope: TokenScope }
    | { readonly kind: 'operation'; readonly id: string }
}

export interface SystemActor {
  readonly kind: 'system'
  readonly name: string
}

export type Actor = UserActor | SystemActor
