import { openZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { TrackerCall } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { listBindings } from './bindings.repo.ts'
import { connectTracker } from './connect-tracker.ts'
import { noteDomain } from './sync-domains.ts'
import { findRemoteId } from './unbind-domain.ts'

/**
 * Lets the tracker check a domain again, and stores the result.
 * @throws AppError not_found, level_too_low, domain_not_bound, tracker_disabled, tracker_not_found, tracker_unable, and any other refusal by the
 * tracker
 */
export async function checkDomain(ctx: Ctx, { id }: { readonly id: string }, call: TrackerCall): Promise<void> {
  const zone = await openZone(ctx, id, 'operate')
  const [bound] = await listBindings(ctx.db.orm, [zone.id])
  if (bound === undefined) throw new AppError('domain_not_bound')
  const connected = await connectTracker(ctx, bound.tracker.id)
  const remoteId = await findRemoteId(connected, bound, zone.name, call)
  if (remoteId === null) throw new AppError('tracker_not_found')
  const found = await connected.connection.checkDomain(remoteId, call)
  await ctx.db.orm.transaction(async (tx) => {
    await noteDomain(ctx, tx, bound.tracker.id, found)
    await ctx.events.publish(tx, zone.ownerId, 'trackers')
  })
}
