import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import type { zones } from '#server/db/schema/index.ts'
import { selectSharedDomainIds } from '#server/platform/access-scope.repo.ts'
import type { SharedScope } from '#server/platform/access-scope.ts'
import { escapeLike } from '#shared/text.ts'
import { reconcileState } from '#shared/features/trackers/schema.ts'
import type { ReconcileState } from '#shared/features/trackers/schema.ts'
import type { DomainRow } from './tracker-domains.repo.ts'
import type { TrackerRow, TrackerScope } from './trackers.repo.ts'

/** States are bits of a number, in enum order. */
export const bitOf = (state: ReconcileState): number => 1 << reconcileState.options.indexOf(state)
const bit = (state: ReconcileState) => sql.raw(String(bitOf(state)))
const stateBit = (state: ReconcileState, test: SQL) => sql`(case when ${test} then ${bit(state)} else 0 end)`

export interface ReconcileFilter extends TrackerScope {
  /** Other people's domains that may be shown. */
  readonly seen: SharedScope | null
  /** Null: all. */
  readonly trackerIds: readonly string[] | null
  readonly state: ReconcileState | null
  /** Bound or not; null: both. */
  readonly bound: boolean | null
  /** Lower-case parts of a name, as displayed and in Punycode; empty: all. */
  readonly search: readonly string[]
}

const like = (column: SQL, search: readonly string[]): SQL =>
  search.length === 0
    ? sql`true`
    : sql`(${sql.join(
        search.map((part) => sql`${column} like ${`%${escapeLike(part)}%`}::text`),
        sql` or `,
      )})`

const ownedBy = (column: SQL, ownerId: string | null): SQL => (ownerId === null ? sql`true` : sql`${column} = ${ownerId}::uuid`)

/** A name and all parent names. */
const above = (name: SQL) => sql`array(
  select array_to_string(p.labels[n:], '.') from (select string_to_array(${name}, '.') as labels) p, generate_series(1, cardinality(p.labels) - 1) n)`

/** Only some addresses of a zone are stored with it, and the target of a CNAME at its own name is unknown here. */
const leads = sql`select from dns_records r where r.zone_id = z.id and (r.content = any(t.wanted) or (r.type = 'CNAME' and r.name = z.name))`

/**
 * `listed`: all domains in trackers, each with the zone it is bound to, otherwise the nearest zone above its name. `lost`: bindings to domains that
 * the tracker no longer has. `apart`: zones in no tracker. One row each, with the differences.
 */
/** Zones `z` that may be shown next to another user's tracker. */
const named = ({ ownerId, seen }: ReconcileFilter): SQL =>
  ownerId === null
    ? sql`true`
    : seen === null
      ? sql`z.owner_id = ${ownerId}::uuid`
      : sql`(z.owner_id = ${ownerId}::uuid or z.id in (${selectSharedDomainIds(seen)}))`

const sources = ({ ownerId, sharedIds, trackerIds, search }: ReconcileFilter) => sql`
  t as materialized (
    select t.id, t.owner_id, t.synced_at, case when cardinality(t.addresses) > 0 then t.addresses else t.found_addresses end as wanted,
      ${trackerIds === null ? sql`true` : sql`t.id = any(${sql.param([...trackerIds])}::uuid[])`} as chosen
    from trackers t where ${ownedBy(sql`t.owner_id`, ownerId)} ${sharedIds.length === 0 ? sql`` : sql`or t.id = any(${sql.param([...sharedIds])}::uuid[])`}
  ),
  listed as materialized (
    select d.id as key, d.name, d.id as domain_id, t.id as tracker_id, z.id as zone_id, t.chosen, own.zone_id is not null as bound,
      ${like(sql`d.name`, search)} or coalesce(${like(sql`z.search`, search)}, false) as found,
      ${stateBit('not_in_cloudflare', sql`z.id is null or z.gone_at is not null`)}
        | ${stateBit('not_linked', sql`z.gone_at is null and z.name = d.name and z.tracker_type is null`)}
        | ${stateBit(
          'address_differs',
          sql`own.zone_id is not null and z.gone_at is null and z.records_read_at is not null and cardinality(t.wanted) > 0
          and not z.origin_ips && t.wanted and not exists (${leads})`,
        )}
        | ${stateBit('ssl_error', sql`d.ssl_problem is not null`)} | ${stateBit('check_error', sql`d.problem is not null`)} as bits
    from t join tracker_domains d on d.tracker_id = t.id and d.gone_at is null and not d.archived
      left join lateral (
        select b.zone_id from tracker_bindings b where b.tracker_id = d.tracker_id and b.remote_id = d.remote_id order by b.zone_id limit 1
      ) own on true
      left join lateral (
        select n.id from zones n where own.zone_id is null and n.owner_id = t.owner_id and n.gone_at is null and n.name = any(${above(sql`d.name`)})
        order by length(n.name) desc, n.tracker_type is null, n.status <> 'active', n.id limit 1
      ) near on true
      left join zones z on z.id = coalesce(own.zone_id, near.id)
  ),
  lost as (
    select z.id as key, z.name, d.id as domain_id, t.id as tracker_id, z.id as zone_id, t.chosen, true as bound, ${like(sql`z.search`, search)} as found,
      ${stateBit('gone_there', sql`d.id is not null or t.synced_at > b.bound_at`)} as bits
    from t join tracker_bindings b on b.tracker_id = t.id join zones z on z.id = b.zone_id
      left join tracker_domains d on d.tracker_id = b.tracker_id and d.remote_id = b.remote_id
    where d.id is null or d.gone_at is not null or d.archived
  ),
  paired as materialized (
    select key, name, domain_id, tracker_id, zone_id, bound, case bits when 0 then ${bit('agreed')} else bits end as bits
    from (select * from listed union all select * from lost) both_of_them where chosen and found
  ),
  apart as (
    select z.id as key, z.name, null::uuid as domain_id, null::uuid as tracker_id, z.id as zone_id, false as bound, ${bit('not_bound')} as bits
    from zones z where ${ownedBy(sql`z.owner_id`, ownerId)} and z.gone_at is null and z.tracker_type is null and ${like(sql`z.search`, search)}
      and z.id not in (select zone_id from listed where zone_id is not null)
  )`

