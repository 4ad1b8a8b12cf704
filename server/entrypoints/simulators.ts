import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'

import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { registryOfWorld, startRdapSimulator } from '#server/simulators/rdap.ts'
import { startGlobalpingSimulator } from '#server/simulators/globalping/simulator.ts'
import { startRegistrarWorld } from '#server/simulators/registrar-world.ts'
import { publishedDs } from '#server/simulators/cloudflare/dnssec.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import { startTrackerWorld } from '#server/simulators/tracker-world.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { sitesOfWorld } from '#server/simulators/web-of-world.ts'
import { buildWorld } from '#server/simulators/world.ts'

const { values } = parseArgs({
  options: {
    zones: { type: 'string', default: '2000' },
    accounts: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    latency: { type: 'string', default: '0' },
    plain: { type: 'boolean', default: false },
  },
})
const whole = z.coerce.number().int().nonnegative()
const options = z.object({ zones: whole, accounts: whole, seed: whole, latency: whole, plain: z.boolean() }).parse(values)
const env = z.object({ SIMULATORS_PORT: z.coerce.number().int().min(0).max(65_535).default(4010) }).parse(process.env)

const portOf = (offset: number) => (env.SIMULATORS_PORT === 0 ? 0 : env.SIMULATORS_PORT + offset)

/** Midnight, so that a restart on the same day generates the same data. */
const nowMs = Math.floor(Date.now() / 86_400_000) * 86_400_000

const world = buildWorld({ ...options, nowMs })
const cloudflare = await startCloudflareSimulator({
  world,
  port: env.SIMULATORS_PORT,
  latencyMs: options.latency,
})
const targets = await startTargetsSimulator({
  sites: sitesOfWorld(cloudflare.state, world.content().zones),
  dsRecords: (name) => publishedDs(cloudflare.state, name),
  ...(env.SIMULATORS_PORT !== 0 && { ports: { dns: portOf(1), http: portOf(7), https: portOf(8) } }),
})
const folder = await mkdtemp(join(tmpdir(), 'zonedeck-simulators-'))
const roots = join(folder, 'roots.pem')
await writeFile(roots, targets.root)
const globalping = await startGlobalpingSimulator({ port: portOf(9) })
const registrars = await startRegistrarWorld({
  world,
  port: portOf(2),
  latencyMs: options.latency,
  onDs: (name, published) => void (published ? cloudflare.state.registrarDs.add(name) : cloudflare.state.registrarDs.delete(name)),
  onDelegation: (name, nameServers) => cloudflare.state.registrarNameServers.set(name, nameServers),
})
const rdap = await startRdapSimulator({
  find: registryOfWorld(registrars.market, (name) => cloudflare.state.zonesNamed(name)[0] ?? null),
  port: portOf(10),
  latencyMs: options.latency,
})
const trackers = await startTrackerWorld({ world, state: cloudflare.state, port: portOf(11), latencyMs: options.latency })
/** The bot 100000001:AAsss… writes to the group -1001234567890. */
const telegram = await startTelegramSimulator({
  port: portOf(6),
  latencyMs: options.latency,
})
telegram.state.addBot('zonedeck_bot')
telegram.state.addChat(-1_001_234_567_890, 'supergroup')
const variables = {
  CLOUDFLARE_BASE_URL: cloudflare.url,
  ...registrars.urls,
  TELEGRAM_BASE_URL: telegram.url,
  GLOBALPING_BASE_URL: globalping.url,
  RDAP_BOOTSTRAP_URL: rdap.url,
  DNS_SERVERS: targets.dnsServer,
  CHECK_VIA: targets.viaText,
  CHECK_ROOTS: roots,
  // Not for the environment: to be added in the panel with these credentials.
  KEITARO_URL: trackers.keitaro.url,
  KEITARO_API_KEY: trackers.keitaro.apiKey,
  BINOM_URL: trackers.binom.url,
  BINOM_API_KEY: trackers.binom.apiKey,
  // The registries and trackers run on this machine, and the world's servers have addresses reserved for documentation.
  OUTBOUND_ALLOW: '127.0.0.1/32,192.0.2.0/24,198.51.100.0/24,203.0.113.0/24,2001:db8::/32',
}
process.stdout.write(
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    const running = [cloudflare, targets, globalping, registrars, rdap, trackers, telegram]
    void Promise.all([...running.map((one) => one.close()), rm(folder, { recursive: true, force: true })])
  })
}
