import { z } from 'zod'
import { listDomainSettings, moveToGroup, openZone } from '#server/features/domains/index.ts'
import { listDownOrigins, listUnseenOrigins } from '#server/features/monitoring/index.ts'
import { carryOut, planProfile, profileWork } from '#server/features/profiles/index.ts'
import type { ProfilePlan } from '#server/features/profiles/index.ts'
import {
  bindDomain,
  chooseReserve,
  isReserved,
  listTrackerAddresses,
  moveCampaigns,
  noteReplaced,
  planBound,
  unbindDomain,
} from '#server/features/trackers/index.ts'
import type { BoundPlan, SelectedReserve } from '#server/features/trackers/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import { replaceRequest } from '#shared/features/operations/requests.ts'
import type { PurchaseStep } from '#shared/features/operations/schema.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { securityStateOf, warningsOf } from '#shared/features/domains/settings/rules.ts'
import { copyRecords } from '../copy-domain.policy.ts'
import { atTracker } from '../estimate.policy.ts'
import { decideRetry } from '../failure.policy.ts'
import type { DomainOperationKind, Outcome, Planned, RunItem } from '../operation-kind.ts'
import { listGroupsOf, listMirrors, listPlanZones } from '../plan-reading.repo.ts'
import { noteProgress } from '../run-items.repo.ts'
import type { PlanZone } from '../planned.ts'
import { warningsOfRecords, sideOf } from './profile.ts'
import { patchOfKnown, transferable } from './settings.ts'
import { findResult } from './undo-zones.repo.ts'

type Input = z.output<typeof replaceRequest>

/** More domains than a reserve can hold. */
const maxPerCall = 1_000
/** One to bind, one to read the campaigns. */
const callsToTracker = 2

/** The plan as it was shown. */
const replaceWork = z.object({
  reserveZoneId: z.string(),
  copy: profileWork,
  /** Undefined: the group stays. */
  groupId: z.string().nullable().optional(),
  /** Null if the failing domain was not bound. */
  binding: z
    .object({
      trackerId: z.string(),
      /** The failing domain's id in the tracker. */
      remoteId: z.string().nullable(),
      campaignId: z.string().nullable(),
      groupId: z.string().nullable(),
      sslRedirect: z.boolean(),
      /** False only if it is known that no campaign uses the failing domain. */
      used: z.boolean(),
    })
    .nullable(),
})

/** Everything that the plan of one domain is computed from. */
interface Facts {
  readonly mirrors: ReadonlyMap<string, readonly DnsRecord[]>
  readonly settings: ReadonlyMap<string, DomainSettings>
  readonly groups: ReadonlyMap<string, { readonly id: string; readonly name: string }>
  readonly ofTrackers: ReadonlyMap<string, ReadonlySet<string>>
  /** Domains for which the state of the server is unknown. */
  readonly unseen: ReadonlySet<string>
}

function refusalOf(zone: PlanZone, selected: SelectedReserve | undefined, bound: BoundPlan | undefined): Planned | null {
  if (selected === undefined || bound === undefined) return { refused: 'level_too_low' }
  if ('refused' in selected) {
    return selected.refused === 'reserve_empty'
      ? { refused: selected.refused }
      : { refused: selected.refused, after: { domain: selected.name, problems: selected.problems } }
  }
  if ('refused' in bound && bound.refused !== 'domain_not_bound') return { refused: bound.refused }
  return zone.recordsRead ? null : { refused: 'not_read_yet' }
}

