import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import { replaceMirror } from '#server/features/redirects/redirects.repo.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import type { Bench } from './bench.ts'
import { startDatabase } from './panel.ts'
import { createBenchServices } from './services.ts'

const count = 100_000
const domains = 1_000
/** Every tenth leads to another redirect of the file. */
const targetOf = (at: number, path: string): string =>
  at % 10 === 0 ? `https://${domainOf(at + 1)}/p/${at + 1}` : `https://target.example${path}/${at}`
const domainOf = (at: number): string => `shop-${at % domains}.example`
const redirectOf = (at: number, path: string): Redirect => ({
  source: `${domainOf(at)}/p/${at}`,
  target: targetOf(at, path),
  status: 301,
  preserveQueryString: false,
  includeSubdomains: false,
  subpathMatching: false,
  preservePathSuffix: false,
})
const csvOf = (path: string): string =>
  Array.from({ length: count }, (_, at) => `${domainOf(at)}/p/${at},${targetOf(at, path)},301`).join('\n')

/** The median of three. */
async function timed(work: () => Promise<void>): Promise<number> {
  const seconds: number[] = []
  for (let run = 0; run < 3; run += 1) {
    const began = performance.now()
    await work()
    seconds.push((performance.now() - began) / 1000)
  }
  return seconds.toSorted((one, other) => one - other)[1] ?? Number.NaN
}

export const redirects: Bench = {
  about: `A file of ${count.toLocaleString('en')} redirects read and previewed: checked, compared, and stored as a draft`,
  async run(report) {
    const world = buildWorld({ zones: 2, accounts: 2, seed: 5, recordsPerZone: 1, plain: true })
    const simulator = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null })
    const database = await startDatabase()
    const { db } = database
    const services = await createBenchServices(db, simulator.url, { concurrentCalls: 4, budget: null })
    try {
      const owner = await signIn(services)
      const ids: string[] = []
      for (const { email, globalKey, userId } of world.credentials) {
        const account = await insertAccount(
          db,
          { ownerId: owner.user.id, email, providerUserId: userId },
          { secrets: services.secrets, apiKey: globalKey },
        )
        ids.push(account.id)
      }
      const [id = '', other = ''] = ids
      await insertZones(db, { ownerId: owner.user.id, accountId: id }, domains, (at) => ({
        name: domainOf(at),
        plan: 'Enterprise Website',
        recordsReadAt: new Date(),
        recordsCount: 0,
      }))
      await db.sql`
        insert into dns_records (zone_id, record_id, type, name, content, ttl, proxied)
        select id, id, 'A', name, '192.0.2.1', 1, true from zones`
      const list = { listId: 'x', rule: 'enabled', othersCount: 0, readAt: new Date() } as const
      const preview = async (csv: string, wanted: Partial<{ added: number; changed: number }>) => {
        const { summary, preview: drafted } = await owner.call.operations.previewRedirects({ id, csv })
        if (Object.entries(wanted).some(([part, expected]) => summary[part as 'added' | 'changed'] !== expected))
          throw new Error(`unexpected preview: ${JSON.stringify({ added: summary.added, changed: summary.changed })}`)
        await owner.call.operations.discard({ id: drafted?.operation.id ?? '' })
      }
      const atMost = (value: number) => ({ kind: 'at most' as const, value, what: 'limit' })
      await replaceMirror(db.orm, { accountId: id, ...list }, [])
      await db.sql`vacuum analyze`
      const csv = csvOf('/old')
      const added = await timed(() => preview(csv, { added: count }))
      report({ name: `${count} redirects added to an empty list`, value: added, unit: 's', against: atMost(5) })

      const stored = Array.from({ length: count }, (_, at) => ({ ...redirectOf(at, '/old'), itemId: String(at) }))
      await replaceMirror(db.orm, { accountId: id, ...list }, stored)
      await db.sql`vacuum analyze`
      const next = csvOf('/new')
      const changed = await timed(() => preview(next, { added: 0, changed: count - count / 10 }))
      report({ name: `${count} redirects compared with as many of the list`, value: changed, unit: 's', against: atMost(10) })

      const elsewhere = Array.from({ length: count }, (_, at) => ({
        ...redirectOf(at, '/old'),
        source: `other-${at % domains}.example/p/${at}`,
        itemId: String(at),
      }))
      await replaceMirror(db.orm, { accountId: other, ...list }, elsewhere)
      await db.sql`vacuum analyze`
      const one = { source: `${domainOf(1)}/one`, target: 'https://other-1.example/p/1' }
      const single = await timed(async () => {
        const { preview: drafted } = await owner.call.operations.previewRedirects({ id, put: [one] })
        await owner.call.operations.discard({ id: drafted?.operation.id ?? '' })
      })
      report({ name: `One redirect added beside ${count}, another account has as many`, value: single, unit: 's', against: atMost(5) })
    } finally {
      await services.dnsHost.close()
      await services.events.close()
      await database.close()
      await simulator.close()
    }
  },
}
