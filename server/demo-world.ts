import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '#server/config/env.ts'
import type { Services } from '#server/platform/context.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { registryOfWorld, startRdapSimulator } from '#server/simulators/rdap.ts'
import { registrarCustomers, startRegistrarWorld } from '#server/simulators/registrar-world.ts'
import { startGlobalpingSimulator } from '#server/simulators/globalping/simulator.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import { startTrackerWorld } from '#server/simulators/tracker-world.ts'
import type { TrackerWorld } from '#server/simulators/tracker-world.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { startTelegramView } from '#server/simulators/telegram/view.ts'
import { sitesOfWorld } from '#server/simulators/web-of-world.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { World } from '#server/simulators/world.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { t } from '#server/transports/trpc/trpc.ts'
import { defaultRegions } from '#shared/features/monitoring/schema.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'

export const demoUser = { email: 'demo@example.com', password: 'demo-panel', name: 'Demo' }

const demoBot = { name: 'zonedeck_demo_bot', token: '4242424242:AAdemoDemoDemoDemoDemoDemoDemoDemoDem', chatId: '-1004242424242' }
/** Regions that a process of its own would look from; in the demo they are in this one. */
export const furtherRegions: readonly Region[] = defaultRegions.slice(1)

const dayMs = 86_400_000
/** Ten times what Cloudflare allows, so that a new demo is full within a minute or two. */
const budget = { limit: 12_000, windowMs: 300_000 }

export interface DemoWorld {
  readonly world: World
  readonly trackers: TrackerWorld
  /** Where the simulated Telegram shows its chats. */
  readonly telegramUrl: string
  /** What the server must be told to live in this world, with its data apart from the real one's. */
  env(real: Env, folder: string): Env
  close(): Promise<void>
}