function planOne(zone: PlanZone, reserve: PlanZone, bound: BoundPlan, facts: Facts, { archive }: Input): Planned {
  const [now, then] = [facts.settings.get(reserve.id), facts.settings.get(zone.id)]
  if (now === undefined || then === undefined) return { refused: 'not_found' }
  // The copy would lack what was never read.
  if (now.readAt === null || then.readAt === null) return { refused: 'not_read_yet' }
  if (zone.missingNames.length > 0) return { refused: 'records_missing' }
  // The DS record at the registrar is of the reserve domain.
  const { developmentMode: _ends, dnssec: _own, ...settings } = transferable(now, patchOfKnown(then))
  const { wanted, left } = copyRecords(facts.mirrors.get(zone.id) ?? [], zone.name, reserve.name)
  const copy: ProfilePlan = planProfile({ settings }, wanted, {
    domain: reserve.name,
    settings: now,
    records: facts.mirrors.get(reserve.id) ?? [],
  })
  const { difference } = copy
  const group = facts.groups.get(zone.id) ?? null
  const moves = (facts.groups.get(reserve.id)?.id ?? null) !== (group?.id ?? null)
  const binding = 'refused' in bound ? null : bound
  const { domain = null } = binding ?? {}
  const work: z.infer<typeof replaceWork> = {
    reserveZoneId: reserve.id,
    copy: {
      profile: null,
      detach: false,
      settings: copy.settings,
      before: Object.fromEntries(difference.settings.map((each) => [each.key, each.before])),
      changes: copy.changes,
    },
    ...(moves ? { groupId: group?.id ?? null } : {}),
    binding:
      binding === null
        ? null
        : {
            trackerId: binding.tracker.id,
            remoteId: domain?.remoteId ?? null,
            campaignId: domain?.campaignId ?? null,
            groupId: domain?.groupId ?? null,
            sslRedirect: domain?.sslRedirect === true,
            used: domain?.campaignsCount !== 0 || domain.campaignId !== null,
          },
  }
  const shown = { tracker: binding?.before.tracker ?? null, campaign: binding?.before.campaign ?? null }
  const { settings: after, records } = sideOf(difference, 'after', null)
  const { settings: before, records: replaced } = sideOf(difference, 'before', null)
  return {
    before: { domain: zone.name, ...shown, settings: before, records: replaced },
    after: { domain: reserve.name, reserveZoneId: reserve.id, ...shown, group: group?.name ?? null, settings: after, records, left },
    dangers: [
      ...(facts.unseen.has(zone.id) ? ['origin_unchecked'] : []),
      ...warningsOf(securityStateOf(now, reserve.trackerBound || binding !== null), copy.settings).map(({ code }) => code),
      ...warningsOfRecords(difference.records, facts.ofTrackers.get(zone.ownerId)),
      ...(archive && binding?.gone === false ? binding.dangers : []),
    ],
    calls: difference.settings.length + Math.min(1, difference.records.length),
    at: { kind: 'account', accountId: reserve.accountId, accountEmail: reserve.accountEmail, lane: reserve.lane },
    ...(binding === null ? {} : { called: [atTracker({ ...binding.tracker, calls: callsToTracker + (archive ? 1 : 0) })] }),
    work,
  }
}

/** Replaces failing domains by reserve domains: records, settings, group, tracker and campaigns move; each keeps its registrar. */
export const replace: DomainOperationKind<Input> = {
  input: replaceRequest,
  async plan(ctx, zones, input) {
    if (zones.length > maxPerCall) {
      throw new AppError('validation_failed', { issues: [{ path: 'pairs', message: 'too_many', params: { max: maxPerCall } }] })
    }
    const levels = await Promise.all(zones.map(({ ownerId }) => findLevel(ctx, { ownerId })))
    const own = zones.filter((_zone, index) => levels[index] === 'own')
    const down = await listDownOrigins(
      ctx.db.orm,
      own.map(({ id }) => id),
    )
    // No reserve domain is used while the server is down.
    const movable = own.filter(({ id }) => !down.has(id))
    const selected = await chooseReserve(ctx, movable, new Map(input.pairs.map((pair) => [pair.zoneId, pair.reserveZoneId])))
    const reserveIds = [...selected.values()].flatMap((each) => ('domainId' in each ? [each.domainId] : []))
    const ids = [...own.map(({ id }) => id), ...reserveIds]
    const [reserves, bound, mirrors, settings, { groups }, ofTrackers, unseen] = await Promise.all([
      listPlanZones(ctx.db, reserveIds),
      planBound(ctx, own, true),
      listMirrors(ctx.db, ids),
      listDomainSettings(ctx, ids),
      listGroupsOf(ctx.db, ids, null),
      listTrackerAddresses(
        ctx,
        own.map(({ ownerId }) => ownerId),
      ),
      listUnseenOrigins(
        ctx.db.orm,
        movable.map(({ id }) => id),
      ),
    ])
    const byId = new Map(reserves.map((reserve) => [reserve.id, reserve]))
    const bindings = new Map(own.map(({ id }, index) => [id, bound[index]]))
    return zones.map((zone) => {
      if (down.has(zone.id)) return { refused: 'origin_down' }
      const [choice, binding] = [selected.get(zone.id), bindings.get(zone.id)]
      const refused = refusalOf(zone, choice, binding)
      if (refused !== null) return refused
      const reserve = choice !== undefined && 'domainId' in choice ? byId.get(choice.domainId) : undefined
      if (reserve === undefined || binding === undefined) return { refused: 'reserve_unready' }
      return planOne(zone, reserve, binding, { mirrors, settings, groups, ofTrackers, unseen }, input)
    })
  },
  run: (ctx, item, input, signal) => runSteps(ctx, item, input, signal),
}

