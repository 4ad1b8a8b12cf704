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
  /** What that was; absent where nothing was. */
  readonly verifiedBy?: SessionProof
  /** The person has a second factor, so that step-up authentication asks for it; absent for a token and in an operation. */
  readonly hasSecondFactor?: boolean
  /** The panel asks a second factor of this person, who has none yet. */
  readonly secondFactorDue?: boolean
  /** Others share something with the person; absent where it is to be asked. */
  readonly hasGrants?: boolean
  /** What acts for the person where they do not themselves. */
  readonly via?:
    | { readonly kind: 'token'; readonly id: string; readonly name: string; readonly scope: TokenScope }
    | { readonly kind: 'operation'; readonly id: string }
}

export interface SystemActor {
  readonly kind: 'system'
  readonly name: string
}

export type Actor = UserActor | SystemActor
