import { Resolver } from 'node:dns/promises'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { codeOf } from './probe-error.ts'

/** `absent`: the name exists without such records. `silent`: no answer; `ours` if the configured server itself is unreachable. */
export type Found =
  | { readonly kind: 'found'; readonly values: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'no_name' }
  | { readonly kind: 'silent'; readonly error: string; readonly ours: boolean }

export interface Addresses {
  readonly v4: Promise<Found>
  readonly v6: Promise<Found>
}

/** Queries separate DNS servers, bypassing the system's files and caches. Never throws. */
export interface LookUp {
  /** Both families concurrently. */
  addresses(name: string): Addresses
  /**
   * The same with the name servers (lower case, without the trailing dot, sorted), queued: a thousand concurrent look-ups would lose
   * answers, because the system buffers only a few hundred.
   * @returns when they were requested.
   */
  domain(name: string): Promise<Addresses & { readonly nameServers: Promise<Found> }>
  close(): void
}

/** Maximum time of an attempt: the resolver shortens it to a few times the server's average, at least a quarter of a second. */
const tryMs = 2_000
/** So that a slow domain has five seconds although others are fast. */
const tries = 5
/** Concurrent domain look-ups; and how long one without an answer blocks others. */
const maxConcurrent = 64
const turnMs = 250
/** More addresses than any host has; the rest is ignored. */
const mostRecords = 64

/** @param servers `address` or `address:port`; none: the system's. */
export function createLookUp(servers: readonly string[]): LookUp {
  const resolver = new Resolver({ timeout: tryMs, tries, maxTimeout: tryMs })
  if (servers.length > 0) resolver.setServers([...servers])
  const turn = createSemaphore(maxConcurrent)
  const addresses = (name: string): Addresses => ({ v4: found(resolver.resolve4(name)), v6: found(resolver.resolve6(name)) })
  const nameServers = (name: string) =>
    found(resolver.resolveNs(name).then((hosts) => hosts.map((host) => host.toLowerCase().replace(/\.$/, '')).toSorted()))
  return {
    addresses,
    domain: (name) =>
      new Promise((resolve) => {
        void turn(async () => {
          const asked = { ...addresses(name), nameServers: nameServers(name) }
          resolve(asked)
          await settled([asked.v4, asked.v6, asked.nameServers], turnMs)
        })
      }),
    close: () => resolver.cancel(),
  }
}

/** All answers arrived, or the time is over. */
function settled(answers: readonly Promise<Found>[], waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs)
    void Promise.all(answers).then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
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
