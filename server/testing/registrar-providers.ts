import { randomUUID } from 'node:crypto'
import { createRegistrars } from '#server/integrations/registrars/create-registrars.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Purchase, PurchaseOrder, Registrars, RegistrarConnection, RegistrarCredential } from '#server/ports/registrar.ts'
import { startGodaddySimulator } from '#server/simulators/registrars/godaddy.ts'
import { Market } from '#server/simulators/registrars/market.ts'
import type { MarketAccount } from '#server/simulators/registrars/market.ts'
import { startNamecheapSimulator } from '#server/simulators/registrars/namecheap.ts'
import { startPorkbunSimulator } from '#server/simulators/registrars/porkbun.ts'
import { startRegruSimulator } from '#server/simulators/registrars/regru.ts'
import type { ProviderSimulator } from '#server/simulators/serve.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { acceptQuote } from '#shared/features/registrars/buying/price-rule.ts'
import type { ConfirmedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'

export interface TestedProvider {
  readonly name: string
  readonly provider: RegistrarProvider
  readonly credential: RegistrarCredential & Readonly<Record<string, string>>
  /** Its API quotes registrations, premium names and renewals with fees; anything not quoted is never ordered. */
  readonly quotes: { readonly registration: boolean; readonly premium: boolean; readonly renewal: boolean; readonly longer: boolean }
  readonly start: (market: Market, latencyMs?: number) => Promise<ProviderSimulator>
}

export const vendors: readonly TestedProvider[] = [
  {
    name: 'Namecheap',
    provider: 'NAMECHEAP',
    credential: { username: 'conformance', apiKey: 'long-conformance-key', clientIp: '203.0.113.5' },
    quotes: { registration: true, premium: true, renewal: true, longer: true },
    start: (market, latencyMs = 0) => startNamecheapSimulator({ market, perMinute: null, latencyMs }),
  },
  {
    name: 'GoDaddy by a key',
    provider: 'GODADDY',
    credential: { apiKey: 'conformance-key', apiSecret: 'conformance-secret' },
    quotes: { registration: false, premium: false, renewal: false, longer: false },
    start: (market, latencyMs = 0) => startGodaddySimulator({ market, perMinute: null, latencyMs }),
  },
  {
    name: 'GoDaddy by a token',
    provider: 'GODADDY',
    credential: { apiToken: 'conformance-token' },
    quotes: { registration: true, premium: true, renewal: false, longer: true },
    start: (market, latencyMs = 0) => startGodaddySimulator({ market, perMinute: null, latencyMs }),
  },
  {
    name: 'Porkbun',
    provider: 'PORKBUN',
    credential: { apiKey: 'pk1_conformance', apiSecret: 'sk1_conformance' },
    quotes: { registration: true, premium: false, renewal: true, longer: false },
    start: (market, latencyMs = 0) => startPorkbunSimulator({ market, perSecond: null, latencyMs }),
  },
  {
    name: 'REG.RU',
    provider: 'REGRU',
    credential: { login: 'conformance', password: 'long-secret-word' },
    quotes: { registration: true, premium: true, renewal: true, longer: true },
    start: (market, latencyMs = 0) => startRegruSimulator({ market, perHour: null, latencyMs }),
  },
]

export const person = { priority: 'person' } as const

export const contact = {
  firstName: 'Anna',
  lastName: 'Petrova',
  organization: null,
  email: 'anna@example.com',
  phone: '+74951234567',
  address: 'Tverskaya 1',
  city: 'Moscow',
  region: 'Moscow',
  postalCode: '125009',
  country: 'RU',
  extra: {},
}

export const orderOf = (name: string, others: Partial<PurchaseOrder> = {}): PurchaseOrder => ({
  name,
  years: 1,
  contact,
  nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  privacy: true,
  autoRenew: true,
  endUserIp: '203.0.113.10',
  ...others,
})

/** Buys like the panel: quote, price rule, order. */
export async function buy(
  connection: RegistrarConnection,
  order: PurchaseOrder,
  confirmed: ConfirmedPrice,
  idempotencyKey: string = randomUUID(),
): Promise<Purchase> {
  const quote = acceptQuote(await connection.quote(order, person), confirmed)
  return connection.register(order, { quote, idempotencyKey }, person)
}

export async function renew(connection: RegistrarConnection, name: string, years: number, confirmed: ConfirmedPrice): Promise<Purchase> {
  const { expiresAt } = await connection.getName(name, person)
  const order = { name, years, expiresAt: expiresAt ?? new Date() }
  const quote = acceptQuote(await connection.quoteRenewal(order, person), confirmed)
  return connection.renew(order, { quote, idempotencyKey: randomUUID() }, person)
}

/** A provider with one customer, and its adapter. */
export async function startProvider(
  testedProvider: TestedProvider,
  names: Parameters<Market['addAccount']>[0]['names'] = [],
  latencyMs = 0,
) {
  const { provider, credential, start } = testedProvider
  const database = await createTestDatabase()
  const market = new Market()
  const account: MarketAccount = market.addAccount({ provider, credential, names })
  const simulator = await start(market, latencyMs)
  const baseUrls = { NAMECHEAP: null, GODADDY: null, PORKBUN: null, REGRU: null, [provider]: simulator.url }
  const createOwn = (clock: Clock = systemClock): Registrars =>
    createRegistrars({
      baseUrls,
      sql: database.db.sql,
      clock,
      log: createLog('silent'),
      userAgent: 'zonedeck-test',
      limit: { limit: 100_000, windowMs: 1_000 },
    })
  const registrars = createOwn()
  const access = { provider, sandbox: false, credential } as const
  return {
    database,
    market,
    account,
    simulator,
    /** A second adapter, as in another process. */
    createOwn,
    connect: (others: Partial<Parameters<Registrars['connect']>[0]> = {}) => registrars.connect({ ...access, ...others }),
    access,
    close: async () => {
      await registrars.close()
      await simulator.close()
      await database.close()
    },
  }
}
