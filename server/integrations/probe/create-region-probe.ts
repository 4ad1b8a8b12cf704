import { createSecureContext, rootCertificates } from 'node:tls'
import { createOutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import type { Log } from '#server/platform/log.ts'
import type { CheckResult, RegionProbe } from '#server/ports/region-probe.ts'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import { check } from './check.ts'
import { open } from './connect.ts'
import { createLateness } from './lateness.ts'
import type { Lateness } from './lateness.ts'
import { createLookUp } from './look-up.ts'
import { createRun, findAddresses } from './run.ts'
import type { Means, Via } from './run.ts'

interface RegionProbeOptions {
  /** `address` or `address:port`; none: the system's. */
  readonly dnsServers: readonly string[]
  /** Non-public ranges that may be reached. */
  readonly outboundAllow: readonly string[]
  /** Well-known hosts with a reliable port 443. */
  readonly connectivityHosts?: readonly string[]
  /** If absent, addresses are connected to directly. */
  readonly via?: Via | undefined
  /** Additional certificate authorities, PEM. */
  readonly roots?: readonly string[]
  readonly log: Log
  /** If absent, the process's own clock. */
  readonly now?: () => number
  /** If absent, as measured in this process. */
  readonly lateness?: Lateness
}

/** Run by different organizations in different places, so they do not fail together. */
const wellKnownHosts = ['one.one.one.one', 'dns.google', 'www.wikipedia.org', 'www.cloudflare.com']
const onlineMs = 5_000
const over = 'over'
const nothingSeen: CheckResult = {
  outcome: 'inconclusive',
  findings: [],
  status: null,
  family: null,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null },
  certificate: null,
}

/** Checks domains with this machine's network. */
export function createRegionProbe(options: RegionProbeOptions): RegionProbe {
  const { connectivityHosts = wellKnownHosts, roots = [], log } = options
  const means: Means = {
    lookUp: createLookUp(options.dnsServers),
    guard: createOutboundGuard(options.outboundAllow),
    // Created once, because each one parses all certificate authorities.
    secureContext: createSecureContext({ minVersion: 'TLSv1.2', ...(roots.length > 0 && { ca: [...rootCertificates, ...roots] }) }),
    via: options.via ?? ((host, port) => ({ host, port })),
    lateness: options.lateness ?? createLateness(),
    now: options.now ?? Date.now,
  }
  /** Running checks, by their abort function. */
  const running = new Set<AbortController>()
  let isClosed = false

  async function bounded<T>(signal: AbortSignal | undefined, work: (ends: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController()
    const end = () => ending.abort(over)
    signal?.addEventListener('abort', end, { once: true })
    running.add(ending)
    if (isClosed || signal?.aborted === true) end()
    try {
      return await work(ending.signal)
    } finally {
      running.delete(ending)
      signal?.removeEventListener('abort', end)
    }
  }

  return {
    check: (target, signal) =>
      bounded(signal, async (ends) => {
        const result = await check(means, target, ends).catch((error: unknown) => {
          log.error({ err: error, name: target.name }, 'failed to run a check')
          return nothingSeen
        })
        log.trace({ name: target.name, outcome: result.outcome, findings: result.findings }, 'checked')
        return result
      }),
    isOnline: (signal) =>
      bounded(signal, (ends) =>
        Promise.any(connectivityHosts.map((host) => connectHost(means, host, ends))).then(
          () => true,
          () => false,
        ),
      ),
    close: async () => {
      isClosed = true
      for (const ending of running) ending.abort(over)
      means.lookUp.close()
      means.lateness.close()
    },
  }
}

/** @throws Trouble if the host cannot be reached in time. */
async function connectHost(means: Means, host: string, ends: AbortSignal): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort(over)
  const timer = setTimeout(end, onlineMs)
  ends.addEventListener('abort', end, { once: true })
  if (ends.aborted) end()
  try {
    const run = createRun(means, defaultCheckOptions, stop.signal, onlineMs)
    const {
      addresses: [address = host],
    } = await findAddresses(run, host)
    const socket = await open({ address, ...means.via(address, 443) }, onlineMs, stop.signal)
    socket.destroy()
  } finally {
    clearTimeout(timer)
    ends.removeEventListener('abort', end)
  }
}
