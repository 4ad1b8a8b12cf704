import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test as base, expect } from 'playwright/test'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { registryOfWorld, startRdapSimulator } from '#server/simulators/rdap.ts'
import type { RegistryEntry } from '#server/simulators/rdap.ts'
import { publishedDs } from '#server/simulators/cloudflare/dnssec.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import type { Targets } from '#server/simulators/targets/simulator.ts'
import { startBinomSimulator } from '#server/simulators/trackers/binom.ts'
import type { BinomSimulator } from '#server/simulators/trackers/binom.ts'
import { startKeitaroSimulator } from '#server/simulators/trackers/keitaro.ts'
import type { KeitaroSimulator } from '#server/simulators/trackers/keitaro.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import type { TelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { landmarks } from '#server/simulators/web-of-world.ts'
import { startRegistrarWorld } from '#server/simulators/registrar-world.ts'
import type { Market } from '#server/simulators/registrars/market.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials, WorldOptions } from '#server/simulators/world.ts'
import { user } from '#shared/features/auth/schema.ts'
import { cloneDatabase, startPanel, temporaryFolder } from './panel.ts'
import type { Panel } from './panel.ts'
import { texts } from './texts.ts'

export { expect } from 'playwright/test'

const session = z.object({ token: z.string(), user })
export type Session = z.infer<typeof session>

/** The server, the simulated Cloudflare and the database of one spec file. */
export interface Deck {
  readonly panel: Panel
  readonly cloudflare: CloudflareSimulator
  /** The registrar simulator; it has the customers of `registrarCustomers`, without names at first. */
  readonly market: Market
  /** Registry data that differs from the registrar simulator, by name. */
  readonly registered: Map<string, RegistryEntry>
  /** The simulated sites of the domains, and the receivers of alerts. */
  readonly targets: Targets
  readonly telegram: TelegramSimulator
  /** Tracker simulators, empty at first. */
  readonly keitaro: KeitaroSimulator
  readonly binom: BinomSimulator
  readonly credentials: readonly AccountCredentials[]
  /** Makes the audit logs of all accounts due now instead of within a minute. */
  readAuditLogs(): Promise<void>
  /** Makes the abuse reports of all accounts due now. */
  readReports(): Promise<void>
  /** The first user, an administrator; null if the file registers one itself. */
  readonly owner: Session | null
}

export interface DeckOptions {
  readonly world?: Partial<WorldOptions>
  /** False if no user is registered. */
  readonly owner?: boolean
  /** How many of the simulated accounts the owner has added, with their zones synced. */
  readonly accounts?: number
}

let current: Deck | null = null

/** The deck of this file. */
export function deck(): Deck {
  if (current === null) throw new Error('call useDeck() at the top of the file')
  return current
}

/** Calls the panel's REST API. */
export async function call<T extends z.ZodType>(
  method: string,
  path: string,
  schema: T,
  body?: unknown,
  token = current?.owner?.token,
): Promise<z.output<T>> {
  const response = await fetch(`${deck().panel.url}/api${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`)
  return schema.parse(answer === '' ? undefined : JSON.parse(answer))
}

export const register = (name: string): Promise<Session> =>
  call('POST', '/auth/register', session, {
    name,
    email: `${name.toLowerCase()}@example.com`,
    password: password,
    passwordConfirmation: password,
  })

export const password = 'correct horse battery'

const accountsPage = z.object({ accounts: z.array(z.object({ sync: z.object({ state: z.string(), detailsPending: z.int() }) })) })

/** Adds the accounts and waits until all their zones are synced. */
export async function addAccounts(credentials: readonly AccountCredentials[]): Promise<void> {
  for (const { email, globalKey } of credentials) await call('POST', '/accounts', z.unknown(), { email, apiKey: globalKey })
  await expect
    .poll(async () => (await call('GET', '/accounts', accountsPage)).accounts.filter(({ sync }) => sync.state !== 'idle').length, {
      timeout: 20_000,
    })
    .toBe(0)
}

/** Gives the calling file its own Cloudflare and owner before its first test, and removes them after its last. */
export function useDeck(options: DeckOptions = {}): void {
  test.beforeAll(async ({ station }) => {
    const world = buildWorld({ zones: 300, accounts: 6, seed: 7, recordsPerZone: 4, ...options.world })
    station.cloudflare.reset(world)
    station.emptyMarket()
    station.emptyTrackers()
    station.targets.reset()
    station.telegram.state.reset()
    const { panel, cloudflare, market, registered, targets, telegram, keitaro, binom, readAuditLogs, readReports } = station
    const { credentials } = world
    current = {
      panel,
      cloudflare,
      market,
      registered,
      targets,
      telegram,
      keitaro,
      binom,
      readAuditLogs,
      readReports,
      credentials,
      owner: null,
    }
    if (options.owner === false) return
    current = { ...current, owner: await register('Owner') }
    if (options.accounts !== undefined) await addAccounts(world.credentials.slice(0, options.accounts))
  })
  test.afterAll(async ({ station }) => {
    current = null
    await station.clear()
  })
}

