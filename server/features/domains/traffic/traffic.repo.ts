import { and, eq, sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import { accounts } from '#server/db/schema/index.ts'
import { trafficDays } from '#shared/features/domains/schema.ts'
import { packTrafficProblems } from '#shared/features/monitoring/traffic-problems.ts'
import type { TrafficProblem } from '#shared/features/monitoring/traffic-problems.ts'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'
import type { LastDay } from './find-traffic-problems.policy.ts'

/**
 * Claims the account that has waited longest, once its zones are known; null if none is due. Another process may take over at `until`. An
 * account waits while another one of its user at the provider may be read, because they share one limit; the clocks of processes may differ by a
 * minute.
 * @returns its id, and whether its credential works as far as is known
 */
export const claimAccount = ({ orm }: Database, now: Date, until: Date): Promise<{ id: string; isRejected: boolean } | null> =>
  orm.transaction(async (tx) => {
    // Otherwise two could claim accounts of one user.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('traffic', 0))`)
    const [row] = await tx.execute<{ id: string; isRejected: boolean }>(sql`
      update accounts set traffic_due_at = ${until.toISOString()}::timestamptz where id = (
        select a.id from accounts a
        where a.traffic_due_at <= ${now.toISOString()}::timestamptz and a.synced_at is not null and not exists (
          select from accounts b where b.provider_user_id = a.provider_user_id and b.id <> a.id
            and b.traffic_due_at > ${now.toISOString()}::timestamptz and b.traffic_due_at <= ${until.toISOString()}::timestamptz + interval '1 minute')
        order by a.traffic_due_at limit 1 for no key update skip locked)
      returning id, health = 'auth_error' as "isRejected"`)
    return row ?? null
  })

/** Changes when the account is due. False if another process has taken over, or its credential was replaced. */
export async function updateTrafficDue(db: Queryable, accountId: string, claimed: Date, at: Date): Promise<boolean> {
  const rows = await db
    .update(accounts)
    .set({ trafficDueAt: at })
    .where(and(eq(accounts.id, accountId), eq(accounts.trafficDueAt, claimed)))
    .returning({ id: accounts.id })
  return rows.length > 0
}

/** Deletes the traffic of the account's zones that was read before a time, so that nobody takes it for that of the last days. */
export async function deleteOldTraffic({ sql: query }: Database, accountId: string, before: Date): Promise<void> {
  await query`
    with zone as materialized (
      select z.id from zones z join zone_traffic t on t.zone_id = z.id
      where z.account_id = ${accountId} and t.read_at < ${before.toISOString()}::timestamptz order by z.id for no key update of z
    ),
    deleted as (delete from zone_traffic t using zone where t.zone_id = zone.id)
    update zones z set requests = null, traffic_problems = 0 from zone where z.id = zone.id`
}

export interface UnreadZone {
  readonly id: DomainId
  readonly providerZoneId: ProviderZoneId
}

/** Zones of an account whose traffic was not read since a time, after the one with the id `after`. */
export const listUnread = (db: Queryable, accountId: string, since: Date, after: string | null, limit: number) =>
  db.execute<UnreadZone & Record<string, unknown>>(sql`
    select z.id, z.zone_id as "providerZoneId" from zones z
    where z.account_id = ${accountId} and z.gone_at is null and (${after}::uuid is null or z.id > ${after}::uuid)
      and not exists (select from zone_traffic t where t.zone_id = z.id and t.read_at > ${since.toISOString()}::timestamptz)
    order by z.id limit ${limit}`)

export interface ZoneTraffic {
  readonly id: DomainId
  readonly requests: number
  readonly bytes: number
  readonly threats: number
  readonly clientErrors: number
  readonly serverErrors: number
  /** By day, the oldest first: requests and the others. */
  readonly days: readonly number[]
  readonly byteDays: readonly number[]
  readonly threatDays: readonly number[]
  readonly clientErrorDays: readonly number[]
  readonly serverErrorDays: readonly number[]
  /** The last day is that of this time. */
  readonly readAt: string
}

/** Stores the traffic of zones that still exist. */
export async function upsertTraffic(db: Database, traffic: readonly ZoneTraffic[]): Promise<void> {
  if (traffic.length === 0) return
  await db.sql`
    with incoming as materialized (
      select * from json_to_recordset(${toJson(traffic)}::text::json) as i (id uuid, requests float8, bytes float8, threats float8,
        "clientErrors" float8, "serverErrors" float8, days float8[], "byteDays" float8[], "threatDays" float8[], "clientErrorDays" float8[],
        "serverErrorDays" float8[], "readAt" timestamptz)
    ),
    zone as materialized (
      select z.id from zones z where z.id in (select id from incoming) order by z.id for no key update
    ),
    written as (
      insert into zone_traffic (zone_id, bytes, threats, client_errors, server_errors, days, byte_days, threat_days, client_error_days,
        server_error_days, read_at)
      select i.id, i.bytes, i.threats, i."clientErrors", i."serverErrors", i.days, i."byteDays", i."threatDays", i."clientErrorDays",
        i."serverErrorDays", i."readAt"
      from incoming i join zone on zone.id = i.id order by i.id
      on conflict (zone_id) do update set bytes = excluded.bytes, threats = excluded.threats, client_errors = excluded.client_errors,
        server_errors = excluded.server_errors, days = excluded.days, byte_days = excluded.byte_days, threat_days = excluded.threat_days,
        client_error_days = excluded.client_error_days, server_error_days = excluded.server_error_days, read_at = excluded.read_at
    )
    update zones z set requests = i.requests from incoming i join zone on zone.id = i.id
    where z.id = i.id and z.requests is distinct from i.requests`
}

export interface ReadDay extends LastDay {
  readonly id: DomainId
}

/** A day is compared from this time after its end on, when the provider has counted it. */
const countedAfterHours = 3

/** The last whole day of the zones of an account that were read since a time, after the zone with the id `after`. */
export const listLastDays = (db: Queryable, accountId: string, since: Date, after: string | null, limit: number) =>
  db.execute<ReadDay & Record<string, unknown>>(sql`
    select z.id, to_char(d.date, 'YYYY-MM-DD') as date, t.days[d.n] as requests,
      array[t.days[d.n - 7], t.days[d.n - 14], t.days[d.n - 21]] as "sameDays",
      coalesce(t.server_error_days[d.n], 0) as "serverErrors", coalesce(t.threat_days[d.n], 0) as threats,
      (select coalesce(avg(n), 0) from unnest(t.threat_days[d.n - 21 : d.n - 1]) n) as "usualThreats", t.problems
    from zones z join zone_traffic t on t.zone_id = z.id
      cross join lateral (select (t.read_at - ${24 + countedAfterHours} * interval '1 hour') at time zone 'UTC' as date) e
      cross join lateral (select e.date::date as date, ${trafficDays} - ((t.read_at at time zone 'UTC')::date - e.date::date) as n) d
    where z.account_id = ${accountId} and z.gone_at is null and t.read_at > ${since.toISOString()}::timestamptz
      and cardinality(t.days) = ${trafficDays} and (${after}::uuid is null or z.id > ${after}::uuid)
    order by z.id limit ${limit}`)

/** Stores what is unusual about zones that still exist. */
export async function updateProblems(
  db: Database,
  changed: readonly { readonly id: DomainId; readonly problems: readonly TrafficProblem[] }[],
): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map(({ id, problems }) => ({ id, problems, packed: packTrafficProblems(problems) }))
  await db.sql`
    with incoming as materialized (
      select * from json_to_recordset(${toJson(rows)}::text::json) as i (id uuid, problems jsonb, packed smallint)
    ),
    zone as materialized (
      select z.id from zones z where z.id in (select id from incoming) order by z.id for no key update
    ),
    written as (
      update zone_traffic t set problems = i.problems from incoming i join zone on zone.id = i.id where t.zone_id = i.id
    )
    update zones z set traffic_problems = i.packed from incoming i join zone on zone.id = i.id
    where z.id = i.id and z.traffic_problems <> i.packed`
}
