import { Resolver } from 'node:dns/promises'
import type { Delegation } from '#server/ports/registry.ts'
import { queryDs } from './query-ds.ts'

const longestMs = 3_000
const tryMs = 1_200

/** The name does not exist, or exists without name servers. */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Queries these DNS servers (`address` or `address:port`); if empty, the system's. */
export function createDelegation(servers: readonly string[]): Delegation {
  return {
    async findNameServers(name) {
      const resolver = new Resolver({ timeout: tryMs, tries: 2 })
      if (servers.length > 0) resolver.setServers([...servers])
      const timer = setTimeout(() => resolver.cancel(), longestMs)
      try {
        const found = await resolver.resolveNs(name)
        return found.map((host) => host.toLowerCase().replace(/\.$/, '')).toSorted()
      } catch (error) {
        return error instanceof Error && 'code' in error && absent.has(String(error.code)) ? [] : null
      } finally {
        clearTimeout(timer)
      }
    },
    findDsRecords: (name) => queryDs(servers, name),
  }
}
