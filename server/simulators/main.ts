import { parseArgs } from 'node:util'
import { z } from 'zod'

import { registryOf } from './cloudflare/registry.ts'
import { startCloudflareSimulator } from './cloudflare/simulator.ts'
import { startDnsSimulator } from './dns.ts'
import { startRegistrarWorld } from './registrar-world.ts'
import { startTelegramSimulator } from './telegram/simulator.ts'
import { buildWorld } from './world.ts'

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

/** Midnight, so that a restart on the same day tells the same story. */
const nowMs = Math.floor(Date.now() / 86_400_000) * 86_400_000

const world = buildWorld({ ...options, nowMs })
const cloudflare = await startCloudflareSimulator({
  world,
  port: env.SIMULATORS_PORT,
  latencyMs: options.latency,
})
const dns = await startDnsSimulator((name) => registryOf(cloudflare.state)(name), {
  port: env.SIMULATORS_PORT === 0 ? 0 : env.SIMULATORS_PORT + 1,
})
const registrars = await startRegistrarWorld({
  world,
  port: env.SIMULATORS_PORT === 0 ? 0 : env.SIMULATORS_PORT + 2,
  latencyMs: options.latency,
  onDelegation: (name, nameServers) => cloudflare.state.registrarNameServers.set(name, nameServers),
})
/** The bot 100000001:AAsss… writes to the group -1001234567890. */
const telegram = await startTelegramSimulator({
  port: env.SIMULATORS_PORT === 0 ? 0 : env.SIMULATORS_PORT + 6,
  latencyMs: options.latency,
})
telegram.state.addBot('zonedeck_bot')
telegram.state.addChat(-1_001_234_567_890, 'supergroup')
const lines = Object.entries(registrars.urls).map(([name, url]) => `${name}=${url}\n`)
process.stdout.write(
  `CLOUDFLARE_BASE_URL=${cloudflare.url}\nDNS_SERVERS=${dns.address}\n${lines.join('')}TELEGRAM_BASE_URL=${telegram.url}\n`,
)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void Promise.all([cloudflare.close(), dns.close(), registrars.close(), telegram.close()]))
