import type { Item } from './queries.ts'

/** Domains with the same required name servers. */
export interface NameServerPair {
  servers: readonly string[]
  domains: readonly string[]
}

/** New domains grouped by their name servers, the largest group first (R-DOM-06). */
export function pairsOf(items: readonly Pick<Item, 'displayName' | 'nameServers'>[]): NameServerPair[] {
  const pairs = new Map<string, { servers: readonly string[]; domains: string[] }>()
  for (const { displayName: domain, nameServers } of items) {
    if (nameServers === null || nameServers.length === 0) continue
    const servers = nameServers.toSorted()
    const key = servers.join(' ')
    const pair = pairs.get(key)
    if (pair === undefined) pairs.set(key, { servers, domains: [domain] })
    else pair.domains.push(domain)
  }
  return [...pairs.values()].toSorted((a, b) => b.domains.length - a.domains.length)
}