/** Progress of earlier attempts; `taken`: the domain has left the reserve for this item. */
const wasTaken = (result: unknown): boolean => typeof result === 'object' && result !== null && 'taken' in result && result.taken === true

async function runSteps(ctx: Ctx, item: RunItem, { reason, archive }: Input, signal: AbortSignal): Promise<Outcome> {
  const { operationId, position, attempt, domainId } = item
  if (domainId === null) throw new AppError('not_found')
  const { reserveZoneId, copy, groupId, binding } = replaceWork.parse(item.plan.work)
  const old = await openZone(ctx, domainId, 'own')
  const fresh = await openZone(ctx, reserveZoneId, 'own')
  let taken = wasTaken(await findResult(ctx.db, operationId, position))
  if (!taken && !(await isReserved(ctx, fresh.id))) throw new AppError('reserve_unready')
  if (attempt === 1 && (await listDownOrigins(ctx.db.orm, [old.id])).has(old.id)) throw new AppError('origin_down')

  const steps: PurchaseStep[] = []
  const note = (last?: PurchaseStep) => noteProgress(ctx.db.orm, item, { steps: last === undefined ? steps : [...steps, last], taken })
  const history = { source: 'operation', batchId: operationId } as const
  const call = { priority: 'bulk', signal } as const
  /** @param work returns a code to report although the step is done */
  const step = async (name: PurchaseStep['step'], work: () => Promise<string | null>) => {
    try {
      steps.push({ step: name, state: 'done', code: await work() })
    } catch (error) {
      if (error instanceof AppError && !signal.aborted) {
        await note({ step: name, state: decideRetry(error, attempt).next === 'wait' ? 'waiting' : 'failed', code: error.code })
      }
      throw error
    }
    await note()
  }

  if (!(await carryOut(ctx, fresh, copy, { ...call, ...history, again: attempt > 1 }))) {
    await note({ step: 'copy', state: 'failed', code: 'changed_since' })
    return { state: 'skipped', code: 'changed_since' }
  }
  await step('copy', () => Promise.resolve(null))
  if (groupId !== undefined) {
    await step('group', async () => {
      await moveToGroup(ctx, { id: fresh.id, groupId }, history)
      return null
    })
  }
  if (binding !== null) {
    const { remoteId: from, used, ...order } = binding
    let [to, moved] = ['', true]
    await step('tracker', async () => {
      to = await bindDomain(ctx, { ...order, id: fresh.id }, { call, history, again: attempt > 1 })
      return null
    })
    if (from !== null) {
      const { trackerId } = binding
      await step('campaigns', async () => {
        moved = await moveCampaigns(ctx, { trackerId, from, to }, call)
        return moved ? null : archive && used ? 'campaigns_stay' : 'campaigns_untold'
      })
    }
    // The campaigns that still use it would break, and some trackers delete archived domains.
    if (archive && (moved || !used))
      await step('archive', () => archiveOld(ctx, { id: old.id, trackerId: binding.trackerId }, { call, history }))
  }
  taken = true
  await ctx.db.orm.transaction(async (tx) => {
    await noteReplaced(ctx, tx, old, fresh, reason)
    steps.push({ step: 'reserve', state: 'done', code: null })
    await noteProgress(tx, item, { steps, taken })
  })
  const left = steps.find(({ code }) => code !== null)?.code
  return { state: 'done', result: { steps, taken }, ...(left === undefined || left === null ? {} : { code: left }) }
}

/** A domain that is no longer bound there is not an error. */
async function archiveOld(
  ctx: Ctx,
  of: { readonly id: string; readonly trackerId: string },
  options: Parameters<typeof unbindDomain>[2],
): Promise<null> {
  await unbindDomain(ctx, { ...of, archive: true }, options).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'domain_not_bound') throw error
  })
  return null
}
