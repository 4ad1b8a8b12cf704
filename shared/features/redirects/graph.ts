import { mostSlashes, parseSource, parseTarget, requestOf } from './redirect-url.ts'
import type { RedirectSource, RedirectTarget } from './redirect-url.ts'
import type { Redirect } from './schema.ts'

/** After as many redirects browsers report a loop. */
export const mostHops = 20

interface Node {
  readonly redirect: Redirect
  readonly source: RedirectSource
  /** Null: the target is not a web address. */
  readonly target: RedirectTarget | null
}

interface Found {
  readonly node: Node
  readonly suffix: string
}

/** A rule of a domain that redirects, or may redirect, before the lists of its account are asked. */
export interface RuleHop {
  readonly rule: string
  /** Null: it does not lead to a web address. */
  readonly url: URL | null
  /** False: more than the address decides whether it redirects, so that it is not followed. */
  readonly isCertain: boolean
}
/** The rules that decide for a host; null if it has none. They return null if none of them redirects an address. */
export type FindRules = (host: string) => ((url: URL) => RuleHop | null) | null

/** Redirects, indexed for matching. */
export interface RedirectIndex {
  readonly nodes: readonly Node[]
  readonly findNode: (request: RedirectSource) => Found | null
  /** What the rules of its domain do with a request. */
  readonly findRuleHop: (request: RedirectSource, url: () => URL) => RuleHop | null
  /** Whether more was looked up than an answer may cost; nothing is found afterwards. */
  readonly isExhausted: () => boolean
}

/** Places that are looked at for one index: a hundred for each redirect of the largest list, which takes seconds. */
const mostLookups = 10_000_000
/** What evaluating the rules of a domain counts as. */
const lookupsForRules = 100

