import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'

/** Live news to the owner, at the commit of the transaction. */
export const tellTrackers = (ctx: Pick<Ctx, 'events'>, db: Queryable, ownerId: string): Promise<void> =>
  ctx.events.publish(db, ownerId, { kind: 'trackers', accountIds: [] })
