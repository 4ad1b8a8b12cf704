import { Resolver } from 'node:dns/promises'
import { codeOf } from './trouble.ts'

/** `absent`: the name exists without such records. `silent`: nobody knows; `ours` when the server that we ask is not there at all. */
export type Found =
  | { readonly kind: 'found'; readonly values: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'no_name' }
  | { readonly kind: 'silent'; readonly error: string; readonly ours: boolean }

/** Asks DNS servers of its own, past the system's files and caches. Never throws. */
export interface LookUp {
  /** Whom it asks, for people. */
  readonly server: string
  addresses(name: string, family: 4 | 6): Promise<Found>
  /** Lower case, without the last dot, sorted. */
  nameServers(name: string): Promise<Found>
  close(): void
}

/** Until the first try, and each later one, is given up. */
const tryMs = 1_000
const tries = 3
/** More than anybody has; so many are looked at. */
const mostRecords = 64

/** @param servers `address` or `address:port`; none: the system's. */
export function createLookUp(servers: readonly string[]): LookUp {
  const resolver = new Resolver({ timeout: tryMs, tries, maxTimeout: tryMs })
  if (servers.length > 0) resolver.setServers([...servers])
  return {
    server: resolver.getServers()[0] ?? 'none',
    addresses: (name, family) => found(family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)),
    nameServers: (name) =>
      found(resolver.resolveNs(name).then((hosts) => hosts.map((host) => host.toLowerCase().replace(/\.$/, '')).toSorted())),
    close: () => resolver.cancel(),
  }
}

async function found(answer: Promise<string[]>): Promise<Found> {
  try {
    const values = await answer
    return values.length === 0 ? { kind: 'absent' } : { kind: 'found', values: values.slice(0, mostRecords) }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENODATA') return { kind: 'absent' }
    if (code === 'ENOTFOUND') return { kind: 'no_name' }
    return { kind: 'silent', error: code.replace(/^E(?=[A-Z])/, ''), ours: code === 'ECONNREFUSED' || code === 'ECANCELLED' }
  }
}
