import { getSharedScope } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { mostHops } from '#shared/features/redirects/graph.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { parentsOf } from './parents-of.ts'
import { listEffective, listTargetHosts } from './redirects.repo.ts'
import type { RequestedHost } from './redirects.repo.ts'

export type ReachableRedirect = Redirect & { readonly accountId: string }

/** Bounds for what is checked with one change. */
const mostReachable = 10_000
const mostHosts = 100_000
/** Of the names of hosts and their parents that are looked up after one hop. */
const mostCharacters = 32_000_000

/**
 * The stored redirects of all accounts that the actor sees which a visit of one of these hosts can go through, the nearest ones first. One
 * look-up for each hop, of the hosts that no earlier one has visited.
 * @param except an account whose own redirects are not returned, but followed to those of others
 */
export async function findReachable(ctx: Ctx, hosts: readonly string[], except: string | null = null): Promise<ReachableRedirect[]> {
  const { role, userId } = ctx.actor
  const owners = role === 'admin' ? null : { userId, shared: await getSharedScope(ctx) }
  const { orm } = ctx.db
  const visited = createVisitedHosts()
  const found = new Map<string, ReachableRedirect>()
  let ahead = visited.add(hosts)
  for (let hop = 0; hop < mostHops && ahead.length > 0 && found.size < mostReachable; hop += 1) {
    const redirects = await listEffective(orm, owners, ahead, except, mostReachable - found.size)
    const own = except === null ? [] : await listTargetHosts(orm, except, ahead, mostHosts)
    for (const { targetHost: _targetHost, ...redirect } of redirects) found.set(`${redirect.accountId} ${redirect.source}`, redirect)
    ahead = visited.add([...redirects.flatMap(({ targetHost }) => targetHost ?? []), ...own])
  }
  return [...found.values()]
}

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
