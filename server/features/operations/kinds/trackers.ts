import { z } from 'zod'
import { archiveTracked, bindDomain, checkDomain, planBindings, planBound, unbindDomain } from '#server/features/trackers/index.ts'
import type { BindOrder, PlanTracker } from '#server/features/trackers/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { nothingRequest, trackerBindRequest, trackerUnbindRequest } from '#shared/features/operations/requests.ts'
import { atTracker } from '../estimate.policy.ts'
import type { DomainOperationKind, OperationKind, Outcome, RunItem } from '../operation-kind.ts'
import type { ItemAccount, PlannedItem } from '../planned.ts'

const zoneOf = ({ domainId }: RunItem): string => {
  if (domainId === null) throw new AppError('not_found')
  return domainId
}

/**
 * For work done in a tracker, the tracker takes the place of the account: it is the concurrency key, and its refusals stop the remaining
 * items.
 */
export const placeOf = ({ id, name }: PlanTracker): ItemAccount => ({ accountId: id, accountEmail: name, lane: `tracker ${id}` })

/** Where an item runs that only calls a tracker. */
export const inTracker = (tracker: PlanTracker, calls: number): Pick<PlannedItem, 'calls' | 'called' | 'at'> => ({
  calls: 0,
  called: [atTracker({ ...tracker, calls })],
  at: { kind: 'tracker', ...placeOf(tracker) },
})

/** Reports the code instead of failing when the desired state already exists. */
async function unless(code: ErrorCode, work: Promise<unknown>): Promise<Outcome> {
  try {
    await work
    return { state: 'done' }
  } catch (error) {
    if (error instanceof AppError && error.code === code) return { state: 'skipped', code }
    throw error
  }
}

const historyOf = ({ operationId }: RunItem) => ({ source: 'operation', batchId: operationId }) as const

/** Binds domains in a tracker; domains that are already bound are excluded with the reason (R-TRK-03). */
export const trackerBind: DomainOperationKind<Omit<BindOrder, 'id'>> = {
  input: trackerBindRequest,
  async plan(ctx, zones, order) {
    const plans = await planBindings(ctx, zones, order)
    return plans.map((plan) => {
      if ('refused' in plan) return plan
      const { before, after, calls, tracker } = plan
      return { before, after, dangers: [], ...inTracker(tracker, calls) }
    })
  },
  run: (ctx, item, order, signal) =>
    unless(
      'domain_bound',
      bindDomain(
        ctx,
        { ...order, id: zoneOf(item) },
        { call: { priority: 'bulk', signal }, history: historyOf(item), again: item.attempt > 1 },
      ),
    ),
}

/** Unbinds domains: they are archived in their trackers, or only removed from the panel. */
export const trackerUnbind: DomainOperationKind<{ archive: boolean }> = {
  input: trackerUnbindRequest,
  async plan(ctx, zones, { archive }) {
    const plans = await planBound(ctx, zones, archive)
    return plans.map((plan) => {
      if ('refused' in plan) return plan
      const notifiesTracker = archive && !plan.gone
      return {
        before: plan.before,
        after: null,
        dangers: notifiesTracker ? [...plan.dangers] : [],
        ...inTracker(plan.tracker, notifiesTracker ? 1 : 0),
      }
    })
  },
  async run(ctx, item, { archive }, signal) {
    const given = { id: zoneOf(item), trackerId: item.accountId, archive }
    const outcome = await unless(
      'domain_not_bound',
      unbindDomain(ctx, given, { call: { priority: 'bulk', signal }, history: historyOf(item) }),
    )
    // An earlier attempt took effect.
    return item.attempt > 1 ? { state: 'done' } : outcome
  },
}

/** Has trackers check domains again. */
export const trackerCheck: DomainOperationKind<object> = {
  input: nothingRequest,
  async plan(ctx, zones) {
    const plans = await planBound(ctx, zones, true)
    return plans.map((plan) => {
      if ('refused' in plan) return plan
      const { domain, tracker } = plan
      const { status = null, problem = null, sslProblem = null } = domain ?? {}
      return { before: { tracker: tracker.name, status, problem, sslProblem }, after: null, dangers: [], ...inTracker(tracker, 1) }
    })
  },
  run: (ctx, item, _input, signal) => unless('domain_not_bound', checkDomain(ctx, { id: zoneOf(item) }, { priority: 'bulk', signal })),
}

const archiveWork = z.object({ remoteId: z.string() })
export type ArchiveWork = z.infer<typeof archiveWork>

/** Archives tracker domains that are not bound to a zone. */
export const trackerArchive: OperationKind<object> = {
  input: nothingRequest,
  async run(ctx, { accountId: trackerId, name, plan }, _input, signal) {
    const { remoteId } = archiveWork.parse(plan.work)
    await archiveTracked(ctx, { trackerId, remoteId, name }, { priority: 'bulk', signal })
    return { state: 'done' }
  },
}
