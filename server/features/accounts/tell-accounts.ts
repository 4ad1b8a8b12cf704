import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { LiveEvent } from '#shared/features/live/schema.ts'

const idsAtOnce = 50

/** Live news to the owners of these accounts, at the commit of the transaction. */
export async function tellAccounts(
  ctx: Ctx,
  db: Queryable,
  accounts: readonly { readonly id: string; readonly ownerId: string }[],
  ...kinds: LiveEvent['kind'][]
): Promise<void> {
  const byOwner = Map.groupBy(accounts, (account) => account.ownerId)
  for (const [ownerId, theirs] of byOwner) {
    // More than fit are told as 'anywhere'.
    const accountIds = theirs.length > idsAtOnce ? [] : theirs.map((account) => account.id)
    for (const kind of kinds) await ctx.events.publish(db, ownerId, { kind, accountIds })
  }
}
