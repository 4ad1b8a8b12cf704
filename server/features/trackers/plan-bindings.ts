import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { changeFor, isGoneThere } from './bind-domain.ts'
import type { BindOrder } from './bind-domain.ts'
import { listBindings, listBoundElsewhere, listTracked, listTrackedByIds } from './bindings.repo.ts'
import type { BoundZone, TrackerDomainRow } from './bindings.repo.ts'
import { connectTracker, mayUseTracker } from './connect-tracker.ts'
import { readChoices } from './read-choices.ts'
import { accessOf } from './tracker-key.ts'
import { isEnabled, toAccessTarget } from './tracker-view.ts'
import { getRow } from './trackers.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

/** A tracker as shown in plans. */
export interface PlanTracker {
  readonly id: string
  readonly name: string
}

/** A domain's state in a tracker, as shown before a change is confirmed: names, or ids when the name is unknown. */
interface ShownBinding {
  readonly tracker: string
  readonly campaign: string | null
  readonly group: string | null
  readonly sslRedirect: boolean | null
}

/** A zone to be bound or unbound. */
interface Zone {
  readonly id: string
  readonly ownerId: string
  /** Punycode. */
  readonly name: string
}

type Order = Omit<BindOrder, 'id'>
type Refusal = { readonly refused: ErrorCode }
/** What binding a zone would do; `calls` are calls to the tracker. */
type BindPlan = Refusal | { readonly before: null; readonly after: ShownBinding; readonly calls: number; readonly tracker: PlanTracker }
/** The current binding of a zone, for a change to it. */
export type BoundPlan =
  | Refusal
  | {
      readonly before: ShownBinding
      readonly tracker: PlanTracker
      readonly domain: TrackerDomainRow | null
      /** The tracker's list no longer has it. */
      readonly gone: boolean
      /** Warnings about archiving it (codes of `operations` texts). */
      readonly dangers: readonly string[]
    }

const named = (id: string | null, name: string | null | undefined) => (id === null ? null : (name ?? id))

/** Whether the domain receives visitors. */
const isLiveDomain = (domain: Pick<TrackerDomainRow, 'campaignsCount' | 'campaignId'> | null): boolean =>
  domain !== null && ((domain.campaignsCount ?? 0) > 0 || domain.campaignId !== null)

/**
 * Warnings about archiving a domain in its tracker. Trackers without an archive delete it.
 * @returns a function that queries the features of each tracker once
 */
function archiveWarnings(ctx: Ctx) {
  const keeps = new Map<string, boolean>()
  return (tracker: Pick<TrackerRow, 'id' | 'name' | 'kind' | 'url' | 'apiKeySealed'>, domain: TrackerDomainRow | null): string[] => {
    const known = keeps.get(tracker.id) ?? (!isEnabled(tracker) || ctx.trackers.connect(accessOf(ctx.secrets, tracker)).able.restore)
    keeps.set(tracker.id, known)
    return [...(isLiveDomain(domain) ? ['unbinds_live'] : []), ...(known ? [] : ['tracker_deletes'])]
  }
}

/** The mirrored state in the tracker. */
const shownOf = (tracker: PlanTracker, domain: TrackerDomainRow | null): ShownBinding => ({
  tracker: tracker.name,
  campaign: named(domain?.campaignId ?? null, domain?.campaignName),
  group: named(domain?.groupId ?? null, domain?.groupName),
  sslRedirect: domain?.sslRedirect ?? null,
})

/** Names for the ids in the order, as far as the tracker reports them; a plan does not fail without them. */
async function namesOf(ctx: Ctx, { trackerId, campaignId = null, groupId = null }: Order) {
  const asked = campaignId !== null || groupId !== null
  const choices = asked
    ? await readChoices(ctx, { id: trackerId }).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
        return null
      })
    : null
  return {
    campaign: named(campaignId, choices?.campaigns.find(({ id }) => id === campaignId)?.name),
    group: named(groupId, choices?.groups.find(({ id }) => id === groupId)?.name),
  }
}

