import { z } from 'zod'
import { compactCounts } from '#server/features/domains/list/counts.repo.ts'
import { apiKeyContext } from '#server/features/sync/index.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { buildWorld } from '#server/simulators/world.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { user } from '#shared/features/auth/schema.ts'
import { insertOwner, startDatabase, startPanel } from './panel.ts'
import { startSimulator } from './simulated.ts'

export interface FilledPanel {
  readonly origin: string
  /** The value of `zonedeck.auth` in the browser storage for the owner of the domains. */
  readonly stored: string
  /** The id of one of the domains. */
  readonly domainId: string
  close(): Promise<void>
}

const key = Buffer.alloc(32, 'filled')
const world = { zones: 10, accounts: 1, seed: 1, plain: true }

/** A panel with 100,000 domains in 100 accounts; the provider, which only the page of the one domain calls, is simulated. */
export async function startFilledPanel(): Promise<FilledPanel> {
  const database = await startDatabase()
  const { sql } = database.db
  const owner = await insertOwner(database.db, 'admin')
  const { accountIds } = await seedZones(database.db, { ownerId: owner.id, count: 100_000 })
  const { credentials, content } = buildWorld(world)
  const secrets = createSecrets(key)
  const encrypted = accountIds.map((id) => secrets.encrypt(credentials[0]?.globalKey ?? '', apiKeyContext(id)))
  await sql`
    update accounts a set next_sync_at = now() + interval '1 day', api_key_sealed = e.api_key
    from unnest(${accountIds}::uuid[], ${encrypted}::text[]) e (id, api_key) where e.id = a.id`
  const [zone] = await sql<{ id: string; accountId: string }[]>`
    update zones set zone_id = ${content().zones[0]?.id ?? ''}
    where id = (select id from zones where status = 'active' and settings_read_at is not null order by name limit 1) returning id, account_id`
  if (zone === undefined) throw new Error('no zone')
  await sql`update accounts set email = ${credentials[0]?.email ?? ''} where id = ${zone.accountId}`
  // Nothing about it is missing, so opening it reads no details from the provider.
  await sql`insert into zone_ssl (zone_id, read_at) values (${zone.id}, now())`
  while ((await compactCounts(database.db)) > 0);
  await sql`vacuum analyze zones`
  const provider = await startSimulator({ world, options: { latencyMs: 0, budget: null, addressLimitPerSecond: null } })
  const panel = await startPanel(database, {
    SECRET_KEY: key.toString('base64'),
    CLOUDFLARE_BASE_URL: provider.url,
    OUTBOUND_ALLOW: '127.0.0.1/32',
  })
  const origin = new URL(panel.url).origin
  const answer = await fetch(`${origin}/api/auth/me`, { headers: { authorization: `Bearer ${owner.token}` } })
  const me = z.object({ user }).parse(await answer.json())
  return {
    origin,
    stored: JSON.stringify({ token: owner.token, user: me.user, isAuthenticated: true }),
    domainId: zone.id,
    async close() {
      await panel.stop()
      provider.stop()
      await database.close()
    },
  }
}
