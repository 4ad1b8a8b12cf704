import { z } from 'zod'
import { storedRule } from '#server/features/domains/rulesets/index.ts'
import { getSharedScope } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { mostHops } from '#shared/features/redirects/graph.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { parentsOf } from './parents-of.ts'
import { targetHostOf } from './decide-by-rules.policy.ts'
import type { DomainRules } from './find-rules.policy.ts'
import { listEffective, listRedirectRules, listTargetHosts } from './redirects.repo.ts'
import type { RequestedHost } from './redirects.repo.ts'

export interface Reachable {
  readonly redirects: readonly (Redirect & { readonly accountId: string })[]
  readonly rules: readonly DomainRules[]
}

/** Bounds for what is checked with one change. */
const mostReachable = 10_000
const mostHosts = 100_000
const mostDomains = 1_000
/** Of the names of hosts and their parents that are looked up after one hop. */
const mostCharacters = 32_000_000

/**
 * The stored redirects of all accounts that the actor sees which a visit of one of these hosts can go through, the nearest ones first, and
 * the single redirects of their domains. One look-up for each hop, of the hosts that no earlier one has visited.
 * @param except an account whose own redirects are not returned, but followed to those of others
 */
export async function findReachable(ctx: Ctx, hosts: readonly string[], except: string | null = null): Promise<Reachable> {
  const { role, userId } = ctx.actor
  const owners = role === 'admin' ? null : { userId, shared: await getSharedScope(ctx) }
  const { orm } = ctx.db
  const visited = createVisitedHosts()
  const found = new Map<string, Reachable['redirects'][number]>()
  const rules = new Map<string, DomainRules>()
  let ahead = visited.add(hosts)
  for (let hop = 0; hop < mostHops && ahead.length > 0 && found.size < mostReachable; hop += 1) {
    const redirects = await listEffective(orm, owners, ahead, except, mostReachable - found.size)
    const own = except === null ? [] : await listTargetHosts(orm, except, ahead, mostHosts)
    const domains = ahead.flatMap(({ name }) => (rules.has(name) ? [] : [name]))
    const single = toDomainRules(await listRedirectRules(orm, owners, domains, mostDomains - rules.size))
    for (const each of single) rules.set(each.domain, each)
    for (const { targetHost: _targetHost, ...redirect } of redirects) found.set(`${redirect.accountId} ${redirect.source}`, redirect)
    ahead = visited.add([
      ...redirects.flatMap(({ targetHost }) => targetHost ?? []),
      ...own,
      ...single.flatMap((each) => each.rules.flatMap((rule) => targetHostOf(rule) ?? [])),
    ])
  }
  return { redirects: [...found.values()], rules: [...rules.values()] }
}

const storedRules = z.array(storedRule)
/** Rules that another version of the panel has stored are not known until they are read again. */
const toDomainRules = (stored: Awaited<ReturnType<typeof listRedirectRules>>): DomainRules[] =>
  stored.flatMap(({ domain, rules }) => {
    const known = storedRules.safeParse(rules)
    return known.success ? [{ domain, rules: known.data }] : []
  })

/** Redirects of a host may be its own, or those of its parents that include subdomains. */
function createVisitedHosts() {
  const visited = new Map<string, boolean>()
  return {
    /** What is still to be looked up for requests of these hosts. */
    add(hosts: readonly string[]): RequestedHost[] {
      const names = new Set<string>()
      let characters = 0
      for (const host of hosts) {
        if (visited.get(host) === true) continue
        for (const name of parentsOf(host)) {
          const isHost = name === host
          if (visited.has(name) && !isHost) continue
          visited.set(name, isHost || visited.get(name) === true)
          names.add(name)
          characters += name.length
        }
        if (characters > mostCharacters) break
      }
      return [...names].map((name) => ({ name, isHost: visited.get(name) === true }))
    },
  }
}
