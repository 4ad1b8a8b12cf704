import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'

export interface Doubtful {
  readonly zoneId: string
  readonly ownerId: string
  readonly groupId: string | null
  readonly name: string
  readonly intervalSeconds: number
  readonly regions: readonly Region[]
}

/** Domains that are down in some region and not called down yet or only lately, of owners who want others asked; those that went down last come first. */
export async function listDoubtful(db: Queryable, since: number, limit: number): Promise<Doubtful[]> {
  const rows = await db.execute<{
    zone_id: string
    owner_id: string
    group_id: string | null
    name: string
    seconds: number
    regions: Region[]
  }>(sql`
    select m.zone_id, m.owner_id, m.group_id, z.name, m.interval_seconds as seconds, to_json(m.regions) as regions
    from zone_monitors m join zones z on z.id = m.zone_id join monitor_settings s on s.owner_id = m.owner_id and s.second_opinion
      join lateral (
        select max(v.since) as since from zone_views v where v.zone_id = m.zone_id and v.state = 'down'
      ) d on d.since > ${new Date(since).toISOString()}::timestamptz
    where m.zone_id in (select v.zone_id from zone_views v where v.state = 'down') and z.gone_at is null
      and (m.paused_until is null or m.paused_until <= now())
    order by d.since desc limit ${limit}`)
  return rows.map((row) => ({
    zoneId: row.zone_id,
    ownerId: row.owner_id,
    groupId: row.group_id,
    name: row.name,
    intervalSeconds: row.seconds,
    regions: row.regions,
  }))
}

/** Owners who want others asked for regions without a probe. */
export async function listAskingOwners(db: Queryable, ownerIds: readonly string[]): Promise<Set<string>> {
  if (ownerIds.length === 0) return new Set()
  const rows = await db.execute<{ owner_id: string }>(
    sql`select owner_id from monitor_settings where second_opinion and owner_id = any(${sql.param([...ownerIds])}::uuid[])`,
  )
  return new Set(rows.map((row) => row.owner_id))
}
