import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detailsStatement } from '#server/features/domains/list/domain-details.repo.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import type { Bench } from './bench.ts'
import { load } from './load.ts'
import { insertOwner, startChild, startDatabase, startPanel } from './panel.ts'

const clients = 4
const forMs = 2_000

export const domainDetails: Bench = {
  about: 'the details of one domain of 20,000, authenticated, through the whole server, compared with a bare route with the same SQL',
  async run(report) {
    const database = await startDatabase()
    const { sql } = database.db
    const owner = await insertOwner(database.db)
    await seedZones(database.db, { ownerId: owner.id, count: 20_000 })
    await sql`update accounts set next_sync_at = now() + interval '1 day'`
    await sql`
      insert into zone_settings (zone_id, "values", read_at, page_rules_used) select id, '{}', now(), 2 from zones`
    await sql`
      insert into zone_ssl (zone_id, universal_enabled, certificates, read_at)
      select id, true, '[{"state": "active", "expiresAt": "2027-01-01T00:00:00.000Z"}]', now() from zones`
    await sql`analyze`
    const [zone] = await sql<{ id: string }[]>`select id from zones order by name offset 10000 limit 1`
    const id = zone?.id ?? ''
    const config = join(database.dataDir, 'bare.json')
    await writeFile(config, JSON.stringify({ url: database.url, statements: [detailsStatement([id])] }))
    const bare = await startChild('bench/bare-server.ts', [config])
    const panel = await startPanel(database)
    const headers = { authorization: `Bearer ${owner.token}` }
    const ownUrl = `${panel.url}/api/zones/${id}/full`
    // Through the browser's transport, which costs more than the details do.
    const trpcUrl = `${panel.url}/trpc/domains.full?input=${encodeURIComponent(JSON.stringify({ id }))}`
    const peerUrl = `${bare.url}/0`
    try {
      await load(ownUrl, headers, clients, 3_000)
      await load(peerUrl, {}, clients, 2_000)
      // Alternates, so that other load on the machine affects both equally.
      const [ownFirst, peerFirst] = [await load(ownUrl, headers, clients, forMs), await load(peerUrl, {}, clients, forMs)]
      const [own, peer] = [await load(ownUrl, headers, clients, forMs), await load(peerUrl, {}, clients, forMs)]
      const trpc = await load(trpcUrl, headers, clients, forMs)
      const perSecond = (ownFirst.perSecond + own.perSecond) / 2
      const peerPerSecond = (peerFirst.perSecond + peer.perSecond) / 2
      report({
        name: 'details from the mirror: throughput',
        value: perSecond,
        unit: '/s',
        against: { kind: 'at least', value: peerPerSecond * 0.6, what: '60 % of the bare route' },
        more: {
          peer: Math.round(peerPerSecond),
          ofPeer: Number((perSecond / peerPerSecond).toFixed(2)),
          overTrpc: Math.round(trpc.perSecond),
        },
      })
    } finally {
      await panel.stop()
      await bare.stop()
      await database.close()
    }
  },
}
