import type { Bench } from './bench.ts'
import { percentile } from './bench.ts'
import { seedDomains } from './domain-cases.ts'
import { load } from './load.ts'
import { startDatabase, startPanel } from './panel.ts'

export const domainsCounts: Bench = {
  about: 'tiles and filter counts over 100,000 domains, through the whole server, compared with one grouped count in SQL',
  async run(report) {
    const database = await startDatabase()
    const { owner, filters } = await seedDomains(database.db)
    const panel = await startPanel(database)
    const headers = { authorization: `Bearer ${owner.token}` }
    try {
      const plain: number[] = []
      for (let turn = 0; turn < 20; turn += 1) {
        const began = performance.now()
        await database.db.sql`select status, count(*) from zones where owner_id = ${owner.id} group by 1`
        plain.push(performance.now() - began)
      }
      for (const [label, filter] of Object.entries(filters)) {
        const url = `${panel.url}/trpc/domains.summary?input=${encodeURIComponent(JSON.stringify({ filter }))}`
        await load(url, headers, 1, 500)
        const { p50Ms, p95Ms, perSecond } = await load(url, headers, 1, 1_500)
        report({
          name: `${label}: median`,
          value: p50Ms,
          unit: 'ms',
          against: { kind: 'at most', value: 20, what: 'one client' },
          more: {
            p95Ms: Number(p95Ms.toFixed(1)),
            perSecond: Math.round(perSecond),
            oneGroupedCountMs: Number(percentile(plain, 0.5).toFixed(1)),
          },
        })
      }
    } finally {
      await panel.stop()
      await database.close()
    }
  },
}