/** The storage state of a signed-in browser. */
export async function signIn(page: Page, who: Session): Promise<void> {
  await page.addInitScript(
    (stored) => {
      // Written only once, so that a page that signs out stays signed out.
      if (sessionStorage.getItem('e2e.signed-in') !== null) return
      sessionStorage.setItem('e2e.signed-in', 'yes')
      localStorage.setItem('zonedeck.auth', stored)
    },
    JSON.stringify({ ...who, isAuthenticated: true }),
  )
}

/** Resolves when the page receives change events; earlier changes may be missed. Call it before the page is opened. */
export const hearing = (page: Page): Promise<unknown> => page.waitForResponse((response) => response.url().includes('live.events'))

/**
 * For `test.use` at the top of a file. It is not a separate project, because a project would start its own servers and browsers at the very end.
 */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

/** Rejected requests and missing files are logged by the browser and the router; tests provoke them on purpose. */
const expectedNoise = /Failed to load resource|net::ERR_|Unable to preload|dynamically imported module/

/** What the spec files of a worker share one after another: a server process, its database and a Cloudflare. */
interface Station {
  readonly panel: Panel
  readonly cloudflare: CloudflareSimulator
  readonly market: Market
  readonly registered: Map<string, RegistryEntry>
  readonly targets: Targets
  readonly telegram: TelegramSimulator
  readonly keitaro: KeitaroSimulator
  readonly binom: BinomSimulator
  readAuditLogs(): Promise<void>
  readReports(): Promise<void>
  emptyTrackers(): void
  /** Reverts purchases, spending and registrations. */
  emptyMarket(): void
  /** Empties the database. */
  clear(): Promise<void>
}

async function openStation(): Promise<Station & { close(): Promise<void> }> {
  const world = buildWorld({ zones: 0, accounts: 1, seed: 7, recordsPerZone: 0 })
  const cloudflare = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null })
  // Every domain has a working site until a test breaks it.
  const targets = await startTargetsSimulator({
    sites(name) {
      const nameServers = cloudflare.state.registered(name)
      if (nameServers !== null) return { nameServers }
      return landmarks.has(name) ? {} : null
    },
    dsRecords: (name) => publishedDs(cloudflare.state, name),
  })
  const telegram = await startTelegramSimulator({ limits: false })
  const keitaro = await startKeitaroSimulator()
  const binom = await startBinomSimulator()
  const registrars = await startRegistrarWorld({
    world,
    onDelegation: (name, nameServers) => cloudflare.state.registrarNameServers.set(name, nameServers),
  })
  const { market } = registrars
  const registered = new Map<string, RegistryEntry>()
  const ofWorld = registryOfWorld(market, (name) => cloudflare.state.zonesNamed(name)[0] ?? null)
  const rdap = await startRdapSimulator({ find: (name) => registered.get(name) ?? ofWorld(name), perSecond: null })
  const balances = market.accounts.map(({ balanceMinor }) => balanceMinor)
  const database = await cloneDatabase()
  const folder = await temporaryFolder()
  const roots = join(folder.path, 'roots.pem')
  await writeFile(roots, targets.root)
  const panel = await startPanel({
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    CLOUDFLARE_BASE_URL: cloudflare.url,
    CLOUDFLARE_BUDGET: '100000/10',
    RDAP_BOOTSTRAP_URL: rdap.url,
    OUTBOUND_ALLOW: '127.0.0.1/32',
    DNS_SERVERS: targets.dnsServer,
    CHECK_VIA: targets.viaText,
    CHECK_ROOTS: roots,
    TELEGRAM_BASE_URL: telegram.url,
    ...registrars.urls,
  })
  return {
    panel,
    cloudflare,
    market,
    registered,
    targets,
    telegram,
    keitaro,
    binom,
    readAuditLogs: () => database.run('update change_feeds set due_at = now()'),
    readReports: () => database.run('update report_feeds set due_at = now(), swept_at = null'),
    emptyTrackers() {
      keitaro.reset()
      binom.reset()
    },
    emptyMarket() {
      registered.clear()
      market.ledger.length = 0
      for (const [index, account] of market.accounts.entries()) {
        account.names.clear()
        account.balanceMinor = balances[index] ?? 0
      }
    },
    clear: database.clear,
    async close() {
      await panel.stop()
      await folder.remove()
      await database.drop()
      await rdap.close()
      await registrars.close()
      await targets.close()
      await telegram.close()
      await keitaro.close()
      await binom.close()
      await cloudflare.close()
    },
  }
}

/**
 * `page` has empty storage and is in Russian; `mine` is signed in as the owner. A test fails when the page throws, logs an error or violates its
 * content security policy.
 */
export const test = base.extend<{ t: ReturnType<typeof texts>; en: ReturnType<typeof texts>; mine: Page }, { station: Station }>({
  station: [
    async ({}, use) => {
      const station = await openStation()
      await use(station)
      await station.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({}, use) => use(current?.panel.url),
  page: async ({ page }, use) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' && !expectedNoise.test(message.text())) faults.push(message.text())
    })
    await use(page)
    expect(faults).toEqual([])
  },
  t: async ({}, use) => use(texts('ru')),
  en: async ({}, use) => use(texts('en')),
  mine: async ({ page }, use) => {
    const { owner } = deck()
    if (owner === null) throw new Error('nobody has registered')
    await signIn(page, owner)
    await use(page)
  },
})
