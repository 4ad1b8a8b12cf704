import type { Queryable } from '#server/db/client.ts'
import type { Services } from '#server/platform/context.ts'
import type { TrackedDomain } from '#server/ports/ad-tracker.ts'
import { hastenSync, upsertDomains } from './tracker-domains.repo.ts'

/** Many domains are changed one after another, and read together: by then the tracker has looked at them, too. */
const rereadMs = 60_000

/** What a tracker has just told of one of its domains is known at once; the whole list is read again soon. One domain a transaction. */
export async function noteDomain(ctx: Pick<Services, 'clock'>, db: Queryable, trackerId: string, domain: TrackedDomain): Promise<void> {
  const now = ctx.clock.now()
  // The tracker before its domains, as the reading of the whole list locks them.
  await hastenSync(db, trackerId, new Date(now + rereadMs))
  await upsertDomains(db, trackerId, [domain], new Date(now))
}
