import { domainToASCII } from 'node:url'
import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { incidents } from '#server/db/schema/index.ts'
import { escapeLike } from '#shared/text.ts'
import { causeStart } from '#shared/features/monitoring/cause.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { firstIdOf } from '../incidents/incidents.repo.ts'
import { incidentsInScope, inScope } from '../scope.repo.ts'
import type { OwnerScope } from '#server/platform/access-scope.ts'

/** The id in a cause of this kind; null in others. */
const idIn = (kind: 'account' | 'registrar' | 'tracker') =>
  sql`case when starts_with(o.cause, ${causeStart[kind]}) then substr(o.cause, ${causeStart[kind].length + 1}::int)::uuid end`

const instantOf = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** Monitored domains by health, each counted separately so that index-only scans can be used. */
export const countByHealth = (db: Queryable, scope: OwnerScope) =>
  db.execute<RawRow<typeof incidents, 'health'> & { n: number }>(
    scope === null || scope.shared !== null
      ? sql`select health, count(*)::int as n from zone_monitors where ${inScope(scope)} group by health`
      : sql`select h.health, (select count(*)::int from zone_monitors m where ${inScope(scope, { alias: 'm' })} and m.health = h.health) as n
          from unnest(enum_range(null::health)) as h (health)`,
  )

export async function countHeld(db: Queryable, scope: OwnerScope, now: Date): Promise<{ paused: number; muted: number }> {
  const [row] = await db.execute<{ paused: number; muted: number }>(sql`
    select (count(*) filter (where paused_until > ${instantOf(now)}))::int as paused,
      (count(*) filter (where muted_until > ${instantOf(now)}))::int as muted
    from zone_monitors where ${inScope(scope)} and (paused_until is not null or muted_until is not null)`)
  return { paused: row?.paused ?? 0, muted: row?.muted ?? 0 }
}

export type CauseRow = RawRow<typeof incidents, 'cause' | 'health'> & {
  /** Null: shared by domains of several owners. */
  ownerId: string | null
  name: string | null
  incidents: number
  /** Open incidents of all causes, including those that are left out. */
  allIncidents: number
  since: string
  first: { zone_id: string | null; name: string; reasons: unknown }[]
}

/** Open incidents grouped by cause: the most severe and largest, each with its first incidents. */
export const listOpenCauses = (db: Queryable, scope: OwnerScope, limit: number) =>
  db.execute<CauseRow>(sql`
    with by_owner as (
      select owner_id, cause, count(*)::int as n, bool_or(health = 'critical') as grave
      from incidents where closed_at is null and ${incidentsInScope(scope)} group by owner_id, cause
    ), open as materialized (
      select cause, array_agg(owner_id) as owners, sum(n)::int as n, bool_or(grave) as grave, (sum(sum(n)) over ())::int as all_n
      from by_owner group by cause order by grave desc, n desc, cause limit ${limit}
    )
    select o.cause, case when cardinality(o.owners) = 1 then o.owners[1] end as owner_id, o.n as incidents, o.all_n as all_incidents, f.since, f.first, coalesce(a.name, a.email, r.name, t.name) as name,
      case when o.grave then 'critical' else 'warnings' end as health
    from open o cross join lateral (
      select min(i.opened_at) as since, json_agg(json_build_object('zone_id', i.zone_id, 'name', i.name, 'reasons', i.reasons) order by i.id) as first
      from (
        select * from incidents i where i.closed_at is null and i.owner_id = any(o.owners) and i.cause = o.cause and ${incidentsInScope(scope, 'i')} order by i.id limit 3
      ) i
    ) f
    left join accounts a on a.id = ${idIn('account')}
    left join registrars r on r.id = ${idIn('registrar')}
    left join trackers t on t.id = ${idIn('tracker')}
    order by o.grave desc, o.n desc, o.cause`)

