import type { Ctx } from '#server/platform/context.ts'
import type { TrackerCall } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { findTracked, markArchived } from './bindings.repo.ts'
import { connectTracker } from './connect-tracker.ts'
import type { ConnectedTracker } from './connect-tracker.ts'
import { requestEarlierSync, upsertDomains } from './tracker-domains.repo.ts'
import { lockAsked } from './trackers.repo.ts'

/** How long the tracker's list is trusted, so that one reading serves all domains archived together. */
const believedForMs = 60_000

interface Tracked {
  /** The tracker's id of the domain when it was selected. */
  readonly remoteId: string
  /** Punycode, lower case. */
  readonly name: string
}

/**
 * Whether this id still belongs to this domain in the tracker; the list is read unless it is recent. After a reinstallation the id may belong to
 * another domain. False: the domain is no longer there.
 * @throws AppError tracker_domain_changed when the id is another domain's, or the domain has another id
 */
async function isThere(
  ctx: Ctx,
  { tracker, connection }: ConnectedTracker,
  { remoteId, name }: Tracked,
  call: TrackerCall,
): Promise<boolean> {
  const startedAt = ctx.clock.now()
  const known = await findTracked(ctx.db.orm, { trackerId: tracker.id, remoteId })
  if (known?.name === name && known.goneAt === null && startedAt - known.seenAt.getTime() < believedForMs) return true
  const domains = await connection.listDomains(call)
  const found = domains.find(({ id }) => id === remoteId)
  const isChanged = found === undefined ? domains.some((each) => each.name === name && !each.archived) : found.name !== name
  const isStillAsked = await ctx.db.orm.transaction(async (tx) => {
    if (!(await lockAsked(tx, tracker))) return false
    if (isChanged) await requestEarlierSync(tx, tracker.id, new Date(startedAt))
    await upsertDomains(tx, tracker.id, domains, new Date(startedAt))
    return true
  })
  if (isChanged || !isStillAsked) throw new AppError('tracker_domain_changed')
  return found !== undefined
}

/**
 * Archives a tracker's domain that no zone is bound to. Idempotent: a domain that is already gone is not an error.
 * @throws AppError not_found, level_too_low, tracker_disabled, tracker_domain_changed, and any refusal by the tracker
 */
export async function archiveTracked(
  ctx: Ctx,
  { trackerId, ...tracked }: Tracked & { readonly trackerId: string },
  call: TrackerCall,
): Promise<void> {
  const connected = await connectTracker(ctx, trackerId, 'manage')
  const { tracker, connection } = connected
  if (await isThere(ctx, connected, tracked, call)) await connection.archiveDomain(tracked.remoteId, call)
  await ctx.db.orm.transaction(async (tx) => {
    await markArchived(tx, { trackerId, remoteId: tracked.remoteId }, !connection.able.restore)
    await ctx.events.publish(tx, tracker.ownerId, 'trackers')
  })
}
