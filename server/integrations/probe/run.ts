import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { OutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import type { Finding, SeenCertificate } from '#server/ports/region-probe.ts'
import type { CheckOptions, Timings } from '#shared/features/monitoring/schema.ts'
import type { Addresses, Found, LookUp } from './look-up.ts'
import type { Lateness } from './lateness.ts'
import { ProbeError } from './probe-error.ts'

/** Maps a target's address and port to a real endpoint; for simulators that represent the internet on this machine. */
export type Via = (address: string, port: number) => { readonly host: string; readonly port: number }

export interface Means {
  readonly lookUp: LookUp
  readonly guard: OutboundGuard
  readonly secureContext: SecureContext
  readonly via: Via
  readonly lateness: Lateness
  /** Milliseconds since 1970; used to evaluate certificate validity. */
  readonly now: () => number
}

/** Results of a check so far. */
export interface Seen {
  status: number | null
  /** Of the address that accepted the first connection. */
  family: 4 | 6 | null
  readonly timings: { -readonly [K in keyof Timings]: Timings[K] }
  certificate: SeenCertificate | null
  readonly failures: Finding[]
  readonly warnings: Finding[]
}

/** One running check. */
export interface Run {
  readonly means: Means
  readonly options: CheckOptions
  /** Aborts when the time is over or the result is no longer needed. */
  readonly signal: AbortSignal
  /** Of `performance.now()`. */
  readonly endsAtMs: number
  /** This process itself was late for a considerable part of the time. */
  isLate(): boolean
  /**
   * Waits no longer than the check may last.
   * @throws Trouble `timeUp` then.
   */
  within<T>(promise: Promise<T>, timeUp: () => ProbeError): Promise<T>
  /** Resolved hosts; results are reused until the check ends. */
  readonly hosts: Map<string, Addresses>
  readonly seen: Seen
}

/** Share of a check's time that the process may be late. */
const lateShare = 0.1

/** @param endsInMs timeout of the check. */
export function createRun(means: Means, options: CheckOptions, signal: AbortSignal, endsInMs: number): Run {
  const lateBefore = means.lateness.totalMs()
  let timeIsUp: (() => void) | undefined
  const ended = new Promise<'ended'>((resolve) => {
    timeIsUp = () => resolve('ended')
  })
  signal.addEventListener('abort', () => timeIsUp?.(), { once: true })
  return {
    means,
    options,
    signal,
    endsAtMs: performance.now() + endsInMs,
    isLate: () => means.lateness.totalMs() - lateBefore > endsInMs * lateShare,
    async within(promise, timeUp) {
      const first = await Promise.race([promise.then((value) => ({ value })), ended])
      if (first === 'ended') throw timeUp()
      return first.value
    },
    hosts: new Map(),
    seen: {
      status: null,
      family: null,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null },
      certificate: null,
      failures: [],
      warnings: [],
    },
  }
}

/** The addresses of a host: those tried first, and one of the other family, if any, as a fallback. */
interface Whereabouts {
  readonly addresses: readonly string[]
  readonly spare: Promise<string | null>
}

const noSpare = Promise.resolve(null)

/**
 * The IPv4 addresses of a host, or IPv6 if there are none; connecting to each of them is permitted.
 * @throws Trouble
 */
export async function findAddresses(run: Run, host: string): Promise<Whereabouts> {
  if (isIP(host) !== 0) return { addresses: allAllowed(run, [host]), spare: noSpare }
  const { v4, v6 } = run.hosts.get(host) ?? run.means.lookUp.addresses(host)
  const timeUp = () => new ProbeError('dns_no_answer', { error: 'TIMEOUT' })
  run.hosts.set(host, { v4, v6 })
  const first = await run.within(v4, timeUp)
  if (first.kind === 'found') {
    const allowedOf = (found: Found) => (found.kind === 'found' ? found.values.find((each) => run.means.guard.allows(each)) : undefined)
    return { addresses: allAllowed(run, first.values), spare: v6.then((found) => allowedOf(found) ?? null) }
  }
  const second = await run.within(v6, timeUp)
  if (second.kind === 'found') return { addresses: allAllowed(run, second.values), spare: noSpare }
  throw withoutAddress(first, second, host)
}

function withoutAddress(v4: Found, v6: Found, name: string): ProbeError {
  if (v4.kind === 'no_name' || v6.kind === 'no_name') return new ProbeError('dns_no_such_name', { name, error: 'NXDOMAIN' })
  const silent = [v4, v6].find((found) => found.kind === 'silent')
  if (silent?.kind === 'silent') return new ProbeError('dns_no_answer', { name, error: silent.error }, silent.ours)
  return new ProbeError('dns_no_address', { name, error: 'NODATA' })
}

function allAllowed({ means: { guard } }: Run, addresses: readonly string[]): readonly string[] {
  // Without the address: a CNAME may point to a network unknown to the person.
  if (!addresses.every((address) => guard.allows(address))) throw new ProbeError('private_address', {})
  return addresses
}