/** Of redirects that all match, the one with the most specific path wins, then of the host, then of the scheme. */
export function indexRedirects(redirects: readonly Redirect[], findRules: FindRules = () => null): RedirectIndex {
  const nodes: Node[] = []
  /** By host, then by path without its last slash. */
  const places = new Map<string, Map<string, Node[]>>()
  const paths = new Set<string>()
  let lookups = 0
  const hostsWithSubdomains = new Set<string>()
  for (const redirect of redirects) {
    const source = parseSource(redirect.source)
    if ('issue' in source) continue
    const target = parseTarget(redirect.target)
    const node: Node = { redirect, source, target: 'issue' in target ? null : target }
    nodes.push(node)
    const ofHost = places.get(source.host) ?? new Map<string, Node[]>()
    places.set(source.host, ofHost)
    const path = withoutSlash(source.path)
    const there = ofHost.get(path)
    if (there === undefined) ofHost.set(path, [node])
    else there.push(node)
    paths.add(path)
    if (redirect.includeSubdomains) hostsWithSubdomains.add(source.host)
  }

  /** The host and its parents that have redirects. */
  function hostsOf(host: string): string[] {
    const hosts = places.has(host) ? [host] : []
    if (hostsWithSubdomains.size === 0) return hosts
    for (let at = host.indexOf('.'); at !== -1; at = host.indexOf('.', at + 1)) {
      const parent = host.slice(at + 1)
      if (hostsWithSubdomains.has(parent)) hosts.push(parent)
    }
    return hosts
  }

  function findAt(hosts: readonly string[], path: string, request: RedirectSource): Found | null {
    for (const host of hosts) {
      lookups += 1
      const matching = (places.get(host)?.get(path) ?? []).filter(({ source, redirect }) => {
        if (source.scheme !== null && source.scheme !== request.scheme) return false
        if (host !== request.host && !redirect.includeSubdomains) return false
        return source.path === request.path || (redirect.subpathMatching && isBelow(request.path, source.path))
      })
      const best = matching.toSorted((one, other) => specificity(other) - specificity(one))[0]
      if (best !== undefined) return { node: best, suffix: request.path.slice(best.source.path.length).replace(/^\//, '') }
    }
    return null
  }

  function findNode(request: RedirectSource): Found | null {
    if (lookups > mostLookups) return null
    const hosts = hostsOf(request.host)
    if (hosts.length === 0) return null
    // Long paths cost more to look up.
    lookups += 1 + request.path.length / 128
    for (const path of pathsOf(request.path)) {
      if (!paths.has(path)) continue
      const found = findAt(hosts, path, request)
      if (found !== null) return found
    }
    return null
  }

  function findRuleHop({ host }: RedirectSource, url: () => URL): RuleHop | null {
    if (lookups > mostLookups) return null
    const decide = findRules(host)
    if (decide === null) return null
    lookups += lookupsForRules
    return decide(url())
  }

  return {
    nodes,
    findNode,
    findRuleHop,
    isExhausted: () => lookups > mostLookups,
  }
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)
const isBelow = (path: string, parent: string): boolean => path.startsWith(parent.endsWith('/') ? parent : `${parent}/`)
const specificity = ({ source }: Node): number => source.path.length * 2 + (source.scheme === null ? 0 : 1)

/** The path and the paths above it, longest first, as far as sources can have them. */
function pathsOf(path: string): string[] {
  const paths = [withoutSlash(path)]
  const above: string[] = []
  let at = path.indexOf('/', 1)
  for (let slashes = 1; at !== -1 && slashes <= mostSlashes; slashes += 1) {
    above.push(path.slice(0, at))
    at = path.indexOf('/', at + 1)
  }
  for (const each of above.toReversed()) if (each !== paths[0]) paths.push(each)
  if (paths[0] !== '') paths.push('')
  return paths
}

/** Where a request of this address is redirected to; null if the target is not a web address. */
function leadsTo({ redirect, target }: Node, suffix: string, search: string): URL | null {
  if (target === null) return null
  const url = new URL(redirect.target)
  if (redirect.subpathMatching && redirect.preservePathSuffix && suffix !== '')
    url.pathname = `${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}${suffix}`
  if (redirect.preserveQueryString) url.search = search
  return url
}

/** The redirect of a list that decides for an address, and where it leads: null if its target is not a web address. */
export function nextRedirect(index: RedirectIndex, url: URL): { readonly redirect: Redirect; readonly url: URL | null } | null {
  const found = index.findNode(requestOf(url))
  return found === null ? null : { redirect: found.node.redirect, url: leadsTo(found.node, found.suffix, url.search) }
}

export interface RedirectHop {
  readonly url: string
  readonly redirect: Redirect
}

/** Follows an address from redirect to redirect, through rules too; the hops are those of redirects. */
export function followRedirects(
  index: RedirectIndex,
  given: URL,
): { readonly hops: readonly RedirectHop[]; readonly end: string; readonly isLoop: boolean } {
  const hops: RedirectHop[] = []
  const seen = new Set<string>()
  let url = given
  for (;;) {
    const at = url
    const hop = index.findRuleHop(requestOf(at), () => at)
    const found = hop?.isCertain === true ? hop : nextRedirect(index, at)
    if (found === null) return { hops, end: at.href, isLoop: false }
    if (seen.has(at.href) || seen.size >= mostHops) return { hops, end: at.href, isLoop: true }
    seen.add(at.href)
    if ('redirect' in found) hops.push({ url: at.href, redirect: found.redirect })
    if (found.url === null) return { hops, end: 'redirect' in found ? found.redirect.target : at.href, isLoop: false }
    ;({ url } = found)
  }
}

export interface RedirectFinding {
  readonly source: string
  /** A loop never arrives; a chain arrives after several redirects; whether a rule redirects again may not be certain. */
  readonly kind: 'loop' | 'chain' | 'uncertain'
  /** The redirect that its target is redirected by: its source, or the name of a rule. */
  readonly next: string
}

/**
 * The redirects whose targets are redirected again. Each is evaluated for requests of exactly its source. Redirects that were evaluated are
 * not followed again, so the effort grows with their number, not with the length of chains.
 */
export function checkRedirects(index: RedirectIndex): RedirectFinding[] {
  const ends = new Map<Node, 'end' | 'loop'>()
  const nextByTarget = new Map<string, ReturnType<typeof nextSource>>()
  const nextOf = (node: Node) => {
    const known = nextByTarget.get(node.redirect.target)
    if (known !== undefined) return known
    const next = nextSource(index, node)
    nextByTarget.set(node.redirect.target, next)
    return next
  }
  const findings: RedirectFinding[] = []
  for (const start of index.nodes) {
    const path: Node[] = []
    const onPath = new Set<Node>()
    let node: Node = start
    let result: 'end' | 'loop' | undefined
    while (result === undefined) {
      result = ends.get(node)
      if (result !== undefined) break
      if (onPath.has(node)) {
        result = 'loop'
        break
      }
      path.push(node)
      onPath.add(node)
      const { node: next, end } = nextOf(node)
      if (next === null) result = end
      else node = next
    }
    for (const each of path) ends.set(each, result)
  }
  for (const node of index.nodes) {
    const { source } = node.redirect
    const { first, uncertain } = nextOf(node)
    if (first !== null) findings.push({ source, kind: ends.get(node) === 'loop' ? 'loop' : 'chain', next: first })
    if (uncertain !== null) findings.push({ source, kind: 'uncertain', next: uncertain })
  }
  return findings
}

interface Next {
  /** What redirects the target: the source of a redirect, or the name of a rule; null if nothing does. */
  readonly first: string | null
  /** The first rule on the way that may redirect. */
  readonly uncertain: string | null
  /** The next redirect whose own source is requested. */
  readonly node: Node | null
  /** How it ends if there is none. */
  readonly end: 'end' | 'loop'
}

function nextSource(index: RedirectIndex, { redirect, target }: Node): Next {
  let first: string | null = null
  let uncertain: string | null = null
  let request: RedirectSource | null = target
  let url: URL | null = null
  for (let hops = 0; hops < mostHops; hops += 1) {
    if (request === null) return { first, uncertain, node: null, end: 'end' }
    const requested = url
    const hop = index.findRuleHop(request, () => requested ?? new URL(redirect.target))
    if (hop?.isCertain === true) {
      first ??= hop.rule
      ;({ url } = hop)
    } else {
      uncertain ??= hop?.rule ?? null
      const found = index.findNode(request)
      if (found === null) return { first, uncertain, node: null, end: 'end' }
      first ??= found.node.redirect.source
      if (found.suffix === '') return { first, uncertain, node: found.node, end: 'end' }
      url = leadsTo(found.node, found.suffix, '')
    }
    request = url === null ? null : requestOf(url)
  }
  return { first, uncertain, node: null, end: 'loop' }
}
