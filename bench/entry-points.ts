import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pageStatement } from '#server/features/domains/list/page-statement.repo.ts'
import type { Bench } from './bench.ts'
import { seedDomains } from './domain-cases.ts'
import { load } from './load.ts'
import { startChild, startDatabase, startPanel } from './panel.ts'

const clients = 4
const forMs = 1_000
const turns = 4
const byName = { by: 'name', direction: 'asc' } as const

export const entryPoints: Bench = {
  about: 'the same list over REST and tRPC, and a bare route with the same SQL, with 100,000 domains',
  async run(report) {
    const database = await startDatabase()
    const { owner } = await seedDomains(database.db)
    const config = join(database.dataDir, 'bare.json')
    const statement = pageStatement({ owners: [owner.id], shared: null }, { filter: {}, sort: byName, after: null, limit: 51 })
    await writeFile(config, JSON.stringify({ url: database.url, statements: [statement] }))
    const bare = await startChild('bench/bare-server.ts', [config])
    const panel = await startPanel(database)
    const headers = { authorization: `Bearer ${owner.token}` }
    const addresses = {
      rest: `${panel.url}/api/zones/live?limit=50`,
      trpc: `${panel.url}/trpc/domains.live?input=${encodeURIComponent('{"limit":50}')}`,
      bare: `${bare.url}/0`,
    }
    const sums = { rest: 0, trpc: 0, bare: 0 }
    const names = ['rest', 'trpc', 'bare'] as const
    try {
      for (const name of names) await load(addresses[name], headers, clients, 2_000)
      // Alternates, so that other load on the machine affects all equally.
      for (let turn = 0; turn < turns; turn += 1) {
        for (const name of names) sums[name] += (await load(addresses[name], headers, clients, forMs)).perSecond / turns
      }
      const { rest, trpc } = sums
      report({
        name: 'a page of 50 domains: the slower entry point compared with the faster',
        value: Math.min(rest, trpc),
        unit: '/s',
        against: { kind: 'at least', value: Math.max(rest, trpc) * 0.85, what: '85 % of the faster' },
        more: { rest: Math.round(rest), trpc: Math.round(trpc) },
      })
      report({
        name: 'a page of 50 domains over REST',
        value: rest,
        unit: '/s',
        against: { kind: 'at least', value: sums.bare * 0.6, what: '60 % of the bare route' },
        more: { bare: Math.round(sums.bare) },
      })
    } finally {
      await panel.stop()
      await bare.stop()
      await database.close()
    }
  },
}
