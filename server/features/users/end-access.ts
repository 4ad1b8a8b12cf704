import type { Transaction } from '#server/db/client.ts'
import { revokeTokensOf } from '#server/features/api-tokens/index.ts'
import { endCalendarFeedOf } from '#server/features/registrars/index.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'

interface EndedAccess {
  /** Deletes the person's calendar URL. */
  readonly feedEnded: boolean
  readonly tokensRevoked: number
}

/**
 * Signs a person out everywhere: ends every session except `except`, and the calendar URL, which is a credential too. API tokens stay
 * unless requested otherwise, because clients would stop working.
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
