import type { StoredRule } from '#server/features/domains/rulesets/index.ts'
import { evaluateCondition, evaluateText } from '#shared/features/domains/rulesets/expression/evaluate.ts'
import { parseExpression } from '#shared/features/domains/rulesets/expression/parse.ts'
import { matchWildcard } from '#shared/features/domains/rulesets/expression/wildcard.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { redirectPhase } from '#shared/features/redirects/own-list.ts'
import { parseTarget } from '#shared/features/redirects/redirect-url.ts'
import { z } from 'zod'

export interface RuleDecision {
  /** The rule that redirects; null if none does. */
  readonly redirect: { readonly rule: string; readonly status: number; readonly url: URL } | null
  /** The first rule before it that may decide, but not by the address. */
  readonly unclear: string | null
}

const nameOf = ({ definition: { description, expression } }: StoredRule): string => description || expression

const target = z.object({
  from_value: z.object({
    target_url: z.union([z.object({ value: z.string() }), z.object({ expression: z.string() })]),
    status_code: z.int().default(301),
    preserve_query_string: z.boolean().default(false),
  }),
})

type Parsed = ReturnType<typeof parseExpression>
/** Rules are evaluated for many addresses. */
const conditions = new WeakMap<StoredRule, Parsed>()
function conditionOf(phase: RulePhase, rule: StoredRule): Parsed {
  const known = conditions.get(rule)
  if (known !== undefined) return known
  const parsed = parseExpression(rule.definition.expression, { phase, tier: null })
  conditions.set(rule, parsed)
  return parsed
}

/** Whether a rule matches a visit of an address; null if the address does not decide. */
function isMatch(phase: RulePhase, rule: StoredRule, url: URL): boolean | null {
  if (!rule.definition.enabled) return false
  const parsed = conditionOf(phase, rule)
  return parsed.ok ? evaluateCondition(parsed.ast, url) : null
}

function leadsTo({ definition }: StoredRule, url: URL): { readonly status: number; readonly url: URL } | null {
  const parameters = target.safeParse(definition.action_parameters).data?.from_value
  if (parameters === undefined) return null
  const { target_url: to, status_code: status, preserve_query_string: keepsQuery } = parameters
  let text: string | null = null
  if ('value' in to) text = to.value
  else {
    const parsed = parseExpression(to.expression, { phase: redirectPhase, tier: null, kind: 'value' })
    if (parsed.ok) text = evaluateText(parsed.ast, url)
  }
  const next = text === null ? null : URL.parse(text, url.href)
  if (next === null) return null
  // Which of two query strings wins is not documented.
  if (keepsQuery && url.search !== '' && next.search !== '') return null
  if (keepsQuery) next.search = url.search
  return { status, url: next }
}

const originOf = /^\s*concat\(\s*"(https?:\/\/[^"/?#]+)/i

/** The host that a single redirect leads to; null if it depends on the request. */
export function targetHostOf({ definition }: StoredRule): string | null {
  const to = target.safeParse(definition.action_parameters).data?.from_value.target_url
  if (!definition.enabled || to === undefined) return null
  const parsed = parseTarget('value' in to ? to.value : (originOf.exec(to.expression)?.[1] ?? ''))
  return 'issue' in parsed ? null : parsed.host
}

/** What the single redirects of a domain do with a visit of an address: the first one that matches decides. */
export function decideByRules(rules: readonly StoredRule[], url: URL): RuleDecision {
  let unclear: string | null = null
  for (const rule of rules) {
    const matches = isMatch(redirectPhase, rule, url)
    if (matches === false) continue
    const next = matches === true ? leadsTo(rule, url) : null
    if (next !== null) return { redirect: { rule: nameOf(rule), ...next }, unclear }
    unclear ??= nameOf(rule)
    // It redirects to an address that cannot be computed: the rules after it do not run.
    if (matches === true) break
  }
  return { redirect: null, unclear }
}

/** The first rule of a domain that may rewrite the address before lists of redirects are asked. */
export const findRewrite = (rules: readonly StoredRule[], url: URL): string | null => {
  const found = rules.find((rule) => isMatch('http_request_transform', rule, url) !== false)
  return found === undefined ? null : nameOf(found)
}

interface PageRule {
  readonly targets: readonly string[]
  readonly actions: readonly { readonly id: string }[]
  readonly status: string
}

/** The page rule that forwards an address. Page rules run after every list, and are only looked for. */
export function findForwarding(pageRules: readonly PageRule[], url: URL): string | null {
  const bare = `${url.host}${url.pathname}${url.search}`
  const found = pageRules.find(
    ({ status, actions, targets }) =>
      status === 'active' &&
      actions.some(({ id }) => id === 'forwarding_url') &&
      targets.some((pattern) => matchWildcard(/^https?:\/\//i.test(pattern) ? url.href : bare, pattern, false) !== null),
  )
  return found?.targets[0] ?? null
}
