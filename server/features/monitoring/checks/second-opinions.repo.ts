import { sql } from 'drizzle-orm'
import type { zoneMonitors, zones } from '#server/db/schema/index.ts'
import type { Queryable } from '#server/db/client.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'

const iso = (at: number) => new Date(at).toISOString()

export type Doubtful = Pick<typeof zoneMonitors.$inferSelect, 'domainId' | 'ownerId' | 'groupId' | 'intervalSeconds' | 'regions'> &
  Pick<typeof zones.$inferSelect, 'name'>

/**
 * Domains that are down in some region, of owners who allow external checks: those that went down recently, and those that external checkers found
 * up, whose result will expire soon while one of our probes still finds them down. The most recent outages come first.
 * @param live regions with a working probe
 * @param times milliseconds since 1970: what counts as recent, and the age range of results to refresh
 */
export async function listDoubtful(
  db: Queryable,
  live: readonly Region[],
  times: { readonly downSince: number; readonly believedSince: number; readonly askedBefore: number },
  limit: number,
): Promise<Doubtful[]> {
  const isLive = sql`v.region = any(${sql.param([...live])}::text[]::region[])`
  const rows = await db.execute<{
    domainId: string
    ownerId: string
    groupId: string | null
    name: string
    seconds: number
    regions: Region[]
  }>(sql`
    select m.zone_id, m.owner_id, m.group_id, z.name, m.interval_seconds as seconds, to_json(m.regions) as regions
    from zone_monitors m join zones z on z.id = m.zone_id join monitor_settings s on s.owner_id = m.owner_id and s.second_opinion
      join lateral (
        select max(v.since) as since, bool_or(${isLive}) as here from zone_views v where v.zone_id = m.zone_id and v.state = 'down'
      ) d on d.since > ${iso(times.downSince)}::timestamptz or d.here and exists (
        select from zone_views v where v.zone_id = m.zone_id and v.state = 'up' and not ${isLive}
          and v.checked_at > ${iso(times.believedSince)}::timestamptz and v.checked_at <= ${iso(times.askedBefore)}::timestamptz
      )
    where m.zone_id in (select v.zone_id from zone_views v where v.state = 'down') and z.gone_at is null
      and (m.paused_until is null or m.paused_until <= now())
    order by d.since desc limit ${limit}`)
  return rows.map((row) => ({
    domainId: row.domainId,
    ownerId: row.ownerId,
    groupId: row.groupId,
    name: row.name,
    intervalSeconds: row.seconds,
    regions: row.regions,
  }))
}

/** Owners who allow external checks for regions without a probe. */
export async function listAskingOwners(db: Queryable, ownerIds: readonly string[]): Promise<Set<string>> {
  if (ownerIds.length === 0) return new Set()
  const rows = await db.execute<{ ownerId: string }>(
    sql`select owner_id from monitor_settings where second_opinion and owner_id = any(${sql.param([...ownerIds])}::uuid[])`,
  )
  return new Set(rows.map((row) => row.ownerId))
}
