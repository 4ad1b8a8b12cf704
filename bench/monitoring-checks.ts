import { connect, createSecureContext } from 'node:tls'
import { createRegionProbe } from '#server/integrations/probe/create-region-probe.ts'
import { createLog } from '#server/platform/log.ts'
import type { RegionProbe } from '#server/ports/region-probe.ts'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import type { Bench } from './bench.ts'
import { startTargets } from './simulated.ts'

const maxConcurrent = 32
const warmMs = 1_500
const forMs = 6_000
const closedPort = 1
const names = 2_000

interface Rate {
  /** Rate per CPU second of this process, over all threads: the throughput of one core. */
  readonly perCoreSecond: number
  readonly perSecond: number
}

/** Runs `once` repeatedly, `atOnce` at a time. */
async function rateOf(once: (n: number) => Promise<void>, durationMs: number): Promise<Rate> {
  let done = 0
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  const worker = async () => {
    while (performance.now() - began < durationMs) {
      done += 1
      await once(done)
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, worker))
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perCoreSecond: (done / (user + system)) * 1_000_000, perSecond: (done / (performance.now() - began)) * 1000 }
}

async function checkOne(probe: RegionProbe, n: number, wantsCertificate: boolean): Promise<void> {
  const { outcome, certificate, findings } = await probe.check({
    name: `shop${n % names}.example`,
    options: defaultCheckOptions,
    expected: {
      nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
      addresses: { proxied: true, values: ['192.0.2.1'] },
    },
  })
  if (outcome !== 'good' || (certificate !== null) !== wantsCertificate) throw new Error(`a check went wrong: ${JSON.stringify(findings)}`)
}

/** The baseline: a full handshake and a GET, and nothing else. */
function bareHandshake(port: number, root: string): (n: number) => Promise<void> {
  const secureContext = createSecureContext({ ca: root })
  return (n) =>
    new Promise((resolve, reject) => {
      const servername = `shop${n % names}.example`
      const socket = connect({ host: '127.0.0.1', port, servername, secureContext }, () => {
        socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`)
      })
      socket.on('data', () => undefined)
      socket.once('error', reject)
      socket.once('close', () => resolve())
    })
}

export const monitoringChecks: Bench = {
  about:
    'domain checks: three look-ups, a new connection, a GET and an evaluation each; per second of one core’s time, targets in another process',
  async run(report) {
    const targets = await startTargets()
    const probeTo = (httpsPort: number) =>
      createRegionProbe({
        dnsServers: [targets.dnsServer],
        outboundAllow: [],
        via: (_, port) => ({ host: '127.0.0.1', port: port === 80 ? targets.httpPort : httpsPort }),
        roots: [targets.root],
        log: createLog('silent'),
      })
    const plain = probeTo(closedPort)
    const secure = probeTo(targets.httpsPort)
    const http = (n: number) => checkOne(plain, n, false)
    const https = (n: number) => checkOne(secure, n, true)
    const bare = bareHandshake(targets.httpsPort, targets.root)
    try {
      for (const once of [http, https, bare]) await rateOf(once, warmMs)
      const overHttp = await rateOf(http, forMs)
      // Alternates, so that other load on the machine affects both equally.
      const turns = [
        await rateOf(bare, forMs / 2),
        await rateOf(https, forMs / 2),
        await rateOf(https, forMs / 2),
        await rateOf(bare, forMs / 2),
      ]
      const mean = (...of: (Rate | undefined)[]) => of.reduce((sum, rate) => sum + (rate?.perCoreSecond ?? 0), 0) / of.length
      const peer = mean(turns[0], turns[3])
      report({
        name: 'HTTP, after HTTPS was refused',
        value: overHttp.perCoreSecond,
        unit: '/s',
        against: { kind: 'at least', value: 1_500, what: 'requirement; Uptime Kuma 2.5.3 reaches 469' },
        more: { perSecond: Math.round(overHttp.perSecond) },
      })
      report({
        name: 'HTTPS',
        value: mean(turns[1], turns[2]),
        unit: '/s',
        against: { kind: 'at least', value: peer * 0.6, what: '60 % of bare handshakes with a GET' },
        more: { bare: Math.round(peer), ofBare: Number((mean(turns[1], turns[2]) / peer).toFixed(2)) },
      })
    } finally {
      await plain.close()
      await secure.close()
      targets.stop()
    }
  },
}
