import type { StoredRule } from '#server/features/domains/rulesets/index.ts'
import type { FindRules } from '#shared/features/redirects/graph.ts'
import { decideByRules } from './decide-by-rules.policy.ts'
import { parentsOf } from './parents-of.ts'

/** The single redirects of a domain, which run before the lists of its account. */
export interface DomainRules {
  readonly domain: string
  readonly rules: readonly StoredRule[]
}

/** What the rules of the domains do with requests. A redirect that depends on more than the address is not certain. */
export function findRulesIn(domains: readonly DomainRules[]): FindRules {
  const byDomain = new Map(domains.map(({ domain, rules }) => [domain, deciderOf(domain, rules)]))
  const byHost = new Map<string, ReturnType<FindRules>>()
  return (host) => {
    if (byDomain.size === 0) return null
    const known = byHost.get(host)
    if (known !== undefined) return known
    const domain = parentsOf(host).find((name) => byDomain.has(name))
    const decider = domain === undefined ? null : (byDomain.get(domain) ?? null)
    byHost.set(host, decider)
    return decider
  }
}

const deciderOf =
  (domain: string, rules: readonly StoredRule[]): ReturnType<FindRules> =>
  (url) => {
    const { redirect, unclear } = decideByRules(rules, url)
    if (unclear !== null) return { rule: `${domain}: ${unclear}`, url: null, isCertain: false }
    return redirect === null ? null : { rule: `${domain}: ${redirect.rule}`, url: redirect.url, isCertain: true }
  }
