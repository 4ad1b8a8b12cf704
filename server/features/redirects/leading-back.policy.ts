import { followRedirects, indexRedirects } from '#shared/features/redirects/graph.ts'
import { findDomainRule } from '#shared/features/redirects/own-list.ts'
import { parseTarget } from '#shared/features/redirects/redirect-url.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { targetHostOf } from './decide-by-rules.policy.ts'
import type { Reachable } from './find-reachable.ts'
import { findRulesIn } from './find-rules.policy.ts'
import { parentsOf } from './parents-of.ts'

/** What a visit can go through once these domains are redirected: a single redirect of the panel is replaced. */
export const withoutReplaced = ({ redirects, rules }: Reachable, domains: ReadonlyMap<string, unknown>): Reachable => ({
  redirects,
  rules: rules.filter((of) => !domains.has(of.domain) || findDomainRule(of.rules) === undefined),
})

/**
 * The domains that a URL leads back to if all of them are redirected to it. Without one of them, its stored redirect may close another loop.
 * @param redirects the planned redirects, by domain
 * @param reachable what a visit of the URL can go through besides
 */
export function findLeadingBack(
  redirects: ReadonlyMap<string, Redirect>,
  { redirects: stored, rules }: Reachable,
  url: string,
): Set<string> {
  const left = new Set<string>()
  const start = URL.parse(url)
  if (start === null) return left
  const hosts = [url, ...stored.map(({ target }) => target)].flatMap((target) => hostOf(target) ?? [])
  const hostsOfRules = rules.flatMap((of) => of.rules.flatMap((rule) => targetHostOf(rule) ?? []))
  const touched = new Set([...hosts, ...hostsOfRules].flatMap((host) => parentsOf(host).find((name) => redirects.has(name)) ?? []))
  const findRules = findRulesIn(rules)
  for (;;) {
    const planned = [...touched].flatMap((domain) => (left.has(domain) ? [] : (redirects.get(domain) ?? [])))
    const sources = new Set(planned.map(({ source }) => source))
    const index = indexRedirects([...planned, ...stored.filter(({ source }) => !sources.has(source))], findRules)
    const { hops } = followRedirects(index, start)
    const back = hops.find(({ redirect }) => planned.includes(redirect))
    const domain = back === undefined ? undefined : [...touched].find((each) => redirects.get(each) === back.redirect)
    if (domain === undefined) return left
    left.add(domain)
  }
}

function hostOf(target: string): string | undefined {
  const parsed = parseTarget(target)
  return 'issue' in parsed ? undefined : parsed.host
}
