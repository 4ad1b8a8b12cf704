import { createRegistrars } from '#server/integrations/registrars/create-registrars.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Log } from '#server/platform/log.ts'
import type { Registrars } from '#server/ports/registrar.ts'
import { startGodaddySimulator } from '#server/simulators/registrars/godaddy.ts'
import { Market } from '#server/simulators/registrars/market.ts'
import type { MarketAccount } from '#server/simulators/registrars/market.ts'
import { startNamecheapSimulator } from '#server/simulators/registrars/namecheap.ts'
import { startPorkbunSimulator } from '#server/simulators/registrars/porkbun.ts'
import { startRegruSimulator } from '#server/simulators/registrars/regru.ts'
import type { ProviderSimulator } from '#server/simulators/serve.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'

export interface TestRegistrars {
  readonly market: Market
  /** At Porkbun, with the keys `porkbunKeys`. */
  readonly account: MarketAccount
  /** Porkbun's. */
  readonly simulator: ProviderSimulator
  readonly accounts: Readonly<Record<RegistrarProvider, MarketAccount>>
  readonly simulators: Readonly<Record<RegistrarProvider, ProviderSimulator>>
  /** Closes the simulators too. */
  readonly registrars: Registrars
}

export const registrarKeys = {
  NAMECHEAP: { username: 'of-the-test', apiKey: 'key-of-the-test', clientIp: '203.0.113.5' },
  GODADDY: { apiToken: 'token-of-the-test' },
  PORKBUN: { apiKey: 'pk1_of_the_test', apiSecret: 'sk1_of_the_test' },
  REGRU: { login: 'of-the-test', password: 'word-of-the-test' },
} as const
export const porkbunKeys = registrarKeys.PORKBUN

/** Registrar adapters for these addresses, without call limits. */
export const connectTestRegistrars = (
  sql: TestDatabase['db']['sql'],
  baseUrls: Readonly<Record<RegistrarProvider, string | null>>,
  log: Log = createLog('silent'),
): Registrars =>
  createRegistrars({
    baseUrls,
    sql,
    clock: systemClock,
    log,
    userAgent: 'zonedeck-test',
    limit: { limit: 100_000, windowMs: 1_000 },
  })

/** All four registrars with one customer each, of which Porkbun's has these names, and their adapters, without call limits. */
export async function startTestRegistrars({ db }: TestDatabase, names: readonly string[] = [], log?: Log): Promise<TestRegistrars> {
  const market = new Market()
  const accountAt = (provider: RegistrarProvider) =>
    market.addAccount({
      provider,
      credential: registrarKeys[provider],
      names: provider === 'PORKBUN' ? names.map((name) => ({ name })) : [],
    })
  const accounts = {
    NAMECHEAP: accountAt('NAMECHEAP'),
    GODADDY: accountAt('GODADDY'),
    PORKBUN: accountAt('PORKBUN'),
    REGRU: accountAt('REGRU'),
  }
  const simulators = {
    NAMECHEAP: await startNamecheapSimulator({ market, perMinute: null }),
    GODADDY: await startGodaddySimulator({ market, perMinute: null }),
    PORKBUN: await startPorkbunSimulator({ market, perSecond: null }),
    REGRU: await startRegruSimulator({ market, perHour: null }),
  }
  const registrars = connectTestRegistrars(db.sql, registrarUrls({ simulators }), log)
  return {
    market,
    account: accounts.PORKBUN,
    simulator: simulators.PORKBUN,
    accounts,
    simulators,
    registrars: {
      connect: registrars.connect,
      close: async () => {
        await registrars.close()
        await Promise.all(Object.values(simulators).map((simulator) => simulator.close()))
      },
    },
  }
}

/** Their base URLs. */
export const registrarUrls = ({ simulators }: Pick<TestRegistrars, 'simulators'>): Readonly<Record<RegistrarProvider, string>> => ({
  NAMECHEAP: simulators.NAMECHEAP.url,
  GODADDY: simulators.GODADDY.url,
  PORKBUN: simulators.PORKBUN.url,
  REGRU: simulators.REGRU.url,
})
