import type { UserActor } from '#server/platform/actor.ts'

/** Bearer sessions. The only file that knows lucia. */
export interface Sessions {
  /** The token is shown once; the database keeps its hash. */
  create(userId: string, from: { readonly address: string | null; readonly userAgent: string | null }): Promise<string>
  /** Null for an unknown, ended or outdated token. */
  find(token: string): Promise<UserActor | null>
  end(sessionId: string): Promise<void>
  endAllOf(userId: string, except?: string): Promise<void>
}
