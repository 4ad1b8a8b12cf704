import { listDomainSettings } from '#server/features/domains/index.ts'
import { listRulesetMirrors } from '#server/features/domains/rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { namesOf, refsOf, variablesIn } from '#shared/features/profiles/rules.ts'
import type { Profile } from '#shared/features/profiles/schema.ts'
import { valuesFor } from '#shared/features/profiles/variables.ts'
import { planProfile, recordsOf } from './plan-profile.policy.ts'
import type { ProfilePlan } from './plan-profile.policy.ts'
import { createRules, planRules, withOthers } from './plan-rules.policy.ts'
import type { FullPhase } from './plan-rules.policy.ts'
import { listProfileIdsFor, listProfilesOf, listRecordsAt, listRuleContexts } from './profiles.repo.ts'
import type { ProfiledZone } from './profiles.repo.ts'

/** `refused`: a code; the domain was never read, or a record or rule of the profile is not possible there. */
export type PlannedProfile = ProfilePlan | { readonly refused: string; readonly after?: { readonly fullPhases: readonly FullPhase[] } }

/** A profile, or the content of one that is not stored; without an id it has no rules. */
type Content = Pick<Profile, 'settings' | 'records' | 'rules' | 'variables' | 'id'>

/** Plans from the mirror how each domain gets the profile, in the given order. */
export async function planProfiles(ctx: Ctx, zones: readonly ProfiledZone[], profile: Content): Promise<PlannedProfile[]> {
  const ids = zones.map(({ id }) => id)
  const [settings, records, mirrors, contexts, given, profileIds] = await Promise.all([
    listDomainSettings(ctx, ids),
    listRecordsAt(ctx.db, ids, namesOf(profile.records)),
    listRulesetMirrors(ctx.db.orm, ids),
    listRuleContexts(ctx.db.orm, ids, profile.id),
    listProfilesOf(ctx.db.orm, ids),
    listProfileIdsFor(ctx.db.orm, ids),
  ])
  const isKnown = refsOf(profileIds)
  const hasSettings = Object.values(profile.settings).some((value) => value !== undefined)
  const used = variablesIn(profile.rules)
  const fill = createRules(profile)
  return zones.map(({ id, name, recordsRead }) => {
    const now = settings.get(id)
    const context = contexts.get(id)
    if (now === undefined || context === undefined) return { refused: 'not_found' }
    if ((profile.records.length > 0 && !recordsRead) || (hasSettings && now.readAt === null)) return { refused: 'not_read_yet' }
    const checked = recordsOf(profile, name)
    if ('refused' in checked) return checked
    const { trackerHost } = context
    const own = Object.fromEntries(
      Object.entries(valuesFor(profile.variables, context.ofGroup, context.ofDomain)).filter(([variable]) => used.has(variable)),
    )
    const filled = fill({ domain: name, trackerHost, own })
    if ('refused' in filled) return filled
    const { wanted } = filled
    const mirror = mirrors.get(id) ?? null
    // Without rules of this or the former profile there is nothing to read.
    const isUnused = mirror === null && wanted.length === 0 && given.get(id)?.hasRules !== true
    const planned = isUnused ? undefined : planRules(mirror && withOthers(mirror, isKnown), wanted, context.plan)
    if (planned !== undefined && 'refused' in planned) return planned
    return planProfile(profile, checked.wanted, {
      domain: name,
      settings: now,
      records: records.get(id) ?? [],
      ...(planned === undefined ? {} : { rules: { ...planned, trackerHost, own } }),
    })
  })
}

/** Plans from the mirror how the rules of its profile are removed from each domain; everything else stays. */
export async function planDetachments(ctx: Ctx, zones: readonly ProfiledZone[]): Promise<PlannedProfile[]> {
  const ids = zones.map(({ id }) => id)
  const [settings, mirrors, given, profileIds] = await Promise.all([
    listDomainSettings(ctx, ids),
    listRulesetMirrors(ctx.db.orm, ids),
    listProfilesOf(ctx.db.orm, ids),
    listProfileIdsFor(ctx.db.orm, ids),
  ])
  const isKnown = refsOf(profileIds)
  return zones.map(({ id, name }) => {
    const now = settings.get(id)
    if (now === undefined) return { refused: 'not_found' }
    const mirror = mirrors.get(id) ?? null
    const planned =
      mirror === null && given.get(id)?.hasRules !== true ? undefined : planRules(mirror && withOthers(mirror, isKnown), [], null)
    if (planned !== undefined && 'refused' in planned) return planned
    return planProfile({ settings: {} }, [], {
      domain: name,
      settings: now,
      records: [],
      ...(planned === undefined ? {} : { rules: { ...planned, trackerHost: null, own: {} } }),
    })
  })
}
