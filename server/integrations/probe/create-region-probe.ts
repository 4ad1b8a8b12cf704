import { createSecureContext, rootCertificates } from 'node:tls'
import { createOutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import type { Log } from '#server/platform/log.ts'
import type { RegionProbe } from '#server/ports/region-probe.ts'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import { check } from './check.ts'
import { open } from './connect.ts'
import { createLookUp } from './look-up.ts'
import { createRun, findAddresses } from './run.ts'
import type { Means, Via } from './run.ts'

export interface RegionProbeOptions {
  /** `address` or `address:port`; none: the system's. */
  readonly dnsServers: readonly string[]
  /** Ranges that may be reached although they are not public. */
  readonly outboundAllow: readonly string[]
  /** Names that answer on port 443 while anything does. */
  readonly connectivityHosts?: readonly string[]
  /** Absent: every address itself. */
  readonly via?: Via | undefined
  /** Certificates of further authorities, PEM. */
  readonly roots?: readonly string[]
  readonly log: Log
}

/** Run by different people in different places: they do not fail together. */
const wellKnownHosts = ['one.one.one.one', 'dns.google', 'www.wikipedia.org', 'www.cloudflare.com']
const onlineMs = 5_000

/** Checks domains over this machine's own sockets. */
export function createRegionProbe(options: RegionProbeOptions): RegionProbe {
  const { connectivityHosts = wellKnownHosts, roots = [], log } = options
  const means: Means = {
    lookUp: createLookUp(options.dnsServers),
    guard: createOutboundGuard(options.outboundAllow),
    // Made once: each one reads all authorities anew.
    secureContext: createSecureContext({ minVersion: 'TLSv1.2', ...(roots.length > 0 && { ca: [...rootCertificates, ...roots] }) }),
    via: options.via ?? ((host, port) => ({ host, port })),
  }
  const closing = new AbortController()
  return {
    async check(target, signal) {
      const result = await bounded(closing.signal, signal, (ends) => check(means, target, ends))
      log.trace({ name: target.name, outcome: result.outcome, findings: result.findings }, 'checked')
      return result
    },
    isOnline: (signal) =>
      bounded(closing.signal, signal, async (ends) => {
        const attempts = connectivityHosts.map((host) => isReached(means, host, ends))
        return Promise.any(attempts).catch(() => false)
      }),
    close: async () => {
      closing.abort()
      means.lookUp.close()
    },
  }
}

/** Ends with either signal, and leaves no listener behind on what lives longer. */
async function bounded<T>(closing: AbortSignal, signal: AbortSignal | undefined, work: (ends: AbortSignal) => Promise<T>): Promise<T> {
  const either = new AbortController()
  const end = () => either.abort()
  closing.addEventListener('abort', end, { once: true })
  signal?.addEventListener('abort', end, { once: true })
  if (closing.aborted || signal?.aborted === true) end()
  try {
    return await work(either.signal)
  } finally {
    closing.removeEventListener('abort', end)
    signal?.removeEventListener('abort', end)
    end()
  }
}

/** @throws where the host is not reached. */
async function isReached(means: Means, host: string, ends: AbortSignal): Promise<boolean> {
  return bounded(AbortSignal.timeout(onlineMs), ends, async (signal) => {
    const run = createRun(means, defaultCheckOptions, signal, onlineMs)
    const [address = host] = await findAddresses(run, host)
    const socket = await open({ address, ...means.via(address, 443) }, onlineMs, signal)
    socket.destroy()
    return true
  })
}
