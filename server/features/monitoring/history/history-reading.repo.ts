import { sql } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { checkHours, zoneViews } from '#server/db/schema/index.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'

export const findMonitor = async (db: Queryable, domainId: string) => {
  const [row] = await db.execute<{
    health: 'ok' | 'warnings' | 'critical' | 'unknown'
    reasons: unknown
    since: string | null
    intervalSeconds: number
    regions: Region[]
    /** `infinity`: no end was set. */
    pausedUntil: string | null
    mutedUntil: string | null
    certificate: unknown
  }>(sql`
    select health, reasons, since, interval_seconds, regions::text[] as regions, paused_until::text as paused_until,
      muted_until::text as muted_until, certificate
    from zone_monitors where zone_id = ${domainId}::uuid`)
  return row ?? null
}

export type ViewRow = RawRow<
  typeof zoneViews,
  'region' | 'state' | 'since' | 'reasons' | 'checkedAt' | 'status' | 'dnsMs' | 'connectMs' | 'tlsMs' | 'firstByteMs' | 'totalMs'
> & {
  wanted: boolean
  /** Hexadecimal. */
  beats: string
}

/** In the order of the regions. */
export const listViews = (db: Queryable, domainId: string) =>
  db.execute<ViewRow>(sql`
    select region, state, since, reasons, checked_at, wanted_at is not null as wanted, encode(beats, 'hex') as beats, status,
      dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms
    from zone_views where zone_id = ${domainId}::uuid order by region`)

export type PointRow = Omit<RawRow<typeof checkHours, keyof typeof checkHours.$inferSelect>, 'domainId' | 'hour'> & { at: string }

const phases = ['dns', 'connect', 'tls', 'first_byte', 'total'] as const
const all = (text: (phase: string) => string) => sql.raw(phases.map(text).join(', '))

/** Finished hours, and the current one from the view's sums. */
const hoursOf = (domainId: string, from: Date) => sql`
  select region, hour as at, checks::int, failed::int, ${all((phase) => `${phase}_ms::int`)}, max_total_ms::int
  from check_hours where zone_id = ${domainId}::uuid and hour >= ${from.toISOString()}::timestamptz
  union all
  select region, hour, checks, failed, ${sql.raw(
    phases.map((phase) => `sum_${phase}_ms / nullif(checks - failed, 0)`).join(', '),
  )}, nullif(max_total_ms, 0)
  from zone_views where zone_id = ${domainId}::uuid and hour >= ${from.toISOString()}::timestamptz and checks > 0`

/** Oldest first. */
export const listHours = (db: Queryable, domainId: string, from: Date) =>
  db.execute<PointRow>(sql`select * from (${hoursOf(domainId, from)}) h order by at, region`)

/** Oldest first; days not aggregated yet are computed from their hours, weighted by successful checks. */
export const listDays = (db: Queryable, domainId: string, from: Date) =>
  db.execute<PointRow>(sql`
    with days as (
      select region, day as at, checks::int, failed::int, ${all((phase) => `${phase}_ms::int`)}, max_total_ms::int
      from check_days where zone_id = ${domainId}::uuid and day >= ${from.toISOString()}::timestamptz
    )
    select * from (
      select * from days
      union all
      select region, date_trunc('day', at, 'UTC'), sum(checks)::int, sum(failed)::int,
        ${all((phase) => `(sum(${phase}_ms * (checks - failed)) / nullif(sum(checks - failed) filter (where ${phase}_ms is not null), 0))::int`)},
        max(max_total_ms)
      from (${hoursOf(domainId, from)}) h
      where not exists (select from days d where d.region = h.region and d.at = date_trunc('day', h.at, 'UTC')) group by 1, 2
    ) each order by at, region`)
