import { serializeZoneChanges, openZone } from '#server/features/domains/index.ts'
import type { ZoneChangeOptions } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevelOfSeen } from '#server/platform/access-scope.ts'
import type { TrackerCall } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { bindDomain, forgetBinding, isGoneThere } from './bind-domain.ts'
import { findLastTracked, listBindings, markArchived } from './bindings.repo.ts'
import type { BoundZone } from './bindings.repo.ts'
import { connectTracker } from './connect-tracker.ts'
import type { ConnectedTracker } from './connect-tracker.ts'

/** A domain's id in its tracker; the tracker's list is read when the panel does not know it. Null: it is not there. */
export async function findRemoteId(
  { connection }: ConnectedTracker,
  { remoteId, domain }: Pick<BoundZone, 'remoteId' | 'domain'>,
  name: string,
  call: TrackerCall,
): Promise<string | null> {
  if (remoteId !== null && domain?.name === name) return remoteId
  return (await connection.listDomains(call)).find((each) => each.name === name && !each.archived)?.id ?? null
}

/**
 * Unbinds a domain and archives it in the tracker, unless `archive` is false: then the tracker is not called. A domain that is already gone is not an
 * error. With `trackerId`, only from that tracker. Idempotent.
 * @throws AppError not_found, level_too_low, domain_not_bound, tracker_disabled when it must be called, and any refusal by the tracker: then it stays
 * bound
 */
export async function unbindDomain(
  ctx: Ctx,
  { id, archive, trackerId }: { readonly id: string; readonly archive: boolean; readonly trackerId?: string },
  { call, history }: { readonly call: TrackerCall; readonly history?: ZoneChangeOptions },
): Promise<void> {
  const zone = await openZone(ctx, id, 'operate')
  await serializeZoneChanges(`tracker ${zone.id}`, async () => {
    const [bound] = await listBindings(ctx.db.orm, [zone.id])
    if (bound === undefined || (trackerId !== undefined && bound.tracker.id !== trackerId)) throw new AppError('domain_not_bound')
    await requireLevelOfSeen(ctx, { ownerId: zone.ownerId, trackerId: bound.tracker.id }, 'operate')
    if (!archive || isGoneThere(bound)) return forgetBinding(ctx, zone, bound, history)
    const connected = await connectTracker(ctx, bound.tracker.id)
    const remoteId = await findRemoteId(connected, bound, zone.name, call)
    if (remoteId !== null) await connected.connection.archiveDomain(remoteId, call)
    await forgetBinding(ctx, zone, bound, history, async (tx) => {
      if (remoteId !== null) await markArchived(tx, { trackerId: bound.tracker.id, remoteId }, !connected.connection.able.restore)
    })
  })
}

/**
 * Restores an earlier binding as last listed in the tracker, or unbinds. Does nothing when it already matches.
 * @throws AppError as `bindDomain` and `unbindDomain`
 */
export async function rebindDomain(
  ctx: Ctx,
  { id, trackerId }: { readonly id: string; readonly trackerId: string | null },
  options: { readonly call: TrackerCall; readonly history: ZoneChangeOptions },
): Promise<void> {
  const [bound] = await listBindings(ctx.db.orm, [id])
  if (bound !== undefined && bound.tracker.id !== trackerId) await unbindDomain(ctx, { id, archive: true }, options)
  if (trackerId === null) return
  const { name } = await openZone(ctx, id, 'operate')
  const { campaignId = null, groupId = null, sslRedirect = null } = (await findLastTracked(ctx.db.orm, trackerId, name)) ?? {}
  await bindDomain(ctx, { id, trackerId, campaignId, groupId, sslRedirect: sslRedirect === true }, { ...options, again: true })
}
