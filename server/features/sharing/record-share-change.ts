import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import type { SharedObject } from './shares.repo.ts'

/** Writes the owner's activity entry and the change events of both, in the transaction that changes the grant; null: no grant. */
export async function recordShareChange(
  ctx: Ctx,
  tx: Transaction,
  target: SharedObject,
  person: { readonly id: string; readonly username: string },
  { from, to }: { readonly from: ShareLevel | null; readonly to: ShareLevel | null },
): Promise<void> {
  await audit(tx, ctx, {
    action: 'update',
    entityType: target.type,
    entityId: target.id,
    entityName: target.name,
    ownerId: target.ownerId,
    details: { access: { user: person.username, from, to } },
  })
  for (const userId of [target.ownerId, person.id]) await ctx.events.publish(tx, userId, 'shares')
}
