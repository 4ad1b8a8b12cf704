import type { CheckedRecord, RecordProblem } from '#shared/features/domains/records/rules.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import { fillRecord } from '#shared/features/domains/records/template.ts'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import { longestExpression, ownRefPrefix, rulesetCatalog } from '#shared/features/domains/rulesets/phases.ts'
import type { PlanTier, RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { fillExpression, fillText, fixedVariables, listInString, placeholdersOf } from './variables.ts'
import type { ProfileVariable, RuleVariables, VariableKind } from './variables.ts'

/** The most rules of one profile. */
export const mostProfileRules = 100

/** A stand-in domain when there is none yet. */
const anyDomain = 'example.com'

/** Validates a profile record for one domain by the rules of DNS records. */
export const recordFor = (record: RecordInput, domain: string) => checkRecord(fillRecord(record, { domain }), domain)

const isAddress = ({ type }: Pick<RecordInput, 'type'>) => type === 'A' || type === 'AAAA' || type === 'CNAME'

/** The problems of a profile's records for any domain; `index` is the position of the record. */
export function recordProblems(records: readonly RecordInput[]): (RecordProblem & { readonly index: number })[] {
  const checked = records.map((record) => recordFor(record, anyDomain))
  return checked.flatMap(({ record, problems }, index) => {
    const beside = checked.some(
      (other, at) =>
        at !== index && record?.type === 'CNAME' && other.record !== null && isAddress(other.record) && other.record.name === record.name,
    )
    const cnameIssues = beside ? [{ field: 'name' as const, code: 'profile_cname_conflict' }] : []
    return [...problems, ...cnameIssues].map((problem) => ({ ...problem, index }))
  })
}

/** The name relative to its domain; `@` is the apex. */
export const relativeName = (name: string, domain: string): string =>
  name === domain ? '@' : name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name

/** The names at which a profile has records, relative, in the provider's notation. */
export const namesOf = (records: readonly RecordInput[]): string[] => [
  ...new Set(
    records.flatMap((record) => {
      const checked: CheckedRecord | null = recordFor(record, anyDomain).record
      return checked === null ? [] : [relativeName(checked.name, anyDomain)]
    }),
  ),
]

/** The first placeholder of a rule that is not a variable, probably a mistake; null if there is none. */
export function unknownVariable(
  { description, expression, actionParameters, ratelimit }: Omit<RuleDefinition, 'enabled' | 'action'>,
  names: readonly string[] = [],
): string | null {
  const known = new Set([...fixedVariables, ...names])
  const text = JSON.stringify([description, expression, actionParameters, ratelimit])
  const all = text.matchAll(/\{\{\s{0,20}([a-z_.-][ a-z0-9_.-]{0,60})\}\}/gi)
  return all.find(([, name = '']) => !known.has(name.trim().toLowerCase()))?.[0] ?? null
}

/** The names of the parameters that are expressions. */
const expressionKeys: ReadonlySet<string> = new Set(['expression', 'counting_expression'])

/** Every text of a JSON value filled; undefined if a variable has no value. */
function fillJson(value: unknown, variables: RuleVariables, fill: typeof fillText = fillText): unknown {
  if (typeof value === 'string') return fill(value, variables) ?? undefined
  if (Array.isArray(value)) {
    const items = value.map((each) => fillJson(each, variables))
    return items.includes(undefined) ? undefined : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, each]) =>
      [key, each === undefined ? null : fillJson(each, variables, expressionKeys.has(key) ? fillExpression : fillText)] as const,
  )
  return entries.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(entries)
}

/** Every expression of a rule. */
function expressionsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return expressionKeys.has(key) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => expressionsOf(each, name))
}
/** The first list of values in a string of an expression of the rule; null if there is none. */
export function misplacedList(rule: Omit<RuleDefinition, 'enabled' | 'action'>, variables: RuleVariables): string | null {
  return expressionsOf(rule).flatMap((expression) => listInString(expression, variables) ?? [])[0] ?? null
}

/** The names of the variables that rules use. */
export const variablesIn = (rules: readonly Omit<RuleDefinition, 'enabled' | 'action'>[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap(({ description, expression, actionParameters, ratelimit }) =>
      placeholdersOf(JSON.stringify([description, expression, actionParameters, ratelimit])),
    ),
  )

type FilledRule = { readonly rule: RuleDefinition } | { readonly refused: 'variable_missing' | 'expression_too_long' }

/** The rule of a profile for one domain. */
export function fillRule(
  { description, expression, enabled, action, actionParameters, ratelimit }: RuleDefinition,
  variables: RuleVariables,
): FilledRule {
  const filled = fillJson({ description, expression, actionParameters, ratelimit }, variables) as
    | Pick<RuleDefinition, 'description' | 'expression' | 'actionParameters' | 'ratelimit'>
    | undefined
  if (filled === undefined) return { refused: 'variable_missing' }
  if (filled.expression.length > longestExpression) return { refused: 'expression_too_long' }
  return { rule: { ...filled, enabled, action } }
}

const anyValues: Readonly<Record<VariableKind, readonly string[]>> = { text: ['example'], countries: ['US'], addresses: ['192.0.2.1'] }
/** Stand-ins to check a rule before there is a domain. */
export const anyVariables = (variables: readonly Pick<ProfileVariable, 'name' | 'kind'>[]): RuleVariables => ({
  domain: anyDomain,
  trackerHost: `tracker.${anyDomain}`,
  own: Object.fromEntries(variables.map(({ name, kind }) => [name, { kind, values: anyValues[kind] }])),
})

const idDigits = 12
/** The `ref` of a profile's rule at Cloudflare, by which it is recognized: the random end of the profile's id and the key of the rule. */
export const profileRef = (profileId: string, key: string): string =>
  `${ownRefPrefix}${profileId.replaceAll('-', '').slice(-idDigits)}_${key}`
const profilePattern = /^[0-9a-f]{12}_/
/** Whether a profile added the rule; other rules of the panel were added in the Rules tab of their domain. */
export const isProfileRef = (ref: string | null): boolean =>
  ref?.startsWith(ownRefPrefix) === true && profilePattern.test(ref.slice(ownRefPrefix.length))

/** Recognizes the rules of these profiles; those of another installation's profiles are rules of others. */
export function refsOf(profileIds: Iterable<string>): (ref: string | null) => boolean {
  const starts = new Set([...profileIds].map((id) => profileRef(id, '')))
  return (ref) => ref !== null && isProfileRef(ref) && starts.has(ref.slice(0, ownRefPrefix.length + idDigits + 1))
}

/** How many rules of each phase a profile has, with the limits of each plan. */
export function ruleCosts(rules: readonly { readonly phase: RulePhase }[]): {
  readonly phase: RulePhase
  readonly rules: number
  readonly limits: Readonly<Record<PlanTier, number | null>>
}[] {
  return (Object.keys(rulesetCatalog) as RulePhase[]).flatMap((phase) => {
    const count = rules.filter((rule) => rule.phase === phase).length
    return count === 0 ? [] : [{ phase, rules: count, limits: rulesetCatalog[phase].limits }]
  })
}
