import type { Queryable } from '#server/db/client.ts'
import type { Events } from '#server/platform/events.ts'
import { listPeopleBehind } from '#server/platform/reach.repo.ts'
import type { Leaving } from '#server/platform/reach.repo.ts'

/** Publishes a change, at the commit, to those whose shares go with what is about to be deleted. To be called before: the shares go first. */
export async function publishSharesChanged({ events }: { readonly events: Events }, tx: Queryable, leaving: Leaving): Promise<void> {
  for (const userId of await listPeopleBehind(tx, leaving)) await events.publish(tx, userId, 'shares')
}
