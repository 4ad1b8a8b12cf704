import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDemoReports } from './abuse-reports.ts'
import { logDemoChanges } from '#server/demo/changes.ts'
import { callAs, callAsGuest } from '#server/demo/caller.ts'
import { anna, demoUser, seedTeam } from '#server/demo/team.ts'
import type { Env } from '#server/config/env.ts'
import type { Services } from '#server/platform/context.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { registryOfWorld, startRdapSimulator } from '#server/simulators/rdap.ts'
import { registrarCustomers, startRegistrarWorld } from '#server/simulators/registrar-world.ts'
import { startGlobalpingSimulator } from '#server/simulators/globalping/simulator.ts'
import { publishedDs } from '#server/simulators/cloudflare/dnssec.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import { startTrackerWorld } from '#server/simulators/tracker-world.ts'
import type { TrackerWorld } from '#server/simulators/tracker-world.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { startTelegramView } from '#server/simulators/telegram/view.ts'
import { sitesOfWorld } from '#server/simulators/web-of-world.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { World } from '#server/simulators/world.ts'
import { defaultRegions } from '#shared/features/monitoring/regions.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'

const demoBot = { name: 'zonedeck_demo_bot', token: '4242424242:AAdemoDemoDemoDemoDemoDemoDemoDemoDem' }
const chats = {
  all: { id: -1_004_242_424_242, title: 'Domain alerts' },
  critical: { id: -1_004_242_424_243, title: 'On call' },
  anna: { id: -1_004_242_424_244, title: 'Анна · домены' },
}
/** New names refused by the simulated Cloudflare. */
export const refusedNames = ['bargain-of-the-week.com', 'free-prizes-today.com'] as const
/** Anna's accounts of the world; the others are the demo user's. */
const annaAccounts: readonly number[] = [7, 8]
/** Purges for this account are slow, so that there is an operation to watch. */
const slowAccount = 0
const slowPurgeMs = 8_000
/** Regions with separate probe processes in production; in the demo they run in this process. */
export const furtherRegions: readonly Region[] = defaultRegions.slice(1)

const dayMs = 86_400_000
/** Ten times Cloudflare's limit, so that a new demo is synced within a minute or two. */
const budget = { limit: 12_000, windowMs: 300_000 }

export interface DemoWorld {
  readonly world: World
  readonly trackers: TrackerWorld
  /** The Cloudflare account with slow purges. */
  readonly slowAccountId: string
  /** URL of the simulated Telegram's chats. */
  readonly telegramUrl: string
  /** The environment of a server in this world, with a separate data folder. */
  env(real: Env, folder: string): Env
  close(): Promise<void>
}

/**
 * Simulated providers on free local ports. They generate the same data at every start of a day.
 * @param telegramPort of the page with the chats; 0: a free one
 */
