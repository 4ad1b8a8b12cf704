import { createRegistrars } from '#server/integrations/registrars/create-registrars.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Registrars } from '#server/ports/registrar.ts'
import { createMarket } from '#server/simulators/registrars/market.ts'
import type { Market, MarketAccount } from '#server/simulators/registrars/market.ts'
import { startPorkbunSimulator } from '#server/simulators/registrars/porkbun.ts'
import type { RegistrarSimulator } from '#server/simulators/registrars/serve.ts'
import type { TestDatabase } from '#server/testing/database.ts'

export interface TestRegistrars {
  readonly market: Market
  /** Whose keys are `porkbunKeys`. */
  readonly account: MarketAccount
  readonly simulator: RegistrarSimulator
  /** Closes the simulator too. */
  readonly registrars: Registrars
}

export const porkbunKeys = { apiKey: 'pk1_of_the_test', apiSecret: 'sk1_of_the_test' }

/** Porkbun with one customer who has these names, and what speaks to it; neither has a limit of calls. */
export async function startTestRegistrars({ db }: TestDatabase, names: readonly string[] = []): Promise<TestRegistrars> {
  const market = createMarket()
  const account = market.addAccount({ provider: 'PORKBUN', credential: porkbunKeys, names: names.map((name) => ({ name })) })
  const simulator = await startPorkbunSimulator({ market, perSecond: null })
  const registrars = createRegistrars({
    baseUrls: { NAMECHEAP: null, GODADDY: null, PORKBUN: simulator.url, REGRU: null },
    sql: db.sql,
    clock: systemClock,
    log: createLog('silent'),
    userAgent: 'zonedeck-test',
    limit: { limit: 100_000, windowMs: 1_000 },
  })
  return {
    market,
    account,
    simulator,
    registrars: {
      connect: registrars.connect,
      close: async () => {
        await registrars.close()
        await simulator.close()
      },
    },
  }
}
