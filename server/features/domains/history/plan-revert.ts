import { createHash } from 'node:crypto'
import { listProfileIds, listProfilesOf } from '#server/features/profiles/index.ts'
import { batchSize } from '../records/plan-changes.ts'
import { listMirror } from '../records/records.repo.ts'
import { listMissingByZone } from '../mirror/missing-records.repo.ts'
import { findIpRules, listExpiries, placeOf, toLogged } from '../ip-access/index.ts'
import { countMoves, findRulesets, listLogged } from '../rulesets/index.ts'
import { listAttachedZones, listRegistrarIds } from '#server/features/registrars/index.ts'
import { findTrackerOf, listTrackerIds } from '#server/features/trackers/index.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { toDomainSettings } from '../settings/domain-settings.ts'
import { findSettings } from '../settings/zone-settings.repo.ts'
import { patchOf } from '../settings/setting-words.ts'
import type { Ctx } from '#server/platform/context.ts'
import { ruleLimit } from '#shared/features/domains/rulesets/phases.ts'
import { securityStateOf, unknownState, warningsOf } from '#shared/features/domains/settings/rules.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { RevertPlan, ZoneChange } from '#shared/features/domains/history/schema.ts'
import { listEntriesByIds, listGroupIds, listRestoredIpRules } from './history.repo.ts'
import { phaseOf, planSteps, profileValue, readProfile, sideOf } from './revert-steps.ts'
import type { Present, Slot } from './revert-steps.ts'

/** Attributes that exist only in the panel. */
const isOurs = (key: string) => key === 'group' || key === 'profile' || key === 'registrar' || key === 'tracker'

/** @param restored ids of rules that a revert created again, each with that of the rule that it restored */
export const isRestoredIn = (restored: ReadonlyMap<string, string>) => (id: string, formerId: string) => {
  const seen = new Set<string>()
  for (let at = restored.get(id); at !== undefined && !seen.has(at); at = restored.get(at)) {
    if (at === formerId) return true
    seen.add(at)
  }
  return false
}
export const tokenOf = (steps: RevertPlan['steps']): string => createHash('sha256').update(JSON.stringify(steps)).digest('base64url')

async function presentOf(ctx: Ctx, zone: OpenZone, entries: readonly ZoneChange[]) {
  const reverts = entries.flatMap(({ revertedById }) => revertedById ?? [])
  const [
    taken,
    mirror,
    missing,
    settings,
    groups,
    profiles,
    given,
    registrars,
    attached,
    trackers,
    tracker,
    rulesets,
    ipRules,
    expiries,
    restored,
  ] = await Promise.all([
    listEntriesByIds(ctx.db.orm, zone.id, [...new Set(reverts)]),
    listMirror(ctx.db.orm, zone.id),
    listMissingByZone(ctx.db.orm, [zone.id]),
    findSettings(ctx.db.orm, zone.id),
    listGroupIds(ctx.db.orm, zone.ownerId),
    listProfileIds(ctx.db.orm, zone.ownerId),
    listProfilesOf(ctx.db.orm, [zone.id]),
    listRegistrarIds(ctx.db.orm, zone.ownerId),
    listAttachedZones(ctx.db.orm, [zone.id]),
    listTrackerIds(ctx.db.orm, zone.ownerId),
    findTrackerOf(ctx.db.orm, zone.id),
    findRulesets(ctx.db.orm, zone.id),
    findIpRules(ctx.db.orm, zone.id),
    listExpiries(ctx.db.orm, placeOf(zone)),
    entries.some(({ subject }) => subject === 'ip_rule')
      ? listRestoredIpRules(ctx.db.orm, { domainId: zone.id })
      : new Map<string, string>(),
  ])
  const byId = new Map(taken.map((entry) => [entry.id, entry]))
  const state = settings === null ? unknownState : securityStateOf(toDomainSettings(settings, ctx.clock.now()), tracker !== null)
  const present: Present = {
    takenBackTo(entry) {
      const revert = byId.get(entry.revertedById ?? '')
      return revert === undefined ? undefined : sideOf(revert, 'after')
    },
    records: mirror.readAt === null ? null : mirror.records,
    missingRecords: missing.get(zone.id) ?? [],
    rules: rulesets === null ? null : listLogged(rulesets),
    ipRules: ipRules?.rules.map((rule) => toLogged(rule, expiries.get(rule.id) ?? null)) ?? null,
    isRestoredIpRule: isRestoredIn(restored),
    nowMs: ctx.clock.now(),
    ruleLimit: (phase) => ruleLimit(phase, zone.plan),
    setting(key) {
      if (settings === null) return undefined
      if (key === 'universal_ssl') return settings.universalSsl ?? undefined
      if (key !== 'development_mode') return settings.values[key]?.value
      const endsAt = settings.listedAt.getTime() + settings.developmentMode * 1000
      return settings.developmentMode > 0 && endsAt > ctx.clock.now() ? 'on' : 'off'
    },
    zone(key) {
      if (key === 'profile') {
        const profile = given.get(zone.id)
        return profile === undefined ? null : profileValue(profile.id, profile.version)
      }
      if (key === 'registrar') return attached[0]?.registrarId ?? null
      if (key === 'tracker') return tracker
      return key === 'group' ? zone.groupId : key === 'paused' ? zone.paused : undefined
    },
    refusal(subject, key, value) {
      if (zone.goneAt !== null && !isOurs(key)) return 'zone_gone'
      if (subject === 'setting') return patchOf(key, value) === null ? 'not_writable' : null
      if (key === 'group') return value === null || (typeof value === 'string' && groups.has(value)) ? null : 'group_gone'
      if (key === 'profile')
        return value === null || (typeof value === 'string' && profiles.has(readProfile(value).id)) ? null : 'profile_gone'
      if (key === 'registrar') return value === null || (typeof value === 'string' && registrars.has(value)) ? null : 'registrar_gone'
      if (key === 'tracker') return value === null || (typeof value === 'string' && trackers.has(value)) ? null : 'tracker_gone'
      return key === 'paused' && typeof value === 'boolean' ? null : 'not_writable'
    },
  }
  return { present, state }
}

