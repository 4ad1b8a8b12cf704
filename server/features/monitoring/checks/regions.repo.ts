import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'

/** Domains checked from this region, by id. */
export async function listWatchedFrom(db: Queryable, region: Region, after: string | null, limit: number): Promise<string[]> {
  const rows = await db.execute<{ domainId: string }>(sql`
    select zone_id from zone_monitors where ${region}::region = any(regions) ${after === null ? sql`` : sql`and zone_id > ${after}::uuid`}
    order by zone_id limit ${limit}`)
  return rows.map((row) => row.domainId)
}

/** Domains last checked in this time range by one of the regions and found down, by id; `from` is exclusive. */
export async function listDownThen(
  db: Queryable,
  seen: { readonly regions: readonly Region[]; readonly from: number; readonly until: number },
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await db.execute<{ domainId: string }>(sql`
    select distinct zone_id from zone_views
    where state = 'down' and region = any(${sql.param([...seen.regions])}::text[]::region[])
      and checked_at > ${new Date(seen.from).toISOString()}::timestamptz and checked_at <= ${new Date(seen.until).toISOString()}::timestamptz
      ${after === null ? sql`` : sql`and zone_id > ${after}::uuid`}
    order by zone_id limit ${limit}`)
  return rows.map((row) => row.domainId)
}
