import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { OutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import type { Finding, SeenCertificate } from '#server/ports/region-probe.ts'
import type { CheckOptions, Timings } from '#shared/features/monitoring/schema.ts'
import type { Addresses, Found, LookUp } from './look-up.ts'
import type { Lateness } from './lateness.ts'
import { ProbeError } from './probe-error.ts'

/** Where a target's address and port are dialled; for simulators, which answer for the whole world on this machine. */
export type Via = (address: string, port: number) => { readonly host: string; readonly port: number }

export interface Means {
  readonly lookUp: LookUp
  readonly guard: OutboundGuard
  readonly secureContext: SecureContext
  readonly via: Via
  readonly lateness: Lateness
  /** Milliseconds since 1970; whether a certificate still holds is judged by it. */
  readonly now: () => number
}

/** What a check has seen so far. */
export interface Seen {
  status: number | null
  /** Of the address that took the first connection. */
  family: 4 | 6 | null
  readonly timings: { -readonly [K in keyof Timings]: Timings[K] }
  certificate: SeenCertificate | null
  readonly failures: Finding[]
  readonly warnings: Finding[]
}

/** One check under way. */
export interface Run {
  readonly means: Means
  readonly options: CheckOptions
  /** Aborts when the time is up, or nobody wants the result any more. */
  readonly signal: AbortSignal
  /** Of `performance.now()`. */
  readonly endsAtMs: number
  /** This process itself was late for a good part of the time. */
  isLate(): boolean
  /** Waits no longer than the check may last. @throws Trouble of `timeUp` then. */
  within<T>(promise: Promise<T>, timeUp: () => ProbeError): Promise<T>
  /** The hosts that were looked up; what was found is used until the check ends. */
  readonly hosts: Map<string, Addresses>
  readonly seen: Seen
}

/** Of a check's time that this process may be late itself. */
const lateShare = 0.1

/** @param endsInMs how long the check may take. */
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

/** Where a host is: what is tried first, and an address of the other family, where there is one, for when none of these takes a connection. */
interface Whereabouts {
  readonly addresses: readonly string[]
  readonly spare: Promise<string | null>
}

const noSpare = Promise.resolve(null)

/**
 * The addresses of a host: of IPv4, or where there are none of IPv6; every one of them may be connected to.
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
  // Without the address: a name may lead, by a CNAME, to one of a network that the person does not know.
  if (!addresses.every((address) => guard.allows(address))) throw new ProbeError('private_address', {})
  return addresses
}