export async function startDemoWorld(telegramPort = 0): Promise<DemoWorld> {
  const nowMs = Math.floor(Date.now() / dayMs) * dayMs
  const world = buildWorld({ zones: 2000, accounts: 12, seed: 1, nowMs })
  const simulator = await startCloudflareSimulator({
    world,
    latencyMs: { min: 10, max: 60 },
    budget: { limit: budget.limit, windowMs: budget.windowMs },
  })
  const [unregistered, banned] = refusedNames
  simulator.state.refusals.unregistered.add(unregistered)
  simulator.state.refusals.banned.add(banned)
  const [changed] = world.content().accounts
  if (changed !== undefined) {
    const zones = world.content().zones.filter(({ account }) => account.id === changed.id)
    logDemoChanges(simulator.state.auditLog, changed, zones, Date.now())
    addDemoReports(simulator.state.abuse, changed, zones, Date.now())
  }
  const slowAccountId = world.credentials[slowAccount]?.accountId ?? ''
  const slow = { kind: 'slow', delayMs: slowPurgeMs } as const
  simulator.faults.add({ method: 'POST', path: '/zones/*/purge_cache', accountId: slowAccountId, effect: slow })
  const targets = await startTargetsSimulator({
    sites: sitesOfWorld(simulator.state, world.content().zones.slice(0, 400)),
    dsRecords: (name) => publishedDs(simulator.state, name),
  })
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-demo-'))
  const roots = join(folder, 'roots.pem')
  await writeFile(roots, targets.root)
  const globalping = await startGlobalpingSimulator()
  const telegram = await startTelegramSimulator({ latencyMs: 60 })
  telegram.state.addBot(demoBot.name, demoBot.token)
  for (const { id, title } of Object.values(chats)) telegram.state.addChat(id, 'supergroup', { title })
  const view = await startTelegramView(telegram.state, telegramPort)
  const registrars = await startRegistrarWorld({
    world,
    latencyMs: 40,
    onDs: (name, published) => void (published ? simulator.state.registrarDs.add(name) : simulator.state.registrarDs.delete(name)),
    onDelegation: (name, nameServers) => simulator.state.registrarNameServers.set(name, nameServers),
  })
  const rdap = await startRdapSimulator({
    find: registryOfWorld(registrars.market, (name) => simulator.state.zonesNamed(name)[0] ?? null),
    latencyMs: 120,
  })
  const trackers = await startTrackerWorld({ world, state: simulator.state, latencyMs: 40 })
  const simulated = [...rdap.registries, trackers.keitaro, trackers.binom].map(({ url }) => url)
  return {
    world,
    trackers,
    slowAccountId,
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
      // The registries and trackers run on ports of this machine, and the world's servers have addresses reserved for documentation.
      OUTBOUND_ALLOW: [
        ...simulated.map((url) => `127.0.0.1/32:${new URL(url).port}`),
        '192.0.2.0/24',
        '198.51.100.0/24',
        '203.0.113.0/24',
        '2001:db8::/32',
      ],
      TELEGRAM_BASE_URL: telegram.url,
      GLOBALPING_BASE_URL: globalping.url,
    }),
  }
}

/** Creates the demo user with the world's accounts, through the public API; existing data is kept. */
export async function seedDemo(services: Services, { world, trackers }: Pick<DemoWorld, 'world' | 'trackers'>): Promise<void> {
  const guest = callAsGuest(services)
  const { email, password, name } = demoUser
  const { firstUser } = await guest.auth.config()
  const answer = firstUser
    ? await guest.auth.register({ email, name, password, passwordConfirmation: password })
    : await guest.auth.login({ email, password }).catch((error: unknown) => {
        if (error instanceof Error && error.cause instanceof AppError && error.cause.code === 'invalid_credentials') return null
        throw error
      })
  // The password was changed in the demo.
  if (answer === null) return
  // Two-factor sign-in was enabled in the demo: existing data is kept.
  if ('secondFactor' in answer) return
  const demo = await callAs(services, answer.token)
  const linesOf = (ofAnna: boolean) =>
    world.credentials
      .filter((_, index) => annaAccounts.includes(index) === ofAnna)
      .map((credential) => `${credential.email}:${credential.globalKey}`)
      .join('\n')
  await demo.accounts.addMany({ text: linesOf(false), skipFaulty: true })
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
      language: 'en',
      telegram: { chatId: String(chats.all.id), botToken: demoBot.token },
    })
    await demo.alerts.createChannel({ kind: 'telegram', name: 'On call', chatId: String(chats.critical.id), criticalOnly: true })
    await seedTeam(demo)
    await seedAnna(services, linesOf(true))
  }
  // The port differs at every start.
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

/** A colleague with accounts, domains and a chat of her own. */
async function seedAnna(services: Services, text: string): Promise<void> {
  const answer = await callAsGuest(services).auth.login({ email: anna.email, password: demoUser.password })
  if ('secondFactor' in answer) return
  const caller = await callAs(services, answer.token)
  await caller.accounts.addMany({ text, skipFaulty: true })
  await caller.monitoring.updateSettings({
    enabled: true,
    language: anna.language,
    telegram: { chatId: String(chats.anna.id), botToken: demoBot.token },
  })
  await caller.auth.logout()
}

/** `127.0.0.1:8080/8443` as the environment has it parsed. */
function via(text: string): Env['CHECK_VIA'] {
  const [host = '', ports = ''] = text.split(':')
  const [httpPort = 0, httpsPort = 0] = ports.split('/').map(Number)
  return { host, httpPort, httpsPort }
}
