import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import type { SharedThing } from './shares.repo.ts'

/** The owner's log, and the news to both, in the transaction that changes who has access; null: none. */
export async function tellShare(
  ctx: Ctx,
  tx: Transaction,
  thing: SharedThing,
  person: { readonly id: string; readonly username: string },
  { from, to }: { readonly from: ShareLevel | null; readonly to: ShareLevel | null },
): Promise<void> {
  await audit(tx, ctx, {
    action: 'update',
    entityType: thing.type,
    entityId: thing.id,
    entityName: thing.name,
    ownerId: thing.ownerId,
    details: { access: { user: person.username, from, to } },
  })
  for (const userId of [thing.ownerId, person.id]) await ctx.events.publish(tx, userId, 'shares')
}
