import type { z } from 'zod'
import {
  carryOut,
  countDifferences,
  findOwnRuleChanges,
  getProfile,
  listProfilesOf,
  planDetachments,
  planProfiles,
  profileWork,
  RuleQuotaReached,
  workOf,
} from '#server/features/profiles/index.ts'
import { listDomainSettings, openZone } from '#server/features/domains/index.ts'
import { listTrackerAddresses } from '#server/features/trackers/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { profileRequest } from '#shared/features/operations/requests.ts'
import type { ProfileDifference } from '#shared/features/profiles/schema.ts'
import { securityStateOf, warningsOf } from '#shared/features/domains/settings/rules.ts'
import type { DomainOperationKind, Planned } from '../operation-kind.ts'
import { noteProgress } from '../run-items.repo.ts'
import { createsAtMissing } from './records.ts'

/** Mail records are replaced and never removed, so the only risk is an address that the proxy hid before. */
const exposes = ({ before, after }: ProfileDifference['records'][number]) =>
  after !== null && (after.type === 'A' || after.type === 'AAAA') && !after.proxied && (before?.proxied ?? true)

/** @param ofTrackers addresses of the owner's trackers; undefined if there are none */
export function warningsOfRecords(records: ProfileDifference['records'], ofTrackers: ReadonlySet<string> | undefined): string[] {
  const codes = records
    .filter(exposes)
    .map(({ after }) => (ofTrackers?.has(after?.content ?? '') === true ? 'tracker_exposed' : 'origin_exposed'))
  return [...new Set(codes)]
}

/** One side of the difference in its displayed form. */
export const sideOf = ({ settings, records, rules }: ProfileDifference, side: 'before' | 'after', profile: string | null) => ({
  profile,
  settings: Object.fromEntries(settings.map((each) => [each.key, each[side]])),
  records: records.flatMap((each) => each[side] ?? []),
  rules: rules.map((each) => each[side]),
})

/** Applies a profile to domains and records that they have it, or detaches them from their profile and removes its rules. */
export const profile: DomainOperationKind<z.output<typeof profileRequest>> = {
  input: profileRequest,
  async plan(ctx, zones, { profileId, verify }) {
    const wanted = profileId === null ? null : await getProfile(ctx, profileId)
    const ids = zones.map(({ id }) => id)
    const [plans, given, ofTrackers] = await Promise.all([
      wanted === null ? planDetachments(ctx, zones) : planProfiles(ctx, zones, wanted),
      listProfilesOf(ctx.db.orm, ids),
      wanted === null ? new Map<string, ReadonlySet<string>>() : listTrackerAddresses(ctx, [wanted.ownerId]),
    ])
    const changing = ids.filter((_, index) => {
      const plan = plans[index]
      return plan !== undefined && 'settings' in plan && Object.keys(plan.settings).length > 0
    })
    const settings = await listDomainSettings(ctx, changing)
    return zones.map(({ id, ownerId, trackerBound, missingNames }, index): Planned => {
      const plan = plans[index]
      if (plan === undefined || (wanted !== null && ownerId !== wanted.ownerId)) return { refused: 'not_found' }
      if ('refused' in plan) return plan
      if (createsAtMissing({ missingNames }, plan.changes)) return { refused: 'records_missing' }
      const { difference, settings: patch, rules } = plan
      const now = settings.get(id)
      const had = given.get(id) ?? null
      const isCurrent = wanted === null ? had === null : had?.id === wanted.id
      if (countDifferences(difference) === 0 && difference.areRulesRead && isCurrent) return { unchanged: true }
      const checks = verify ? difference.rules.filter(({ after }) => after !== null).length : 0
      return {
        before: sideOf(difference, 'before', had?.name ?? null),
        after: sideOf(difference, 'after', wanted?.name ?? null),
        dangers: [
          ...(now === undefined ? [] : warningsOf(securityStateOf(now, trackerBound), patch)).map(({ code }) => code),
          ...warningsOfRecords(difference.records, ofTrackers.get(ownerId)),
          ...rules.warnings,
          ...(difference.areRulesRead ? [] : ['rules_unread']),
        ],
        calls: difference.settings.length + (difference.records.length > 0 ? 1 : 0) + rules.calls + checks,
        work: workOf(plan, wanted, verify),
      }
    })
  },
  async run(ctx, item) {
    const { domainId, operationId, plan, attempt } = item
    if (domainId === null) throw new AppError('not_found')
    const zone = await openZone(ctx, domainId)
    const options = { priority: 'bulk', source: 'operation', batchId: operationId, again: attempt > 1 } as const
    try {
      const isDone = await carryOut(ctx, zone, profileWork.parse(plan.work), options)
      return isDone ? { state: 'done' } : { state: 'skipped', code: 'changed_since' }
    } catch (error) {
      // Shown as if the preview had found it.
      if (error instanceof RuleQuotaReached) await noteProgress(ctx.db.orm, item, { fullPhases: error.fullPhases })
      throw error
    }
  },
  async findOwnRuleChanges(ctx, { domainId, name, plan }, changes) {
    const { rules } = profileWork.parse(plan.work)
    return domainId === null || rules === undefined ? [] : findOwnRuleChanges(ctx, { id: domainId, name }, rules, changes)
  },
}
