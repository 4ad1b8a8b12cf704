import { serializeZoneChanges, openZone, recordZoneChange } from '#server/features/domains/index.ts'
import type { OpenZone, ZoneChangeOptions } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { TrackedDomain, TrackerAbilities, TrackerCall } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { deleteBinding, deleteClaim, insertClaim, listBindings, listTracked, lockBinding, updateRemoteId } from './bindings.repo.ts'
import type { BoundZone, TrackerDomainRow } from './bindings.repo.ts'
import { connectTracker } from './connect-tracker.ts'
import type { ConnectedTracker } from './connect-tracker.ts'
import { noteDomain } from './sync-domains.ts'

/** How a domain is bound; null leaves a value unchanged in the tracker, or unset for a new domain. */
export interface BindOrder {
  /** The panel's zone id. */
  readonly id: string
  readonly trackerId: string
  readonly campaignId?: string | null
  readonly groupId?: string | null
  readonly sslRedirect?: boolean
}

interface BindOptions {
  readonly call: TrackerCall
  readonly history?: ZoneChangeOptions
  /** An earlier attempt may have succeeded, so an existing binding in this tracker is not an error. */
  readonly again?: boolean
}

/** The tracker examined the request and does not have the domain. */
const notTaken: ReadonlySet<string> = new Set(['tracker_rejected', 'tracker_unable'])

/** Bound here but missing from the tracker's list, so that it can be bound again. */
export const isGoneThere = ({ domain }: Pick<BoundZone, 'domain'>): boolean =>
  domain !== null && (domain.archived || domain.goneAt !== null)

/** What has to change in the tracker to match the order, as far as its software supports it. */
export function changeFor(
  known: Pick<TrackerDomainRow, 'campaignId' | 'groupId' | 'sslRedirect'>,
  { campaignId = null, groupId = null, sslRedirect = false }: Omit<BindOrder, 'id' | 'trackerId'>,
  able: Pick<TrackerAbilities, 'campaign' | 'group' | 'sslRedirect'> = { campaign: true, group: true, sslRedirect: true },
) {
  return {
    ...(able.campaign && campaignId !== null && campaignId !== known.campaignId ? { campaignId } : {}),
    ...(able.group && groupId !== null && groupId !== known.groupId ? { groupId } : {}),
    ...(able.sslRedirect && sslRedirect && known.sslRedirect !== true ? { sslRedirect } : {}),
  }
}

/** How the tracker is recorded in a domain's history. */
const shown = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })

/** Its id in the tracker, and the tracker's response if it was called. */
interface There {
  readonly remoteId: string
  readonly answer: TrackedDomain | null
}

/** Creates or updates the domain in the tracker; one that already matches in the last list is only linked, with as few calls as possible. */
async function makeThere(
  ctx: Ctx,
  { tracker, connection }: ConnectedTracker,
  name: string,
  order: BindOrder,
  call: TrackerCall,
): Promise<There> {
  const known = (await listTracked(ctx.db.orm, tracker.id, [name])).get(name)
  if (known !== undefined && !known.archived) {
    const change = changeFor(known, order, connection.able)
    if (Object.keys(change).length === 0) return { remoteId: known.remoteId, answer: null }
    const answer = await connection.updateDomain(known.remoteId, change, call).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'tracker_not_found') return null
      throw error
    })
    if (answer !== null) return { remoteId: answer.id, answer }
  }
  const { campaignId = null, groupId = null, sslRedirect = false } = order
  const answer = await connection.addDomain({ name, campaignId, groupId, sslRedirect }, call)
  return { remoteId: answer.id, answer }
}

/** Records the binding, the mirror, the history and the log in one transaction. Does nothing when already recorded. */
async function recordBinding(
  ctx: Ctx,
  zone: OpenZone,
  { tracker }: ConnectedTracker,
  there: There,
  history?: ZoneChangeOptions,
): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    const claim = { domainId: zone.id, trackerId: tracker.id, boundBy: ctx.actor.userId }
    // Written before the binding, in the same lock order as the reading of the list, to avoid a deadlock.
    if (there.answer !== null) await noteDomain(ctx, tx, tracker.id, there.answer)
    // Another attempt may have been refused in the meantime and released the claim.
    let binding = await lockBinding(tx, zone.id)
    if (binding === null) {
      if (!(await insertClaim(tx, claim))) throw new AppError('not_found')
      binding = await lockBinding(tx, zone.id)
    }
    if (binding?.trackerId !== tracker.id) throw new AppError('domain_bound')
    if (binding.remoteId === there.remoteId) return
    await updateRemoteId(tx, zone.id, there.remoteId)
    await recordZoneChange(ctx, tx, zone, { key: 'tracker', before: null, after: shown(tracker) }, history)
    await ctx.events.publish(tx, zone.ownerId, 'trackers')
  })
}

/** Removes a binding here without calling the tracker. */
export async function forgetBinding(
  ctx: Ctx,
  zone: OpenZone,
  { tracker }: Pick<BoundZone, 'tracker'>,
  history: ZoneChangeOptions | undefined,
  also: (tx: Parameters<typeof deleteBinding>[0]) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    await also(tx)
    const binding = await lockBinding(tx, zone.id)
    if (binding?.trackerId !== tracker.id) return
    await deleteBinding(tx, zone.id)
    await recordZoneChange(ctx, tx, zone, { key: 'tracker', before: shown(tracker), after: null }, history)
    await ctx.events.publish(tx, zone.ownerId, 'trackers')
  })
}

/**
 * Binds a domain in a tracker (R-TRK-03). A claim is written before the tracker is called, so that a domain is never bound in two. Idempotent,
 * whenever a process is killed: a refusal releases the claim; after a lost response it stays, and the next call finds the domain.
 * @returns the domain's id in the tracker
 * @throws AppError not_found, level_too_low, tracker_disabled, tracker_other_owner, domain_bound, and any refusal by the tracker
 */
export async function bindDomain(ctx: Ctx, order: BindOrder, { call, history, again = false }: BindOptions): Promise<string> {
  const zone = await openZone(ctx, order.id, 'operate')
  const connected = await connectTracker(ctx, order.trackerId)
  const { tracker } = connected
  if (tracker.ownerId !== zone.ownerId) throw new AppError('tracker_other_owner')
  return serializeZoneChanges(`tracker ${zone.id}`, async () => {
    const [bound] = await listBindings(ctx.db.orm, [zone.id])
    if (bound !== undefined && isGoneThere(bound)) await forgetBinding(ctx, zone, bound, history)
    else if (bound !== undefined && bound.remoteId !== null) {
      if (again && bound.tracker.id === tracker.id) return bound.remoteId
      throw new AppError('domain_bound')
    }
    const claim = { domainId: zone.id, trackerId: tracker.id, boundBy: ctx.actor.userId }
    const claimed = await ctx.db.orm.transaction((tx) => insertClaim(tx, claim))
    if (!claimed && (await listBindings(ctx.db.orm, [zone.id]))[0]?.tracker.id !== tracker.id) throw new AppError('domain_bound')
    const there = await makeThere(ctx, connected, zone.name, order, call).catch(async (error: unknown) => {
      const refused = error instanceof AppError && call.signal?.aborted !== true && !error.isUnclear
      // A claim of an earlier attempt may stand for a created domain, so it is released only after the tracker has examined the request.
      if (refused && (claimed || notTaken.has(error.code))) await deleteClaim(ctx.db.orm, claim)
      throw error
    })
    await recordBinding(ctx, zone, connected, there, history)
    return there.remoteId
  })
}