/** Domains in no tracker are the majority and shown only on request. */
const selectedRows = ({ state }: ReconcileFilter) =>
  state === 'not_bound' ? sql`apart` : state === null ? sql`paired` : sql`(select * from paired where bits & ${bit(state)} <> 0)`

interface PageRow {
  readonly key: string
  readonly name: string
  readonly bits: number
  readonly bound: boolean
  readonly domain: DomainRow | null
  readonly tracker: (Pick<TrackerRow, 'id' | 'kind' | 'name'> & { readonly wanted: string[] }) | null
  readonly zone:
    | (Pick<typeof zones.$inferSelect, 'id' | 'name' | 'status'> & {
        readonly account: string
        readonly originIPs: string[]
        readonly proxied: boolean
        readonly gone: boolean
      })
    | null
  readonly registrar: { readonly name: string; readonly paidUntil: string | null } | null
}

export interface ReconcilePage {
  readonly rows: readonly PageRow[]
  /** By the bit of the state. */
  readonly counts: Readonly<Record<string, number>>
  readonly tally: readonly { readonly trackerId: string; readonly bits: number; readonly bound: boolean; readonly count: number }[]
  /** Null: an enabled tracker has not been read yet, or there is none. */
  readonly readAt: string | null
}

/** A page by name and the total counts in one statement, so that the shared part is computed once. */
export async function readReconcilePage(
  db: Queryable,
  filter: ReconcileFilter,
  page: { readonly after: { readonly name: string; readonly key: string } | null; readonly limit: number },
): Promise<ReconcilePage> {
  const countOf = (state: ReconcileState) =>
    state === 'not_bound'
      ? sql`${bitOf(state)}::text, (select count(*) from apart)`
      : sql`${bitOf(state)}::text, (select count(*) from paired where bits & ${bit(state)} <> 0)`
  const [row] = await db.execute<{ [column: string]: unknown } & ReconcilePage>(sql`
    with ${sources(filter)},
    shown as materialized (
      select * from ${selectedRows(filter)} c where ${page.after === null ? sql`true` : sql`(c.name, c.key) > (${page.after.name}::text, ${page.after.key}::uuid)`}
      order by c.name, c.key limit ${page.limit}
    ),
    whole as (
      select s.key, s.name, s.bits, s.bound, to_jsonb(d) as domain,
        case when k.id is not null then jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'wanted', t.wanted) end as tracker,
        case when z.id is not null then jsonb_build_object('id', z.id, 'name', z.name, 'status', z.status, 'account', a.email, 'originIPs', z.origin_ips,
          'proxied', z.proxied_count > 0, 'gone', z.gone_at is not null) end as zone,
        coalesce(case when g.id is not null then jsonb_build_object('name', g.name, 'paidUntil', z.paid_until) end, bought.found) as registrar
      from shown s left join tracker_domains d on d.id = s.domain_id left join t on t.id = s.tracker_id left join trackers k on k.id = s.tracker_id
        left join zones z on z.id = s.zone_id and ${named(filter)} left join accounts a on a.id = z.account_id left join registrars g on g.id = z.registrar_id and ${ownedBy(sql`g.owner_id`, filter.ownerId)}
        left join lateral (
          select jsonb_build_object('name', r.name, 'paidUntil', n.expires_at) as found from registrar_names n join registrars r on r.id = n.registrar_id
          where s.zone_id is null and r.owner_id = t.owner_id and ${ownedBy(sql`r.owner_id`, filter.ownerId)} and n.gone_at is null and n.name = any(${above(sql`s.name`)}) order by length(n.name) desc limit 1
        ) bought on true
    )
    select coalesce((select jsonb_agg(to_jsonb(w) order by w.name, w.key) from whole w), '[]') as rows,
      jsonb_build_object(${sql.join(reconcileState.options.map(countOf), sql`, `)}) as counts,
      (select coalesce(jsonb_agg(g), '[]') from (
        select tracker_id as "trackerId", bits, bound, count(*) from paired group by tracker_id, bits, bound
      ) g) as tally,
      (select case when bool_and(k.synced_at is not null or k.url is null or k.api_key_sealed is null) then min(k.synced_at) end
        from t join trackers k on k.id = t.id where t.chosen) as "readAt"`)
  return row ?? { rows: [], counts: {}, tally: [], readAt: null }
}

/** All matches, for a bulk repair. */
export async function listReconcileIds(
  db: Queryable,
  filter: ReconcileFilter,
): Promise<{ readonly zoneIds: string[]; readonly trackerDomainIds: string[]; readonly names: string[] }> {
  const [row] = await db.execute<{ zoneIds: string[]; trackerDomainIds: string[]; names: string[] }>(sql`
    with ${sources(filter)}, chosen_rows as materialized (
      select * from ${selectedRows(filter)} c where ${filter.bound === null ? sql`true` : sql`c.bound = ${filter.bound}`}
    )
    select array(select distinct z.id from chosen_rows c join zones z on z.id = c.zone_id where ${named(filter)}) as "zoneIds",
      array(select domain_id from chosen_rows where zone_id is null order by name) as "trackerDomainIds",
      array(select distinct name from chosen_rows order by name) as names`)
  return row ?? { zoneIds: [], trackerDomainIds: [], names: [] }
}
