import type { CheckedRecord, RecordProblem } from '#shared/features/domains/records/rules.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import { fillRecord } from '#shared/features/domains/records/template.ts'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import { longestExpression, ownRefPrefix, rulesetCatalog } from '#shared/features/domains/rulesets/phases.ts'
import type { PlanTier, RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'

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

/** What the rules of a profile may say about the domain that they are applied to. */
export interface RuleVariables {
  readonly domain: string
  /** The host of the tracker that the domain is bound to; null without one. */
  readonly trackerHost: string | null
}
const variable = /\{\{\s{0,20}(domain|tracker_host)\s{0,20}\}\}/gi

/** The first placeholder of a rule that is not a variable, probably a mistake; null if there is none. */
export function unknownVariable(
  rule: Pick<RuleDefinition, 'description' | 'expression' | 'actionParameters' | 'ratelimit'>,
): string | null {
  const { description, expression, actionParameters, ratelimit } = rule
  const text = JSON.stringify([description, expression, actionParameters, ratelimit]).replaceAll(variable, '')
  return /\{\{\s{0,20}[a-z_.-][ a-z_.-]{0,40}\}\}/i.exec(text)?.[0] ?? null
}

/** Replaces the variables in one pass; null if one of them has no value. */
function fillText(text: string, { domain, trackerHost }: RuleVariables): string | null {
  let isComplete = true
  const filled = text.replaceAll(variable, (_whole, name: string) => {
    const value = name.toLowerCase() === 'domain' ? domain : trackerHost
    if (value === null) isComplete = false
    return value ?? ''
  })
  return isComplete ? filled : null
}

/** Every text of a JSON value filled; undefined if a variable has no value. */
function fillJson(value: unknown, variables: RuleVariables): unknown {
  if (typeof value === 'string') return fillText(value, variables) ?? undefined
  if (Array.isArray(value)) {
    const items = value.map((each) => fillJson(each, variables))
    return items.includes(undefined) ? undefined : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, each === undefined ? null : fillJson(each, variables)] as const)
  return entries.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(entries)
}

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

/** Stand-ins to check a rule before there is a domain. */
export const anyVariables: RuleVariables = { domain: anyDomain, trackerHost: `tracker.${anyDomain}` }

const idDigits = 12
/** The `ref` of a profile's rule at Cloudflare, by which it is recognized: the random end of the profile's id and the key of the rule. */
export const profileRef = (profileId: string, key: string): string =>
  `${ownRefPrefix}${profileId.replaceAll('-', '').slice(-idDigits)}_${key}`
const profilePattern = /^[0-9a-f]{12}_/
/** Whether a profile added the rule; other rules of the panel were added in the Rules tab of their domain. */
export const isProfileRef = (ref: string | null): boolean =>
  ref?.startsWith(ownRefPrefix) === true && profilePattern.test(ref.slice(ownRefPrefix.length))

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
