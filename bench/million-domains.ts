import { apiKeyContext } from '#server/features/sync/index.ts'
import { compactCounts } from '#server/features/domains/list/counts.repo.ts'
import type { Sql } from '#server/db/client.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { insertOwner, startDatabase } from './panel.ts'
import type { BenchDatabase } from './panel.ts'
import { withoutIndexes } from './without-indexes.ts'

const owners = 50
export const perAccount = 500
const recordsPerZone = 5
const groupsPerOwner = 12
/** Accounts of the largest owner, and of each other one: 2,000 in all. */
const accountsOf = { largest: 432, other: 32 }

export const secretKey = Buffer.alloc(32, 'million').toString('base64')

export interface MillionDomains {
  readonly database: BenchDatabase
  readonly admin: { readonly id: string; readonly token: string }
  readonly largest: { readonly id: string; readonly token: string; readonly accountIds: string[]; readonly groupIds: string[] }
  /** How long it took, unless it was there already. */
  readonly seededSeconds: number | null
}

/** The simulated provider (`bare-cloudflare.ts`) answers with the same records. */
const insertRecords = (sql: Sql) => sql`
  insert into dns_records (zone_id, record_id, type, name, content, ttl, proxied, proxiable)
  select z.id, md5(z.zone_id || n), 'A', 'r' || n || '.' || z.zone_id || '.example',
    '10.' || get_byte(decode(z.zone_id, 'hex'), 0) || '.' || get_byte(decode(z.zone_id, 'hex'), 1) || '.' || n, 1, n < 3, true
  from zones z cross join generate_series(1, ${recordsPerZone}::int) n`

const insertSettings = (sql: Sql) => sql`
  insert into zone_settings (zone_id, "values", read_at)
  select id, jsonb_object_agg(s.key, jsonb_build_object('value', s.value, 'editable', true, 'modifiedOn', null)), now()
  from zones cross join lateral (values ('ssl', to_jsonb(ssl_mode)), ('min_tls_version', to_jsonb(tls_min)), ('always_use_https', to_jsonb(https)),
    ('security_level', to_jsonb(security_level)), ('security_header', '{"strict_transport_security": {"enabled": false}}'),
    ('fight_mode', 'false'), ('ai_bots_protection', '"disabled"'), ('crawler_protection', 'false'), ('is_robots_txt_managed', 'false'), ('dnssec', 'false')) s (key, value)
  group by id`

async function seed(database: BenchDatabase): Promise<void> {
  const { sql } = database.db
  await insertOwner(database.db, 'admin')
  await withoutIndexes(sql, 'zones', async () => {
    for (let n = 0; n < owners; n += 1) {
      const { id: ownerId } = await insertOwner(database.db)
      const accounts = n === 0 ? accountsOf.largest : accountsOf.other
      const prefix = n === 0 ? 'b' : `o${n}x`
      await seedZones(database.db, { ownerId, count: accounts * perAccount, accounts, groups: groupsPerOwner, prefix, due: true })
    }
  })
  await withoutIndexes(sql, 'dns_records', async () => void (await insertRecords(sql)))
  await insertSettings(sql)
  const secrets = createSecrets(Buffer.from(secretKey, 'base64'))
  const accounts = await sql<{ id: string }[]>`select id from accounts`
  await sql`
    update accounts a set next_sync_at = now() + interval '10 years', provider_user_id = md5(a.id::text), api_key_sealed = k.sealed
    from unnest(${accounts.map(({ id }) => id)}::uuid[], ${accounts.map(({ id }) => secrets.encrypt('key', apiKeyContext(id)))}::text[]) k (id, sealed)
    where k.id = a.id`
  while ((await compactCounts(database.db)) > 0);
  await sql`vacuum analyze`
}

/**
 * 1,000,000 domains of 50 owners in 2,000 accounts, all of them due to be read again; the largest owner has a fifth.
 * @param keptIn a folder that keeps them for the next run
 */
export async function startMillionDomains(keptIn?: string): Promise<MillionDomains> {
  const database = await startDatabase(keptIn)
  const { db } = database
  const began = performance.now()
  const isSeeded = (await db.sql`select from zones limit 1`).length > 0
  if (!isSeeded) await seed(database)
  const seededSeconds = isSeeded ? null : (performance.now() - began) / 1000
  const [row] = await db.sql<{ id: string; accountIds: string[]; groupIds: string[] }[]>`
    select a.owner_id as id, array_agg(a.id order by a.name) as account_ids,
      (select array_agg(g.id order by g.name) from groups g where g.owner_id = a.owner_id) as group_ids
    from accounts a group by a.owner_id order by count(*) desc limit 1`
  const [admin] = await db.sql<{ id: string }[]>`select id from users where role = 'admin'`
  if (row === undefined || admin === undefined) throw new Error('nobody was inserted')
  const sessions = createSessions(db)
  const tokenOf = (id: string) => sessions.create(db.orm, id, { address: null, userAgent: 'bench' })
  return {
    database,
    admin: { ...admin, token: await tokenOf(admin.id) },
    largest: { ...row, token: await tokenOf(row.id) },
    seededSeconds,
  }
}
