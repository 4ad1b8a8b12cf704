import type { Transaction } from '#server/db/client.ts'
import { revokeTokensOf } from '#server/features/api-tokens/index.ts'
import { endCalendarFeedOf } from '#server/features/registrars/index.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'

interface EndedAccess {
  /** The person's calendar had an address, which leads nowhere now. */
  readonly feedEnded: boolean
  readonly tokensRevoked: number
}

/**
 * Signs a person out everywhere: every session but `except` ends, and with them the address of their calendar, which is a credential too.
 * API tokens stay unless they are to go: programs of theirs would stop.
 */
export async function endAccess(
  ctx: Pick<Services, 'sessions'> & AuditSource,
  tx: Transaction,
  userId: string,
  { except, tokens }: { readonly except?: string | undefined; readonly tokens: boolean },
): Promise<EndedAccess> {
  await ctx.sessions.endAllOf(tx, userId, except)
  const feedEnded = await endCalendarFeedOf(ctx, tx, userId)
  return { feedEnded, tokensRevoked: tokens ? await revokeTokensOf(ctx, tx, userId) : 0 }
}
