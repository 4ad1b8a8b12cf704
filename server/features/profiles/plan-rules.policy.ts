import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isSameDefinition, mergeDefinition, orderedAs, planMoves, rulesetOf } from '#server/features/domains/rulesets/index.ts'
import type { Definition, RuleChange, RulesetMirror, StoredRule, StoredRuleset } from '#server/features/domains/rulesets/index.ts'
import { ruleLimit, rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { rulePhase } from '#shared/features/domains/rulesets/schema.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { fillRule, isProfileRef, profileRef, variablesIn } from '#shared/features/profiles/rules.ts'
import type { RuleVariables } from '#shared/features/profiles/variables.ts'
import type { fullPhase, Profile, ProfileDifference, ProfileRule, ShownRule } from '#shared/features/profiles/schema.ts'

/** A rule of a profile, filled in for one domain. */
export interface WantedRule extends Pick<ProfileRule, 'phase' | 'place'> {
  readonly ref: string
  readonly rule: RuleDefinition
}

type Filled = { readonly wanted: WantedRule[] } | { readonly refused: string }

/** Fills in the rules of a profile for one domain after the other. */
export function createRules({ id, rules }: { readonly id: Profile['id']; readonly rules: readonly ProfileRule[] }) {
  const prepared = rules.map(({ key, phase, place, ...rule }) => ({
    rule,
    place: { phase, place, ref: profileRef(id, key) },
    // Most rules are the same for all domains.
    isFixed: variablesIn([rule]).size === 0,
  }))
  return (variables: RuleVariables): Filled => {
    const wanted: WantedRule[] = []
    for (const { rule, place, isFixed } of prepared) {
      const filled = isFixed ? { rule } : fillRule(rule, variables)
      if ('refused' in filled) return filled
      wanted.push({ ...place, rule: filled.rule })
    }
    return { wanted }
  }
}

/** The state of a phase that a plan was made for; a retry may find own rules in any state between. */
export const seenPhase = z.object({ phase: rulePhase, others: z.string(), own: z.string() })
export type SeenPhase = z.infer<typeof seenPhase>

/** A rule gets another version with each change. */
const hashOf = (rules: readonly StoredRule[]): string =>
  createHash('sha256')
    .update(rules.map(({ id, version }) => `${id} ${version}`).join('\n'))
    .digest('base64url')
    .slice(0, 16)
const isOfProfile = ({ ref }: StoredRule): boolean => isProfileRef(ref)

/** The phase with the rules of profiles that are unknown here as rules of others. */
export const asOthers = (ruleset: StoredRuleset, isKnown: (ref: string | null) => boolean): StoredRuleset => ({
  ...ruleset,
  rules: ruleset.rules.map((rule) => (isProfileRef(rule.ref) && !isKnown(rule.ref) ? { ...rule, ref: null } : rule)),
})
/** The same for all phases. */
export const withOthers = (mirror: RulesetMirror, isKnown: (ref: string | null) => boolean): RulesetMirror => ({
  ...mirror,
  rulesets: mirror.rulesets.map((ruleset) => asOthers(ruleset, isKnown)),
})

export const seenOf = ({ phase, rules }: StoredRuleset): SeenPhase => ({
  phase,
  others: hashOf(rules.filter((rule) => !isOfProfile(rule))),
  own: hashOf(rules.filter(isOfProfile)),
})

interface PlannedPhase {
  readonly changes: readonly RuleChange[]
  readonly rows: ProfileDifference['rules']
  /** The rules after the changes: those of others by their id, new ones by their `ref`. */
  readonly order: readonly string[]
}

export const shownRule = (
  phase: RulePhase,
  { description, expression, enabled, action, ...others }: Definition,
  position: number,
): ShownRule => ({
  phase,
  position,
  description,
  expression,
  enabled,
  action,
  actionParameters: (others.action_parameters ?? null) as ShownRule['actionParameters'],
  ratelimit: (others.ratelimit ?? null) as ShownRule['ratelimit'],
})

/**
 * Plans how a phase gets the profile's rules: rules of other profiles and former ones of this profile are deleted, missing ones are added,
 * others are changed and moved. Rules that no profile added are neither changed nor moved.
 */
export function planPhase(now: StoredRuleset, wanted: readonly WantedRule[]): PlannedPhase {
  const { phase } = now
  const byRef = new Map(wanted.map((rule) => [rule.ref, rule]))
  const wantedOf = ({ ref }: StoredRule) => byRef.get(ref ?? '')
  const deleted = now.rules.filter((rule) => isOfProfile(rule) && wantedOf(rule) === undefined)
  const left = now.rules.filter((rule) => !deleted.includes(rule))
  const idOf = new Map(left.flatMap((rule) => (wantedOf(rule) === undefined ? [] : [[rule.ref ?? '', rule.id]])))
  const [first, last] = (['first', 'last'] as const).map((place) => wanted.filter((rule) => rule.place === place)) as [
    WantedRule[],
    WantedRule[],
  ]
  const presentIds = (rules: readonly WantedRule[]) => rules.flatMap(({ ref }) => idOf.get(ref) ?? [])

  const present = left.map(({ id }) => id)
  const front = presentIds(first)
  const target = [
    ...front,
    ...orderedAs(
      present.filter((id) => !front.includes(id)),
      presentIds(last),
    ),
  ]
  const others = new Set(left.filter((rule) => wantedOf(rule) === undefined).map(({ id }) => id))
  const moved = new Set(planMoves(present, target, others).map(({ id }) => id))

  const order = [...target]
  const places = new Map<WantedRule, number>()
  const add = (rule: WantedRule, index: number) => {
    order.splice(index, 0, rule.ref)
    places.set(rule, index + 1)
  }
  const keyOf = ({ ref }: WantedRule) => idOf.get(ref) ?? ref
  for (const [index, rule] of first.entries()) if (!idOf.has(rule.ref)) add(rule, index)
  for (const [index, rule] of last.entries()) {
    if (idOf.has(rule.ref)) continue
    const before = last[index - 1]
    const after = last.slice(index + 1).find(({ ref }) => idOf.has(ref))
    const at = before !== undefined ? order.indexOf(keyOf(before)) + 1 : after !== undefined ? order.indexOf(keyOf(after)) : order.length
    add(rule, at)
  }

  const positionOf = (id: string) => order.indexOf(id) + 1
  const updates = left.flatMap((rule) => {
    const own = wantedOf(rule)
    if (own === undefined) return []
    const definition = mergeDefinition(rule.definition, own.rule)
    const isChanged = !isSameDefinition(rule.definition, definition)
    return isChanged || moved.has(rule.id) ? [{ rule, definition, isChanged }] : []
  })
  const isUnchanged = (rule: StoredRule) => (each: StoredRule) => isSameDefinition(each.definition, rule.definition)
  return {
    changes: [
      ...deleted.map((rule): RuleChange => ({ kind: 'delete', ruleId: rule.id, isExpected: isUnchanged(rule) })),
      ...updates.flatMap(({ rule, definition, isChanged }): RuleChange[] =>
        isChanged ? [{ kind: 'update', ruleId: rule.id, isExpected: isUnchanged(rule), definitionOf: () => definition }] : [],
      ),
      ...(moved.size === 0 ? [] : [{ kind: 'order' as const, ids: target, expected: present, fixed: others }]),
      ...[...places].map(([rule, position]): RuleChange => ({
        kind: 'create',
        ref: rule.ref,
        definition: mergeDefinition(null, rule.rule),
        position,
      })),
    ],
    rows: [
      ...deleted.map((rule) => ({ before: shownRule(phase, rule.definition, now.rules.indexOf(rule) + 1), after: null })),
      ...updates.map(({ rule, definition }) => ({
        before: shownRule(phase, rule.definition, now.rules.indexOf(rule) + 1),
        after: shownRule(phase, definition, positionOf(rule.id)),
      })),
      ...[...places.keys()].map((rule) => ({
        before: null,
        after: shownRule(phase, mergeDefinition(null, rule.rule), positionOf(rule.ref)),
      })),
    ],
    order,
  }
}

const callsOf = (now: StoredRuleset, { changes }: PlannedPhase): number => {
  const creations = changes.filter(({ kind }) => kind === 'create').length
  const moves = changes.reduce(
    (sum, change) => (change.kind === 'order' ? sum + planMoves(change.expected, change.ids, change.fixed).length : sum),
    0,
  )
  const others = changes.filter(({ kind }) => kind === 'delete' || kind === 'update').length
  // One to read the phase.
  return 1 + others + moves + (now.rulesetId === null ? Math.min(1, creations) : creations)
}

const skip = z.object({ ruleset: z.string().optional(), phases: z.array(z.string()).optional() })
/**
 * Whether an enabled rule of others before the profile's rules skips them for the requests that it matches.
 * @param order of the phase of custom rules as planned; undefined if the profile has none there
 */
function isSkipped(custom: StoredRuleset, wanted: readonly WantedRule[], order: readonly string[] = []): boolean {
  return custom.rules.some(({ id, ref, definition }) => {
    if (isProfileRef(ref) || !definition.enabled || definition.action !== 'skip') return false
    const { ruleset, phases = [] } = skip.safeParse(definition.action_parameters).data ?? {}
    const isBefore = wanted.some((rule) => {
      if (rule.phase !== custom.phase || !rule.rule.enabled) return false
      const own = custom.rules.find((each) => each.ref === rule.ref)?.id ?? rule.ref
      return order.indexOf(id) < order.indexOf(own)
    })
    return (ruleset === 'current' && isBefore) || wanted.some(({ phase, rule }) => rule.enabled && phases.includes(phase))
  })
}

/** The changes that give a domain the rules of a profile. */
export interface RulesPlan {
  readonly rows: ProfileDifference['rules']
  /** The phases that change, as they were seen; null if the rules have not been read yet. */
  readonly seen: readonly SeenPhase[] | null
  readonly calls: number
  readonly warnings: readonly string[]
}

const callsToRead = 2
/** The calls that give a new zone, which has no rules, those of a profile: each phase is read and written by one call. */
export const callsForNewZone = (rules: readonly Pick<ProfileRule, 'phase'>[]): number =>
  rules.length === 0 ? 0 : callsToRead + new Set(rules.map(({ phase }) => phase)).size * 2
/** A phase that would get more rules than the plan of the zone includes. */
export type FullPhase = z.infer<typeof fullPhase>

/** Refused if the plan of the zone has no place for all rules. */
export function planRules(
  mirror: RulesetMirror | null,
  wanted: readonly WantedRule[],
  zonePlan: string | null,
): RulesPlan | { readonly refused: 'rule_quota_reached'; readonly after: { readonly fullPhases: readonly FullPhase[] } } {
  const ofPhase = (phase: RulePhase) => wanted.filter((rule) => rule.phase === phase)
  const overLimit = (phase: RulePhase, rules: number): FullPhase[] => {
    const limit = ruleLimit(phase, zonePlan)
    return limit === null || rules <= limit ? [] : [{ phase, rules, limit }]
  }
  const refuse = (fullPhases: readonly FullPhase[]) => ({ refused: 'rule_quota_reached', after: { fullPhases } }) as const
  if (mirror === null) {
    const phases = rulePhases.filter((phase) => ofPhase(phase).length > 0)
    const full = phases.flatMap((phase) => overLimit(phase, ofPhase(phase).length))
    if (full.length > 0) return refuse(full)
    // Each phase is read for the comparison and before its change.
    return { rows: [], seen: null, calls: callsToRead + phases.length * 2 + wanted.length, warnings: [] }
  }
  const planned = rulePhases.flatMap((phase) => {
    const [now, own] = [rulesetOf(mirror, phase), ofPhase(phase)]
    return own.length === 0 && !now.rules.some(isOfProfile) ? [] : [{ now, plan: planPhase(now, own) }]
  })
  const custom = rulesetOf(mirror, 'http_request_firewall_custom')
  const changing = planned.filter(({ plan }) => plan.changes.length > 0)
  const full = changing.flatMap(({ now, plan }) =>
    plan.changes.some(({ kind }) => kind === 'create') ? overLimit(now.phase, plan.order.length) : [],
  )
  if (full.length > 0) return refuse(full)
  return {
    rows: changing.flatMap(({ plan }) => plan.rows),
    seen: changing.map(({ now }) => seenOf(now)),
    calls: changing.reduce((sum, { now, plan }) => sum + callsOf(now, plan), 0),
    warnings: [
      ...(isSkipped(custom, wanted, planned.find(({ now }) => now.phase === custom.phase)?.plan.order) ? ['rules_skipped'] : []),
      ...(changing.some(({ now }) => now.problem !== null) ? ['rules_forbidden'] : []),
    ],
  }
}
