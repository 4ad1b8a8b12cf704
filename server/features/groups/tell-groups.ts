import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'

const idsAtOnce = 50

/**
 * Live news at the commit of the transaction. Lists of domains show the groups' names and colours, so news of a group is news of
 * domains; without accounts, of any of them.
 */
export const tellGroups = (ctx: Ctx, db: Queryable, ownerId: string, accountIds: readonly string[] = []): Promise<void> =>
  ctx.events.publish(db, ownerId, { kind: 'domains', accountIds: accountIds.length > idsAtOnce ? [] : [...accountIds] })
