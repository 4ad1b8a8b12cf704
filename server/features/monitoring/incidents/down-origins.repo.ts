import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'

/** Those of the domains that are down because the server behind them is, while a record still leads to its address. */
export async function listDownOrigins(db: Queryable, zoneIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select z.id from zones z
    where z.id = any(${sql.param([...zoneIds])}::uuid[]) and exists (
      select from incidents i join dns_records r on r.zone_id = z.id and r.type in ('A', 'AAAA') and i.cause = 'origin:' || r.content
      where i.owner_id = z.owner_id and i.zone_id = z.id and i.closed_at is null and i.health = 'critical')`)
  return new Set(rows.map(({ id }) => id))
}
