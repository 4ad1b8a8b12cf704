import type { Queryable } from '#server/db/client.ts'
import type { Events } from '#server/platform/events.ts'

/** Live news of a user to administrators and to themselves, at the commit of the transaction. */
export const tellUser = ({ events }: { readonly events: Events }, tx: Queryable, userId: string): Promise<void> =>
  events.publish(tx, userId, { kind: 'users', accountIds: [] })