/** The settings that the slots change. */
const patchOfSlots = (slots: readonly Slot[]): SettingsPatch =>
  Object.assign(
    {},
    ...slots.map(({ subject, key, wanted }) => (subject === 'setting' ? patchOf(key, wanted) : null) ?? {}),
  ) as SettingsPatch

const callsOf = (zone: OpenZone, slots: readonly Slot[]): number => {
  const records = slots.filter((slot) => slot.subject === 'record').length
  const others = slots.filter(
    ({ subject, key }) => subject !== 'record' && subject !== 'rule_order' && (!isOurs(key) || key === 'tracker'),
  ).length
  const moves = slots.reduce((sum, { subject, now, wanted }) => (subject === 'rule_order' ? sum + countMoves(now, wanted) : sum), 0)
  // Each phase is read before it is changed.
  const phases = new Set(slots.flatMap((slot) => phaseOf(slot) ?? [])).size
  // So are the rules of IP access.
  const ipRules = slots.some(({ subject }) => subject === 'ip_rule') ? 1 : 0
  return Math.ceil(records / batchSize(zone.plan)) + others + moves + phases + ipRules
}

/**
 * Plans reverting these entries.
 * @throws AppError not_found for an unknown zone or entry, or one without access
 */
export async function planRevert(
  ctx: Ctx,
  { id, ids, force }: { readonly id: string; readonly ids: readonly string[]; readonly force: boolean },
): Promise<{ zone: OpenZone; plan: RevertPlan; slots: Slot[]; entries: ZoneChange[] }> {
  const zone = await openZone(ctx, id)
  const wanted = [...new Set(ids)]
  const entries = await listEntriesByIds(ctx.db.orm, id, wanted)
  if (entries.length < wanted.length) throw new AppError('not_found')
  const { present, state } = await presentOf(ctx, zone, entries)
  const { steps, slots } = planSteps(entries, present, false)
  const warnings = warningsOf(state, patchOfSlots(slots)).map(({ code }) => code)
  const plan = { token: tokenOf(steps), steps, calls: callsOf(zone, slots), warnings }
  return { zone, plan, slots: force ? planSteps(entries, present, true).slots : slots, entries }
}

/** Sends nothing. */
export const previewRevert = async (ctx: Ctx, input: { readonly id: string; readonly ids: readonly string[] }): Promise<RevertPlan> =>
  (await planRevert(ctx, { ...input, force: false })).plan
