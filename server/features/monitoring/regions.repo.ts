import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'

/** Domains that this region looks at, by id. */
export async function listWatchedFrom(db: Queryable, region: Region, after: string | null, limit: number): Promise<string[]> {
  const rows = await db.execute<{ zone_id: string }>(sql`
    select zone_id from zone_monitors where ${region}::region = any(regions) ${after === null ? sql`` : sql`and zone_id > ${after}::uuid`}
    order by zone_id limit ${limit}`)
  return rows.map((row) => row.zone_id)
}