/** Another person's tracker that is not shared is treated as missing. */
async function findTracker(ctx: Ctx, id: string) {
  const row = await getRow(ctx.db.orm, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  return row !== null && (await findLevel(ctx, toAccessTarget(row))) !== null ? row : null
}

/** What binding these zones would do according to the mirror; one plan per zone, in their order. Bound zones are unchanged (R-TRK-03). */
export async function planBindings(ctx: Ctx, zones: readonly Zone[], order: Order): Promise<BindPlan[]> {
  const tracker = await findTracker(ctx, order.trackerId)
  if (tracker === null) return zones.map(() => ({ refused: 'not_found' }))
  if (!(await mayUseTracker(ctx, { ownerId: tracker.ownerId, trackerId: tracker.id })))
    return zones.map(() => ({ refused: 'level_too_low' }))
  const ids = zones.map(({ id }) => id)
  const [bindings, elsewhere, known, wanted] = await Promise.all([
    listBindings(ctx.db.orm, ids),
    listBoundElsewhere(ctx.db.orm, ids),
    listTracked(
      ctx.db.orm,
      tracker.id,
      zones.map(({ name }) => name),
    ),
    isEnabled(tracker) ? namesOf(ctx, order) : { campaign: null, group: null },
  ])
  const bound = new Map(bindings.map((binding) => [binding.domainId, binding]))
  return Promise.all(
    zones.map(async ({ id, ownerId, name }): Promise<BindPlan> => {
      if (tracker.ownerId !== ownerId) return { refused: 'tracker_other_owner' }
      if (!isEnabled(tracker)) return { refused: 'tracker_disabled' }
      if (elsewhere.has(id)) return { refused: 'domain_bound' }
      const binding = bound.get(id)
      const unfinished = binding !== undefined && binding.remoteId === null && binding.tracker.id === tracker.id
      if (binding !== undefined && !unfinished && !isGoneThere(binding)) return { refused: 'domain_bound' }
      const there = known.get(name) ?? null
      const now = shownOf(tracker, there)
      const changes = there === null ? null : Object.keys(changeFor(there, order)).length
      return {
        before: null,
        after: {
          tracker: tracker.name,
          campaign: wanted.campaign ?? now.campaign,
          group: wanted.group ?? now.group,
          sslRedirect: order.sslRedirect === true ? true : (now.sslRedirect ?? false),
        },
        // An archived domain takes three calls: find, restore and change.
        calls: changes === null ? 1 : there?.archived === true ? 3 : Math.min(changes, 1),
        tracker: { id: tracker.id, name: tracker.name },
      }
    }),
  )
}

/**
 * How a domain that does not exist yet would be bound in a tracker of this owner.
 * @throws AppError not_found, tracker_disabled
 */
export async function planNewBinding(
  ctx: Ctx,
  ownerId: string,
  order: Order,
): Promise<{ readonly after: ShownBinding; readonly tracker: PlanTracker }> {
  const { tracker } = await connectTracker(ctx, order.trackerId)
  if (tracker.ownerId !== ownerId) throw new AppError('not_found')
  const { id, name } = tracker
  return { after: { tracker: name, ...(await namesOf(ctx, order)), sslRedirect: order.sslRedirect ?? false }, tracker: { id, name } }
}

/**
 * How these zones are bound, for a change; one per zone, in their order.
 * @param asked whether the tracker will be called, so that it must be on
 */
export async function planBound(ctx: Ctx, zones: readonly Omit<Zone, 'name'>[], asked: boolean): Promise<BoundPlan[]> {
  const bindings = await listBindings(
    ctx.db.orm,
    zones.map(({ id }) => id),
  )
  const bound = new Map<string, BoundZone>(bindings.map((binding) => [binding.domainId, binding]))
  const warningsOf = archiveWarnings(ctx)
  return Promise.all(
    zones.map(async ({ id, ownerId }): Promise<BoundPlan> => {
      const binding = bound.get(id)
      if (!(await mayUseTracker(ctx, { ownerId, trackerId: binding?.tracker.id ?? null }))) return { refused: 'level_too_low' }
      if (binding === undefined) return { refused: 'domain_not_bound' }
      const { tracker, domain } = binding
      const gone = isGoneThere(binding)
      if (asked && !gone && !isEnabled(tracker)) return { refused: 'tracker_disabled' }
      return {
        before: shownOf(tracker, domain),
        tracker: { id: tracker.id, name: tracker.name },
        domain,
        gone,
        dangers: warningsOf(tracker, domain),
      }
    }),
  )
}

/** A domain in a tracker that may be archived, or why not. */
interface ArchivePlan {
  readonly domain: TrackerDomainRow
  readonly tracker: PlanTracker
  readonly refused: ErrorCode | null
  readonly dangers: readonly string[]
}

/** Domains in trackers that the actor sees, by name; others are left out. A domain bound to a zone must be unbound, not archived. */
export async function planArchive(ctx: Ctx, trackerDomainIds: readonly string[]): Promise<ArchivePlan[]> {
  const rows = await listTrackedByIds(ctx.db.orm, trackerDomainIds)
  const levels = await Promise.all(rows.map(({ tracker }) => findLevel(ctx, toAccessTarget(tracker))))
  const warningsOf = archiveWarnings(ctx)
  return rows.flatMap(({ domain, tracker, domainId }, index): ArchivePlan[] => {
    const level = levels[index] ?? null
    if (level === null) return []
    const place = { id: tracker.id, name: tracker.name }
    if (!isAtLeast(level, 'manage')) return [{ domain, tracker: place, refused: 'level_too_low', dangers: [] }]
    const refused = domainId !== null ? 'domain_bound' : isEnabled(tracker) ? null : 'tracker_disabled'
    return [{ domain, tracker: place, refused, dangers: warningsOf(tracker, domain) }]
  })
}
