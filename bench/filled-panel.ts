import { z } from 'zod'
import { compactCounts } from '#server/features/domains/list/counts.repo.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { user } from '#shared/features/auth/schema.ts'
import { insertOwner, startDatabase, startPanel } from './panel.ts'

export interface FilledPanel {
  readonly origin: string
  /** The value of `zonedeck.auth` in the browser storage for the owner of the domains. */
  readonly stored: string
  /** The id of one of the domains. */
  readonly domainId: string
  close(): Promise<void>
}

/** A panel with 100,000 domains in 100 accounts that makes no provider calls. */
export async function startFilledPanel(): Promise<FilledPanel> {
  const database = await startDatabase()
  const owner = await insertOwner(database.db, 'admin')
  await seedZones(database.db, { ownerId: owner.id, count: 100_000 })
  await database.db.sql`update accounts set next_sync_at = now() + interval '1 day'`
  while ((await compactCounts(database.db)) > 0);
  await database.db.sql`vacuum analyze zones`
  const panel = await startPanel(database)
  const origin = new URL(panel.url).origin
  const answer = await fetch(`${origin}/api/auth/me`, { headers: { authorization: `Bearer ${owner.token}` } })
  const me = z.object({ user }).parse(await answer.json())
  const [zone] = await database.db.sql<{ id: string }[]>`
    select id from zones where status = 'active' and settings_read_at is not null order by name limit 1`
  // Nothing about it is missing, so opening it does not call the provider.
  await database.db.sql`insert into zone_ssl (zone_id, read_at) values (${zone?.id ?? ''}, now())`
  return {
    origin,
    stored: JSON.stringify({ token: owner.token, user: me.user, isAuthenticated: true }),
    domainId: zone?.id ?? '',
    async close() {
      await panel.stop()
      await database.close()
    },
  }
}
