import { seedRegistrars } from '#server/testing/seed-registrars.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { compactCounts } from '#server/features/domains/list/counts.repo.ts'
import { activityCode } from '#server/platform/activity-code.ts'
import type { Database } from '#server/db/client.ts'
import type { Bench } from './bench.ts'
import { load } from './load.ts'
import { insertOwner, startDatabase, startPanel } from './panel.ts'

const domains = 10_000
const accounts = 10_000
const forMs = 2_000

/** The data of one owner: certificates of all domains, the same number of names without a zone, and a log of 100,000 similar entries. */
async function seed(db: Database, ownerId: string): Promise<void> {
  const { sql } = db
  await seedZones(db, { ownerId, count: domains, accounts })
  const [registrarId] = await seedRegistrars(db, ownerId)
  await sql`
    insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions, cert_expires_at, certificate)
    select id, owner_id, 300, 0, '{EUROPE}', now() + abs(hashtext(name)) % 90 * interval '1 day', '{"issuer":"Issuer","trusted":true}' from zones
    on conflict do nothing`
  await sql`
    insert into registrar_names (registrar_id, name, expires_at, name_servers)
    select ${registrarId ?? ''}, 'free' || n || '.example', now() + n * interval '1 hour', '{ns1.parked.example}' from generate_series(1, ${domains}::int) n`
  await sql`
    insert into activity (id, owner_id, actor_id, actor_name, actor_kind, action, entity_type, code, entity_id, entity_name)
    select uuidv7(-n * interval '1 second'), ${ownerId}, ${ownerId}, 'Owner', 'user', 'update', 'zone',
      ${activityCode({ action: 'update', entityType: 'zone', actorKind: 'user', own: true })}, gen_random_uuid()::text, 'example.com'
    from generate_series(1, 100000) n`
  await sql`update accounts set next_sync_at = now() + interval '1 day', provider_user_id = md5(id::text)`
  while ((await compactCounts(db)) > 0);
  await sql.unsafe('vacuum analyze')
}

export const ownerPages: Bench = {
  about: `pages of one owner of ${domains.toLocaleString('en')} domains in as many accounts, authenticated, through the whole server, one client`,
  async run(report) {
    const database = await startDatabase()
    const owner = await insertOwner(database.db)
    await seed(database.db, owner.id)
    const panel = await startPanel(database)
    const headers = { authorization: `Bearer ${owner.token}` }
    const urlOf = (call: string, input?: object) =>
      `${panel.url}/trpc/${call}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`
    const pages = [
      { name: 'certificates', url: urlOf('monitoring.certificates', { limit: 100 }), mostMs: 50, mostKb: 30 },
      { name: 'certificates by expiry date', url: urlOf('monitoring.expiries', {}), mostMs: 100, mostKb: 10 },
      { name: 'names without a zone', url: urlOf('registrars.names', { which: 'unbound' }), mostMs: 250, mostKb: 50 },
      { name: 'activity', url: urlOf('activity.list', { limit: 50 }), mostMs: 50, mostKb: 40 },
      { name: 'domains, the longest page', url: urlOf('domains.rows', { limit: 200 }), mostMs: 100, mostKb: 250 },
      { name: 'system, the accounts in trouble first', url: urlOf('settings.system'), mostMs: 1_500, mostKb: 300 },
    ]
    try {
      for (const { name, url, mostMs, mostKb } of pages) {
        const bytes = (await (await fetch(url, { headers })).arrayBuffer()).byteLength
        await load(url, headers, 1, forMs / 2)
        const { p50Ms } = await load(url, headers, 1, forMs)
        report({ name: `${name}: median`, value: p50Ms, unit: 'ms', against: { kind: 'at most', value: mostMs, what: 'one client' } })
        report({
          name: `${name}: answer`,
          value: bytes / 1000,
          unit: 'kB',
          against: { kind: 'at most', value: mostKb, what: 'uncompressed' },
        })
      }
    } finally {
      await panel.stop()
      await database.close()
    }
  },
}
