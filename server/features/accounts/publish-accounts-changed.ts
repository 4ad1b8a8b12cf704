import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { LiveKind } from '#shared/features/live/schema.ts'

/** Publishes live events to the owners of these accounts when the transaction commits. */
export async function publishAccountsChanged(
  ctx: Ctx,
  db: Queryable,
  accounts: readonly { readonly id: string; readonly ownerId: string }[],
  ...kinds: LiveKind[]
): Promise<void> {
  const byOwner = Map.groupBy(accounts, (account) => account.ownerId)
  for (const [ownerId, theirs] of byOwner) {
    const accountIds = theirs.map((account) => account.id)
    await ctx.events.publish(db, ownerId, kinds, accountIds)
  }
}
