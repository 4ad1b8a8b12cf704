import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { listDomainSettings, openZone } from '#server/features/domains/index.ts'
import type { OpenZone } from '#server/features/domains/index.ts'
import { findRulesets, rulesetOf } from '#server/features/domains/rulesets/index.ts'
import type { Definition, RulesetMirror } from '#server/features/domains/rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { fillRule, profileRef } from '#shared/features/profiles/rules.ts'
import type { adoptInput, adoptionAnswer, Profile, ProfileRule, ProfileSettings } from '#shared/features/profiles/schema.ts'
import { valuesFor } from '#shared/features/profiles/variables.ts'
import type { RuleVariables } from '#shared/features/profiles/variables.ts'
import { countDifferences } from './domain-profile.ts'
import { settingOf } from './plan-profile.policy.ts'
import { planProfiles } from './plan-profile.ts'
import { shownRule } from './plan-rules.policy.ts'
import { getShown, listProfilesOf, listRuleContexts, listZonesOf } from './profiles.repo.ts'
import type { ShownProfile } from './profiles.repo.ts'
import { updateProfile } from './save-profile.ts'
import { setProfile } from './set-profile.ts'

type Adoption = Pick<Profile, 'settings' | 'rules'>

const fieldsOf = ({ description, expression, enabled, action, ...others }: Definition): RuleDefinition => ({
  description,
  expression,
  enabled,
  action,
  actionParameters: (others.action_parameters ?? null) as RuleDefinition['actionParameters'],
  ratelimit: (others.ratelimit ?? null) as RuleDefinition['ratelimit'],
})

/** The rule of the profile with what was changed in the domain; what was not keeps its variables. */
function adoptRule(rule: ProfileRule, now: RuleDefinition, variables: RuleVariables): ProfileRule {
  const filled = fillRule(rule, variables)
  const was = 'refused' in filled ? null : filled.rule
  const keys = ['description', 'expression', 'enabled', 'action', 'actionParameters', 'ratelimit'] as const
  const changed = keys.filter((key) => was === null || !isDeepStrictEqual(was[key] ?? null, now[key]))
  return { ...rule, ...Object.fromEntries(changed.map((key) => [key, now[key]])) }
}

/** The rules of the profile as the domain has them; those that were deleted there are left out. */
function adoptRules({ id, rules }: Pick<Profile, 'id' | 'rules'>, mirror: RulesetMirror, variables: RuleVariables): ProfileRule[] {
  const present = rules.flatMap((rule) => {
    const { rules: all } = rulesetOf(mirror, rule.phase)
    const index = all.findIndex(({ ref }) => ref === profileRef(id, rule.key))
    const now = all[index]
    return now === undefined ? [] : [{ index, rule: adoptRule(rule, fieldsOf(now.definition), variables) }]
  })
  // Each phase and place keeps its rules together, in the order of the domain.
  const slots = new Map<string, typeof present>()
  for (const each of present) {
    const slot = `${each.rule.phase} ${each.rule.place}`
    slots.set(slot, [...(slots.get(slot) ?? []), each])
  }
  for (const [slot, some] of slots) {
    slots.set(
      slot,
      some.toSorted((one, other) => one.index - other.index),
    )
  }
  return present.flatMap(({ rule }) => slots.get(`${rule.phase} ${rule.place}`)?.shift()?.rule ?? [])
}

/**
 * What the profile of a domain would be with the domain's present settings and rules.
 * @throws AppError not_found, level_too_low, nothing_to_do without a profile, conflict before the domain is read
 */
async function adoptionOf(ctx: Ctx, id: string): Promise<{ zone: OpenZone; profile: ShownProfile; adopted: Adoption }> {
  const zone = await openZone(ctx, id, 'manage')
  const given = (await listProfilesOf(ctx.db.orm, [id])).get(id)
  if (given === undefined) throw new AppError('nothing_to_do')
  const profile = await getShown(ctx.db.orm, ctx.actor, given.id)
  const [settings, mirror, contexts] = await Promise.all([
    listDomainSettings(ctx, [id]),
    findRulesets(ctx.db.orm, id),
    listRuleContexts(ctx.db.orm, [id], profile.id),
  ])
  const [now, context] = [settings.get(id), contexts.get(id)]
  if (now === undefined || context === undefined) throw new AppError('not_found')
  const keys = (Object.keys(profile.settings) as (keyof ProfileSettings)[]).filter((key) => profile.settings[key] !== undefined)
  if ((keys.length > 0 && now.readAt === null) || (profile.rules.length > 0 && mirror === null)) throw new AppError('conflict')
  const own = valuesFor(profile.variables, context.ofGroup, context.ofDomain)
  return {
    zone,
    profile,
    adopted: {
      settings: Object.fromEntries(keys.map((key) => [key, settingOf(now, key) ?? profile.settings[key]])),
      rules: mirror === null ? [] : adoptRules(profile, mirror, { domain: zone.name, trackerHost: context.trackerHost, own }),
    },
  }
}

