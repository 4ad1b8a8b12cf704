import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'

/** The domains that are down because of their origin server, while a record still points to its address. */
export async function listDownOrigins(db: Queryable, domainIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select z.id from zones z
    where z.id = any(${sql.param([...domainIds])}::uuid[]) and exists (
      select from incidents i join dns_records r on r.zone_id = z.id and r.type in ('A', 'AAAA') and i.cause = 'origin:' || r.content
      where i.owner_id = z.owner_id and i.zone_id = z.id and i.closed_at is null and i.health = 'critical')`)
  return new Set(rows.map(({ id }) => id))
}

/** The domains whose records point to servers that monitoring has not recently seen working: their state is unknown. */
export async function listUnseenOrigins(db: Queryable, domainIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select z.id from zones z
    where z.id = any(${sql.param([...domainIds])}::uuid[])
      and exists (select from dns_records r where r.zone_id = z.id and r.type in ('A', 'AAAA'))
      and not exists (
        select from dns_records r
          join dns_records o on o.content = r.content and (o.type = 'A' or o.type = 'AAAA')
          join zone_monitors m on m.zone_id = o.zone_id and m.owner_id = z.owner_id
          join zone_views v on v.zone_id = o.zone_id and v.state = 'up' and v.checked_at > now() - make_interval(secs => 2 * m.interval_seconds)
        where r.zone_id = z.id and r.type in ('A', 'AAAA'))`)
  return new Set(rows.map(({ id }) => id))
}
