import { followRedirects, indexRedirects } from '#shared/features/redirects/graph.ts'
import { parseTarget } from '#shared/features/redirects/redirect-url.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { parentsOf } from './parents-of.ts'

/**
 * The domains that a URL leads back to if all of them are redirected to it. Without one of them, its stored redirect may close another loop.
 * @param redirects the planned redirects, by domain
 * @param stored the redirects that a visit of the URL can go through
 */
export function findLeadingBack(redirects: ReadonlyMap<string, Redirect>, stored: readonly Redirect[], url: string): Set<string> {
  const left = new Set<string>()
  const start = URL.parse(url)
  if (start === null) return left
  const touched = new Set([url, ...stored.map(({ target }) => target)].flatMap((target) => domainOf(target, redirects) ?? []))
  for (;;) {
    const planned = [...touched].flatMap((domain) => (left.has(domain) ? [] : (redirects.get(domain) ?? [])))
    const sources = new Set(planned.map(({ source }) => source))
    const index = indexRedirects([...planned, ...stored.filter(({ source }) => !sources.has(source))])
    const { hops } = followRedirects(index, start)
    const back = hops.find(({ redirect }) => planned.includes(redirect))
    const domain = back === undefined ? undefined : [...touched].find((each) => redirects.get(each) === back.redirect)
    if (domain === undefined) return left
    left.add(domain)
  }
}

function domainOf(target: string, redirects: ReadonlyMap<string, Redirect>): string | undefined {
  const parsed = parseTarget(target)
  return 'issue' in parsed ? undefined : parentsOf(parsed.host).find((name) => redirects.has(name))
}