const fingerprintOf = (version: number, adopted: Adoption): string =>
  createHash('sha256')
    .update(JSON.stringify([version, adopted]))
    .digest('base64url')
    .slice(0, 22)

function differenceOf(before: Adoption, after: Adoption): z.infer<typeof adoptionAnswer>['difference'] {
  const shown = (rules: readonly ProfileRule[], rule: ProfileRule | undefined) => {
    if (rule === undefined) return null
    const position = rules.filter(({ phase }) => phase === rule.phase).indexOf(rule) + 1
    const { actionParameters, ratelimit, ...fields } = rule
    return shownRule(rule.phase, { ...fields, action_parameters: actionParameters, ratelimit }, position)
  }
  const keys = Object.keys(before.settings) as (keyof ProfileSettings)[]
  return {
    settings: keys
      .map((key) => ({ key, before: before.settings[key], after: after.settings[key] }))
      .filter((each) => !isDeepStrictEqual(each.before, each.after)),
    rules: before.rules
      .map((rule) => ({
        before: shown(before.rules, rule),
        after: shown(
          after.rules,
          after.rules.find(({ key, phase }) => key === rule.key && phase === rule.phase),
        ),
      }))
      .filter((each) => !isDeepStrictEqual(each.before, each.after)),
  }
}

const zonesPerBatch = 2_000

/** The domains beside this one that match the profile now and would differ from it. */
async function countNewlyDiffering(ctx: Ctx, exceptId: string, before: Profile, after: Profile): Promise<number> {
  let count = 0
  for (let cursor: string | undefined; ;) {
    const zones = await listZonesOf(ctx.db.orm, before.id, zonesPerBatch, cursor)
    const [now, then] = [await planProfiles(ctx, zones, before), await planProfiles(ctx, zones, after)]
    const isEqual = (plan: (typeof now)[number] | undefined) =>
      plan !== undefined && !('refused' in plan) && plan.difference.areRulesRead && countDifferences(plan.difference) === 0
    count += zones.filter(({ id }, index) => id !== exceptId && isEqual(now[index]) && !isEqual(then[index])).length
    cursor = zones.at(-1)?.id
    if (zones.length < zonesPerBatch) return count
  }
}

/**
 * What adopting a domain into its profile would change; changes nothing.
 * @throws AppError not_found, level_too_low, nothing_to_do, conflict before the domain is read
 */
export async function previewAdoption(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof adoptionAnswer>> {
  const { profile, adopted } = await adoptionOf(ctx, id)
  const { id: profileId, name, version } = profile
  const asProfile = { ...profile, createdAt: profile.createdAt.toISOString(), updatedAt: profile.updatedAt.toISOString() }
  return {
    profile: { id: profileId, name, version },
    difference: differenceOf(profile, adopted),
    fingerprint: fingerprintOf(version, adopted),
    differing: await countNewlyDiffering(ctx, id, asProfile, { ...asProfile, ...adopted }),
  }
}

/**
 * Takes the domain's present settings and rules into its profile as a new version. Other domains are not changed.
 * @throws AppError not_found, level_too_low, nothing_to_do, conflict if it is no longer what the preview showed, validation_failed
 */
export async function adoptDomain(ctx: Ctx, { id, fingerprint }: z.output<typeof adoptInput>): Promise<{ profile: Profile }> {
  const { zone, profile, adopted } = await adoptionOf(ctx, id)
  if (fingerprintOf(profile.version, adopted) !== fingerprint) throw new AppError('conflict')
  const saved = await updateProfile(ctx, { id: profile.id, ...adopted })
  await setProfile(ctx, zone, profile.id, { source: 'panel' }, saved.profile.version)
  return saved
}
