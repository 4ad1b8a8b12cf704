import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isProfileRef } from '#shared/features/profiles/rules.ts'
import type { HostedPageRule, HostedRule, HostedRuleset } from '#server/ports/dns-host.ts'
import { loggedRule, rulePhase, zoneRuleset } from '#shared/features/domains/rulesets/schema.ts'
import type { LoggedRule, RuleDefinition, ZoneRule, ZoneRuleset, ZoneRulesets } from '#shared/features/domains/rulesets/schema.ts'
import { isOwnRule, pageRuleLimits, planTier, ruleLimit, rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'

export const storedRule = z.object({
  id: z.string(),
  ref: z.string().nullable(),
  version: z.string(),
  modifiedAt: z.iso.datetime().nullable(),
  definition: loggedRule.shape.definition,
})
export type StoredRule = z.infer<typeof storedRule>

/** A definition in the provider's form. */
export type Definition = StoredRule['definition']
type Fields = { readonly [key in keyof RuleDefinition]?: RuleDefinition[key] | undefined }

/** The given fields over those of the current definition; the provider's other fields stay. */
export function mergeDefinition(now: Definition | null, fields: Fields): Definition {
  const { description, expression, enabled, action, actionParameters, ratelimit } = fields
  const whole = {
    ...(now ?? { description: '', expression: '', enabled: true, action: '' }),
    ...(description === undefined ? {} : { description }),
    ...(expression === undefined ? {} : { expression }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(action === undefined ? {} : { action }),
    ...(actionParameters === undefined ? {} : { action_parameters: actionParameters }),
    ...(ratelimit === undefined ? {} : { ratelimit }),
  }
  const { action_parameters: parameters, ratelimit: limits, ...others } = whole
  return {
    ...others,
    ...(parameters === undefined || parameters === null ? {} : { action_parameters: parameters }),
    ...(limits === undefined || limits === null ? {} : { ratelimit: limits }),
  }
}

/** A rule without a `ref` of its own gets its id as `ref` from the provider. */
export const withRef = ({ ref: _ref, ...own }: Definition, ref: string | null): Definition => (ref === null ? own : { ...own, ref })
export const isSameDefinition = (one: Definition, other: Definition): boolean => isDeepStrictEqual(withRef(one, null), withRef(other, null))

export const storedRuleset = z.object({
  phase: rulePhase,
  rulesetId: z.string().nullable(),
  version: z.string().nullable(),
  rules: z.array(storedRule),
  problem: zoneRuleset.shape.problem,
})
export type StoredRuleset = z.infer<typeof storedRuleset>

export const storedPageRules = z.object({
  rules: z.array(
    z.object({
      id: z.string(),
      targets: z.array(z.string()),
      actions: z.array(z.object({ id: z.string(), value: z.unknown() })),
      priority: z.number().nullable(),
      status: z.string(),
    }),
  ),
  problem: zoneRuleset.shape.problem,
})
export type StoredPageRules = z.infer<typeof storedPageRules>

/** The rules of a zone as of the last reading. */
export interface RulesetMirror {
  readonly rulesets: readonly StoredRuleset[]
  readonly pageRules: StoredPageRules
  readonly readAt: Date
}

export const emptyRuleset = (phase: RulePhase): StoredRuleset => ({ phase, rulesetId: null, version: null, rules: [], problem: null })

/** Whether a ruleset was not written since: each write makes another version. */
export const isSameVersion = (stored: StoredRuleset, { rulesetId, version }: Pick<StoredRuleset, 'rulesetId' | 'version'>): boolean =>
  stored.problem === null && stored.rulesetId === rulesetId && stored.version === version

export const rulesetOf = ({ rulesets }: Pick<RulesetMirror, 'rulesets'>, phase: RulePhase): StoredRuleset =>
  rulesets.find((ruleset) => ruleset.phase === phase) ?? emptyRuleset(phase)

const toStoredRule = ({ id, ref, version, lastUpdated, definition }: HostedRule): StoredRule => ({
  id,
  ref,
  version,
  modifiedAt: lastUpdated?.toISOString() ?? null,
  definition: { ...definition },
})

export const toStored = (phase: RulePhase, hosted: HostedRuleset | null): StoredRuleset =>
  hosted === null
    ? emptyRuleset(phase)
    : { phase, rulesetId: hosted.id, version: hosted.version, rules: hosted.rules.map(toStoredRule), problem: null }

export const toStoredPageRules = (rules: readonly HostedPageRule[]): StoredPageRules => ({
  rules: rules.map(({ id, targets, actions, priority, status }) => ({
    id,
    targets: [...targets],
    actions: [...actions],
    priority,
    status,
  })),
  problem: null,
})

export const toLogged = (phase: RulePhase, { id, ref, definition }: StoredRule, index: number): LoggedRule => ({
  phase,
  position: index + 1,
  id,
  ref,
  definition,
})

/** All rules of a zone in the form of the history. */
export const listLogged = ({ rulesets }: RulesetMirror): LoggedRule[] =>
  rulesets.flatMap(({ phase, rules }) => rules.map((rule, index) => toLogged(phase, rule, index)))

/** The ids of rules in their order, and what people call them. */
const loggedOrder = z.object({ value: z.array(z.string()).readonly(), names: z.array(z.string()).readonly() })
type LoggedOrder = z.infer<typeof loggedOrder>
const loggedSide = z.union([loggedRule, loggedOrder]).nullable()

/** A change of one rule, or of the order of a phase, as the history has it. */
export const rulesetChange = z.object({
  subject: z.enum(['rule', 'rule_order']),
  /** The id of the rule, or the phase. */
  key: z.string(),
  before: loggedSide,
  after: loggedSide,
})
export type RulesetChange = Readonly<z.infer<typeof rulesetChange>>
export interface RulesetDifference extends RulesetChange {
  readonly label: string
}

const longestLabel = 200
const longestName = 60
const labelOf = (rule: StoredRule | undefined): string =>
  (rule === undefined ? '' : rule.definition.description || rule.definition.expression).slice(0, longestLabel).toWellFormed()
const idsOf = (rules: readonly StoredRule[]) => rules.map(({ id }) => id)

/** What differs between two readings of a phase; nothing if the first one was refused. */
export function differencesOf(before: StoredRuleset, after: StoredRuleset): RulesetDifference[] {
  if (before.rulesetId === null && before.problem !== null) return []
  const { phase } = after
  const [was, is] = [before, after].map(({ rules }) => new Map(rules.map((rule, index) => [rule.id, toLogged(phase, rule, index)])))
  const kept = (rules: readonly StoredRule[]) => idsOf(rules).filter((id) => was?.has(id) === true && is?.has(id) === true)
  const [oldOrder, newOrder] = [kept(before.rules), kept(after.rules)]
  const namedOrder = (value: readonly string[]): LoggedOrder => ({
    value,
    names: value.map((id) =>
      labelOf(after.rules.find((each) => each.id === id))
        .slice(0, longestName)
        .toWellFormed(),
    ),
  })
  const rule = (each: StoredRule): RulesetDifference[] => {
    const sides = { before: was?.get(each.id) ?? null, after: is?.get(each.id) ?? null }
    const isEqual = isDeepStrictEqual(sides.before?.definition, sides.after?.definition)
    return isEqual ? [] : [{ subject: 'rule', key: each.id, label: labelOf(each), ...sides }]
  }
  return [
    ...before.rules.filter(({ id }) => is?.has(id) !== true).flatMap(rule),
    ...after.rules.flatMap(rule),
    ...(isDeepStrictEqual(oldOrder, newOrder)
      ? []
      : [{ subject: 'rule_order' as const, key: phase, label: phase, before: namedOrder(oldOrder), after: namedOrder(newOrder) }]),
  ]
}

const known = <T>(schema: z.ZodType<T>, value: unknown): T | null => schema.safeParse(value).data ?? null
const fields = zoneRuleset.shape.rules.element.shape

/** The profile of a rule, by the rule's reference. */
export type ProfileOf = (ref: string | null) => ZoneRule['profile']
/** A rule as the panel shows it. Without `profileOf` it has no profile. */
export function toZoneRule({ id, ref, version, modifiedAt, definition }: StoredRule, profileOf: ProfileOf | null = null): ZoneRule {
  const { description, expression, enabled, action } = definition
  const profile = profileOf?.(ref) ?? null
  return {
    id,
    ref,
    version,
    modifiedAt,
    isOurs: isOwnRule({ ref }),
    profile,
    isOfDeletedProfile: profileOf !== null && profile === null && isProfileRef(ref),
    description,
    expression,
    enabled,
    action,
    actionParameters: known(fields.actionParameters, definition.action_parameters ?? null),
    ratelimit: known(fields.ratelimit, definition.ratelimit ?? null),
  }
}

export const toZoneRuleset = (
  { phase, rulesetId, version, rules, problem }: StoredRuleset,
  plan: string | null,
  profileOf: ProfileOf,
): ZoneRuleset => ({
  phase,
  rulesetId,
  version,
  limit: ruleLimit(phase, plan),
  rules: rules.map((rule) => toZoneRule(rule, profileOf)),
  problem,
})

export function toAnswer(mirror: RulesetMirror, plan: string | null, profileOf: ProfileOf): ZoneRulesets {
  const tier = planTier(plan)
  return {
    readAt: mirror.readAt.toISOString(),
    rulesets: rulePhases.map((phase) => toZoneRuleset(rulesetOf(mirror, phase), plan, profileOf)),
    pageRules: {
      limit: tier === null ? null : pageRuleLimits[tier],
      rules: mirror.pageRules.rules.map(({ status, ...rule }) => ({
        ...rule,
        actions: rule.actions.map(({ id, value }) => ({ id, value: value ?? null })),
        isActive: status === 'active',
      })),
      problem: mirror.pageRules.problem,
    },
  }
}
