import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
import { trafficDays } from '#shared/features/domains/schema.ts'
import type { TrafficTotalsBy } from '#shared/features/domains/traffic-totals.ts'

/**
 * Accounts with zones whose sums are outdated: domains were read, moved to another group, or deleted. Those that were never summed come first, then
 * those with the oldest figures. An index has all columns of zones.
 */
export async function listOutdated(db: Queryable, limit: number): Promise<string[]> {
  const none = sql`'00000000-0000-0000-0000-000000000000'::uuid`
  const rows = await db.execute<{ id: string }>(sql`
    select coalesce(n.account_id, t.account_id) as id
    from (select account_id, group_id, count(*)::int as zones, sum(requests) as requests from zones where requests is not null group by 1, 2) n
      full join traffic_totals t on t.account_id = n.account_id and coalesce(t.group_id, ${none}) = coalesce(n.group_id, ${none})
    where n.zones is distinct from t.zones or n.requests is distinct from t.requests
    group by 1 order by min(t.read_at) nulls first, 1 limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Computes the sums of an account, unless another process is doing it or the account is deleted. */
export const updateTotals = ({ sql: root }: Database, accountId: string): Promise<void> =>
  root.begin(async (query) => {
    const [account] = await query`
      select id from accounts where id = ${accountId} and pg_try_advisory_xact_lock(hashtextextended('traffic totals ' || id, 0)) for key share`
    if (account === undefined) return
    await query`delete from traffic_totals where account_id = ${accountId}`
    await query`
      with zone as materialized (
        select z.group_id, z.requests, t.* from zones z left join zone_traffic t on t.zone_id = z.id
        where z.account_id = ${accountId} and z.requests is not null
      ),
      day as materialized (
        select group_id, n, sum(r) as r, array[coalesce(sum(r), 0), coalesce(sum(b), 0), coalesce(sum(t), 0), coalesce(sum(c), 0), coalesce(sum(s), 0)] as sums
        from zone cross join lateral unnest(days, byte_days, threat_days, client_error_days, server_error_days) with ordinality u (r, b, t, c, s, n)
        group by group_id, n
      ),
      -- The last day has only begun when it is read.
      period as (
        select d.group_id, k, sum(sums[k]) filter (where n = ${trafficDays - 1}) as day,
          sum(sums[k]) filter (where n between ${trafficDays - 7} and ${trafficDays - 1}) as week, sum(sums[k]) as month
        from day d cross join generate_series(1, 5) k group by 1, 2
      ),
      periods as (
        select group_id, array_agg(coalesce(day, 0) order by k) as day, array_agg(coalesce(week, 0) order by k) as week,
          array_agg(coalesce(month, 0) order by k) as month from period group by 1
      ),
      trend as (select group_id, array_agg(coalesce(r, 0) order by n) as days from day group by 1)
      insert into traffic_totals (account_id, group_id, zones, requests, day, week, month, days, read_at)
      select ${accountId}::uuid, z.group_id, z.zones, z.requests, coalesce(p.day, '{0,0,0,0,0}'), coalesce(p.week, '{0,0,0,0,0}'),
        coalesce(p.month, '{0,0,0,0,0}'), coalesce(d.days, '{}'), z.read_at
      from (select group_id, count(*)::int as zones, sum(requests) as requests, coalesce(min(read_at), now()) as read_at from zone group by 1) z
        left join periods p on p.group_id is not distinct from z.group_id left join trend d on d.group_id is not distinct from z.group_id`
  })

export interface TotalsRow {
  readonly id: string | null
  readonly name: string | null
  readonly domains: number
  /** Requests, bytes, threats, client errors, server errors. */
  readonly day: readonly number[]
  readonly week: readonly number[]
  readonly month: readonly number[]
  readonly days: readonly number[]
  readonly readAt: Date
}

/** The sums of those accounts or groups of the scope that have traffic figures, by the most requests; domains without a group have no id. */
export async function listTotals(db: Queryable, by: TrafficTotalsBy, { owners, shared }: AccessScope): Promise<TotalsRow[]> {
  const ids = by === 'account' ? shared?.accountIds : shared?.groupIds
  const key = by === 'account' ? sql`t.account_id` : sql`g.id`
  // Much faster than to unnest the arrays and to build them again.
  const added = (column: string, length: number): SQL =>
    sql.raw(`array[${Array.from({ length }, (_, index) => `coalesce(sum(${column}[${index + 1}]), 0)`).join(', ')}]`)
  const rows = await db.execute<Omit<TotalsRow, 'readAt'> & { readAt: string }>(sql`
    with cell as materialized (
      select ${key} as id, ${by === 'account' ? sql`coalesce(nullif(a.name, ''), a.email)` : sql`g.name`} as name, t.zones, t.day, t.week, t.month, t.days, t.read_at
      from traffic_totals t join accounts a on a.id = t.account_id left join groups g on g.id = t.group_id
      where a.owner_id = any(${sql.param([...owners])}::uuid[]) or ${key} = any(${sql.param([...(ids ?? [])])}::uuid[])
    )
    select id, min(name) as name, sum(zones)::int as domains, ${added('day', 5)} as day, ${added('week', 5)} as week,
      ${added('month', 5)} as month, ${added('days', trafficDays)} as days, min(read_at) as "readAt"
    from cell group by id order by sum(month[1]) desc, min(name), id`)
  return rows.map((row) => ({ ...row, readAt: new Date(row.readAt) }))
}
