import { isSameDefinition, rulesetOf } from '#server/features/domains/rulesets/index.ts'
import type { Definition, RulesetMirror } from '#server/features/domains/rulesets/index.ts'
import { ruleLimit } from '#shared/features/domains/rulesets/phases.ts'
import { findDomainRule, redirectPhase } from '#shared/features/redirects/own-list.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const onlyHost = (domain: string): string => `http.host eq ${quoted(domain)}`

/** Whether requests of a host of the domain can get to its single redirect. */
export const isRuleOf = ({ expression }: Definition, domain: string, host: string): boolean =>
  host === domain || expression !== onlyHost(domain)

/** The single redirect that does for a whole domain what this redirect does in the list of its account. */
export function domainRule(domain: string, redirect: Redirect): Definition {
  const { target, status, preserveQueryString, includeSubdomains, preservePathSuffix } = redirect
  const { origin, pathname, search, hash, href } = new URL(target)
  const base = `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}`
  const parts = [quoted(base), 'http.request.uri.path', ...(search + hash === '' ? [] : [quoted(search + hash)])]
  return {
    description: `Redirect to ${target}`,
    expression: includeSubdomains ? 'true' : onlyHost(domain),
    enabled: true,
    action: 'redirect',
    action_parameters: {
      from_value: {
        status_code: status,
        preserve_query_string: preserveQueryString,
        target_url: preservePathSuffix ? { expression: `concat(${parts.join(', ')})` } : { value: href },
      },
    },
  }
}

export interface DomainRulePlan {
  readonly before: Definition | null
  readonly after: Definition
  /** 1 is the first rule of its phase. */
  readonly position: number
  /** What the stored rules of the domain are worth. */
  readonly reading: 'read' | 'unread' | 'forbidden'
}

/** @param plan the plan of the domain at Cloudflare */
export function planDomainRule(
  after: Definition,
  mirror: RulesetMirror | undefined,
  plan: string | null,
): DomainRulePlan | { readonly unchanged: true } | { readonly refused: 'rule_quota_reached' } {
  const { rules, problem } = rulesetOf(mirror ?? { rulesets: [] }, redirectPhase)
  const own = findDomainRule(rules)
  if (own !== undefined && isSameDefinition(own.definition, after)) return { unchanged: true }
  const limit = ruleLimit(redirectPhase, plan)
  if (own === undefined && limit !== null && rules.length >= limit) return { refused: 'rule_quota_reached' }
  return {
    before: own?.definition ?? null,
    after,
    position: own === undefined ? rules.length + 1 : rules.indexOf(own) + 1,
    reading: mirror === undefined ? 'unread' : problem === null ? 'read' : 'forbidden',
  }
}
