import { Market } from '#server/simulators/registrars/market.ts'
import { startGodaddySimulator } from '#server/simulators/registrars/godaddy.ts'
import { startNamecheapSimulator } from '#server/simulators/registrars/namecheap.ts'
import { startPorkbunSimulator } from '#server/simulators/registrars/porkbun.ts'
import { startRegruSimulator } from '#server/simulators/registrars/regru.ts'
import { connectTestRegistrars, registrarKeys } from '#server/testing/test-registrars.ts'
import { registrarCatalog, registrarProviders } from '#shared/features/registrars/catalog.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import type { Bench } from './bench.ts'
import { startDatabase } from './panel.ts'

const listed = 10_000
const checked = 500
/** The most names in one list response; REG.RU has no pagination. */
const pageLengths: Readonly<Record<RegistrarProvider, number>> = { NAMECHEAP: 100, GODADDY: 200, PORKBUN: 1_000, REGRU: listed }
/** Price lists that are fetched as well. */
const priceCalls: Readonly<Record<RegistrarProvider, number>> = { NAMECHEAP: 2, GODADDY: 0, PORKBUN: 0, REGRU: 1 }
const starts = {
  NAMECHEAP: (market: Market) => startNamecheapSimulator({ market, perMinute: null }),
  GODADDY: (market: Market) => startGodaddySimulator({ market, perMinute: null }),
  PORKBUN: (market: Market) => startPorkbunSimulator({ market, perSecond: null }),
  REGRU: (market: Market) => startRegruSimulator({ market, perHour: null }),
}

export const registrars: Bench = {
  about:
    '10,000 names listed and 500 checked at each registrar, in calls compared with the minimum that its paging allows; the simulators do not limit them',
  async run(report) {
    const database = await startDatabase()
    try {
      for (const provider of registrarProviders) {
        const market = new Market()
        const names = Array.from({ length: listed }, (_, index) => ({ name: `held-${String(index).padStart(5, '0')}.com` }))
        market.addAccount({ provider, credential: registrarKeys[provider], names })
        const simulator = await starts[provider](market)
        const urls = { NAMECHEAP: null, GODADDY: null, PORKBUN: null, REGRU: null, [provider]: simulator.url }
        const connected = connectTestRegistrars(database.db.sql, urls)
        const connection = connected.connect({ provider, sandbox: false, credential: registrarKeys[provider] })
        try {
          simulator.journal.reset()
          let found = 0
          let cursor: string | null = null
          do {
            const page: Awaited<ReturnType<typeof connection.listNames>> = await connection.listNames(cursor, { priority: 'sync' })
            found += page.names.length
            cursor = page.next
          } while (cursor !== null)
          if (found !== listed) throw new Error(`${provider} listed ${found} names`)
          const least = Math.ceil(listed / pageLengths[provider])
          // Without a reported total, a full last page does not show that it is the last.
          const spare = provider === 'PORKBUN' ? 1 : 0
          report({
            name: `${registrarCatalog[provider].name}: ${listed} names listed`,
            value: simulator.journal.count({}),
            unit: 'calls',
            against: { kind: 'at most', value: least + spare, what: spare === 0 ? 'full pages' : 'full pages and one to see the end' },
          })

          simulator.journal.reset()
          const asked = Array.from({ length: checked }, (_, index) => `free-${index}.com`)
          const answers = await connection.check(asked, { priority: 'bulk' })
          if (answers.some(({ state }) => state !== 'available')) throw new Error(`${provider} did not answer all names`)
          report({
            name: `${registrarCatalog[provider].name}: ${checked} names checked`,
            value: simulator.journal.count({}),
            unit: 'calls',
            against: {
              kind: 'at most',
              value: Math.ceil(checked / registrarCatalog[provider].namesPerCheck) + priceCalls[provider],
              what: 'full calls, and its prices',
            },
          })
        } finally {
          await connected.close()
          await simulator.close()
        }
      }
    } finally {
      await database.close()
    }
  },
}