/** Simulated providers on free ports of this machine. They tell the same story at every start of a day. @param telegramPort of the page with the chats; 0: a free one */
export async function startDemoWorld(telegramPort = 0): Promise<DemoWorld> {
  const nowMs = Math.floor(Date.now() / dayMs) * dayMs
  const world = buildWorld({ zones: 2000, accounts: 12, seed: 1, nowMs })
  const simulator = await startCloudflareSimulator({
    world,
    latencyMs: { min: 10, max: 60 },
    budget: { limit: budget.limit, windowMs: budget.windowMs },
  })
  const targets = await startTargetsSimulator({ sites: sitesOfWorld(simulator.state, world.content().zones.slice(0, 400)) })
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-demo-'))
  const roots = join(folder, 'roots.pem')
  await writeFile(roots, targets.root)
  const globalping = await startGlobalpingSimulator()
  const telegram = await startTelegramSimulator({ latencyMs: 60 })
  telegram.state.addBot(demoBot.name, demoBot.token)
  telegram.state.addChat(Number(demoBot.chatId), 'supergroup', { title: 'Domain alerts' })
  const view = await startTelegramView(telegram.state, telegramPort)
  const registrars = await startRegistrarWorld({
    world,
    latencyMs: 40,
    onDelegation: (name, nameServers) => simulator.state.registrarNameServers.set(name, nameServers),
  })
  const rdap = await startRdapSimulator({
    find: registryOfWorld(registrars.market, (name) => simulator.state.zonesNamed(name)[0] ?? null),
    latencyMs: 120,
  })
  const trackers = await startTrackerWorld({ world, state: simulator.state, latencyMs: 40 })
  return {
    world,
    trackers,
    telegramUrl: view.url,
    async close() {
      await view.close()
      await trackers.close()
      await rdap.close()
      await registrars.close()
      await targets.close()
      await telegram.close()
      await globalping.close()
      await rm(folder, { recursive: true, force: true })
      await simulator.close()
    },
    env: (real, folder) => ({
      ...real,
      DATABASE_URL: undefined,
      DATA_DIR: folder,
      CLOUDFLARE_BASE_URL: simulator.url,
      ...registrars.urls,
      CLOUDFLARE_BUDGET: budget,
      RDAP_BOOTSTRAP_URL: rdap.url,
      DNS_SERVERS: [targets.dnsServer],
      CHECK_VIA: via(targets.viaText),
      CHECK_ROOTS: roots,
      // The registries and trackers are on this machine, and the world's servers have addresses that are for documents only.
      OUTBOUND_ALLOW: ['127.0.0.1/32', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'],
      TELEGRAM_BASE_URL: telegram.url,
      GLOBALPING_BASE_URL: globalping.url,
    }),
  }
}

/** The demo user with the world's accounts, through the same door as everybody; what is there already stays. */
export async function seedDemo(services: Services, { world, trackers }: Pick<DemoWorld, 'world' | 'trackers'>): Promise<void> {
  const ctx = {
    ...services,
    requestId: 'demo',
    address: null,
    userAgent: null,
    origin: null,
    recheck: () => Promise.resolve(),
  }
  const createCaller = t.createCallerFactory(appRouter)
  const guest = createCaller({ ...ctx, actor: null })
  const { email, password, name } = demoUser
  const { firstUser } = await guest.auth.config()
  const answer = firstUser
    ? await guest.auth.register({ email, name, password, passwordConfirmation: password })
    : await guest.auth.login({ email, password }).catch((error: unknown) => {
        if (error instanceof Error && error.cause instanceof AppError && error.cause.code === 'invalid_credentials') return null
        throw error
      })
  // Somebody has tried out another password.
  if (answer === null) return
  // Somebody tries out two-factor sign-in: what there is stays as it is.
  if ('secondFactor' in answer) return
  const demo = createCaller({ ...ctx, actor: await services.sessions.find(answer.token) })
  const text = world.credentials.map(({ email, globalKey }) => `${email}:${globalKey}`).join('\n')
  await demo.accounts.addMany({ text, skipFaulty: true })
  if (firstUser) {
    const api = { type: 'API_ENABLED' } as const
    await demo.registrars.create({ ...api, name: 'Namecheap', provider: 'NAMECHEAP', ...registrarCustomers.NAMECHEAP })
    await demo.registrars.create({ ...api, name: 'GoDaddy', provider: 'GODADDY', ...registrarCustomers.GODADDY })
    await demo.registrars.create({ ...api, name: 'Porkbun', provider: 'PORKBUN', ...registrarCustomers.PORKBUN })
    await demo.registrars.create({ ...api, name: 'REG.RU', provider: 'REGRU', ...registrarCustomers.REGRU })
    await demo.registrars.create({ name: 'Nameshop', username: 'demo', password: 'demo-password', apiUrl: 'https://nameshop.example' })
  }
  if (firstUser) {
    await demo.monitoring.updateSettings({
      enabled: true,
      telegram: { chatId: demoBot.chatId, botToken: demoBot.token },
    })
  }
  // At every start they are at another port.
  const known = new Map((await demo.trackers.list({})).trackers.map((tracker) => [tracker.name, tracker.id]))
  for (const [name, kind, { url, apiKey }, addresses] of [
    ['Keitaro', 'KEITARO', trackers.keitaro, trackers.addresses.keitaro],
    ['Binom', 'BINOM', trackers.binom, trackers.addresses.binom],
  ] as const) {
    const id = known.get(name)
    if (id !== undefined) await demo.trackers.update({ id, url, apiKey })
    else if (firstUser) await demo.trackers.create({ kind, name, url, apiKey, addresses: [...addresses] })
  }
  await demo.auth.logout()
}

/** `127.0.0.1:8080/8443` as the environment has it parsed. */
function via(text: string): Env['CHECK_VIA'] {
  const [host = '', ports = ''] = text.split(':')
  const [httpPort = 0, httpsPort = 0] = ports.split('/').map(Number)
  return { host, httpPort, httpsPort }
}
