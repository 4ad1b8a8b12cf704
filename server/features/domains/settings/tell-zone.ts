import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'

/** Live news of one zone, at the commit of the transaction. */
export const tellZone = (ctx: Ctx, db: Queryable, zone: { readonly ownerId: string; readonly accountId: string }): Promise<void> =>
  ctx.events.publish(db, zone.ownerId, { kind: 'domains', accountIds: [zone.accountId] })