export async function listOpenIds(db: Queryable, scope: OwnerScope, cause: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select id from incidents where closed_at is null and cause = ${cause} and ${incidentsInScope(scope)} order by id limit 100000`)
  return rows.map(({ id }) => id)
}

/** Probes seen within the last minute, by region. */
export const listProbeRegions = (db: Queryable, now: Date) =>
  db.execute<{ region: Region; probes: number; online: number; checksPerSecond: number; lagMs: number; pace: number }>(sql`
    select region, count(*)::int as probes, (count(*) filter (where online))::int as online,
      sum(checks_per_second)::int as checks_per_second, max(lag_ms)::int as lag_ms,
      coalesce((select min(c.pace) from probe_cursors c where c.region = probes.region), 1)::float8 as pace
    from probes where seen_at > ${instantOf(now)} - interval '1 minute' group by region`)

/** Counting stops here. */
export const mostUnseen = 1_000

/** By region: monitored domains of unknown health without a check from there yet; above `mostUnseen`, one more than that. */
export async function countUnseen(db: Queryable, scope: OwnerScope, now: Date): Promise<Map<Region, number>> {
  const rows = await db.execute<{ region: Region; n: number }>(sql`
    with waiting as materialized (
      select zone_id, regions from zone_monitors
      where ${inScope(scope)} and health = 'unknown' and (paused_until is null or paused_until <= ${instantOf(now)}) limit ${mostUnseen + 1}
    )
    select v.region, count(*)::int as n from waiting w join zone_views v on v.zone_id = w.zone_id and v.region = any(w.regions)
    where v.checked_at is null group by v.region`)
  return new Map(rows.map(({ region, n }) => [region, n]))
}

/** Incidents opened since then, by hour. */
export const countOpenedByHour = (db: Queryable, scope: OwnerScope, since: Date) =>
  db.execute<{ hour: string; opened: number }>(sql`
    select date_trunc('hour', opened_at, 'UTC') as hour, count(*)::int as opened from incidents
    where ${incidentsInScope(scope)} and id >= ${firstIdOf(since.getTime())}::uuid and opened_at >= ${instantOf(since)} group by 1`)

export type IncidentRow =
  /** Account and group of the current zone, or of the incident when the zone is deleted. */
  RawRow<
    typeof incidents,
    | 'id'
    | 'ownerId'
    | 'domainId'
    | 'accountId'
    | 'groupId'
    | 'name'
    | 'health'
    | 'reasons'
    | 'cause'
    | 'openedAt'
    | 'closedAt'
    | 'acknowledgedAt'
    | 'acknowledgedBy'
    | 'told'
    | 'timeline'
  >

interface IncidentQuery {
  readonly state?: 'open' | 'closed' | undefined
  readonly cause?: string | undefined
  readonly health?: 'critical' | 'warnings' | undefined
  readonly domainId?: string | undefined
  readonly search?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

const likely = (text: string) => `%${escapeLike(text.toLowerCase())}%`

/** Incidents store the DNS name; a part of an internationalized name is matched with the domain's display name. */
function isNamed(scope: OwnerScope, search: string): SQL {
  if (/^[\x20-\x7e]*$/.test(search)) return sql`i.name like ${likely(search)}`
  const whole = domainToASCII(search.trim())
  const domains = sql`i.zone_id in (select id from zones where ${inScope(scope, { domainId: 'id' })} and search like ${likely(search)})`
  return whole === '' ? domains : sql`(i.name = ${whole} or ${domains})`
}

const incidentColumns = sql`
  i.id, i.owner_id, i.zone_id, i.name, i.health, i.reasons, i.cause, i.opened_at, i.closed_at, i.acknowledged_at, i.acknowledged_by, i.told,
  i.timeline, coalesce(z.account_id, i.account_id) as account_id, case when z.id is null then i.group_id else z.group_id end as group_id`

/** Newest first. */
export function listIncidentRows(db: Queryable, scope: OwnerScope, query: IncidentQuery) {
  const where: SQL[] = [incidentsInScope(scope, 'i')]
  if (query.state === 'open') where.push(sql`i.closed_at is null`)
  if (query.state === 'closed') where.push(sql`i.closed_at is not null`)
  if (query.cause !== undefined) where.push(sql`i.cause = ${query.cause}`)
  if (query.health !== undefined) where.push(sql`i.health = ${query.health}::health`)
  if (query.domainId !== undefined) where.push(sql`i.zone_id = ${query.domainId}::uuid`)
  if (query.search !== undefined && query.search !== '') where.push(isNamed(scope, query.search))
  if (query.cursor !== undefined) where.push(sql`i.id < ${query.cursor}::uuid`)
  return db.execute<IncidentRow>(sql`
    select ${incidentColumns} from incidents i left join zones z on z.id = i.zone_id
    where ${sql.join(where, sql` and `)} order by i.id desc limit ${query.limit}`)
}

/** `isGone`: its domain is no longer in the panel. */
export async function findIncidentRow(
  db: Queryable,
  id: string,
): Promise<(IncidentRow & RawRow<typeof incidents, 'openTakenAt'> & { isGone: boolean }) | null> {
  const [row] = await db.execute<IncidentRow & RawRow<typeof incidents, 'openTakenAt'> & { isGone: boolean }>(sql`
    select ${incidentColumns}, i.open_taken_at, z.id is null as is_gone from incidents i left join zones z on z.id = i.zone_id where i.id = ${id}::uuid`)
  return row ?? null
}
