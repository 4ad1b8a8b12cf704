import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable, Joined, RawRow } from '#server/db/client.ts'
import type { registrarNames, registrars } from '#server/db/schema/index.ts'
import { calendarFeeds, users } from '#server/db/schema/index.ts'
import type { Money } from '#server/ports/registrar.ts'
import type { PaidSource } from '#shared/features/registrars/registry/schema.ts'
import { inScope } from '../registrars.repo.ts'
import type { RegistrarRow, RegistrarScope } from '../registrars.repo.ts'

/** Stores prices of one more year, by zone, or for internationalized names by `xn--` zone (`xn--.com`); names without a price get none. */
export async function updateRenewalPrices(db: Queryable, registrarId: string, prices: ReadonlyMap<string, Money>): Promise<void> {
  const rows = [...prices].map(([zone, { minor, currency }]) => ({ zone, minor, currency }))
  const exceptions = rows.flatMap(({ zone }) => (zone.startsWith('xn--.') ? [zone.slice('xn--.'.length)] : []))
  await db.execute(sql`
    update registrar_names n set renewal_minor = p.minor, renewal_currency = p.currency
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as p (zone text, minor bigint, currency text)
    where n.registrar_id = ${registrarId}::uuid and n.gone_at is null
      and p.zone = case when n.name like 'xn--%' and substr(n.name, strpos(n.name, '.') + 1) = any (${sql.param(exceptions)}::text[]) then 'xn--.' else '' end
        || substr(n.name, strpos(n.name, '.') + 1)
      and (n.renewal_minor, n.renewal_currency) is distinct from (p.minor, p.currency)`)
}

/** Sandbox registrars are excluded. */
const listed = (scope: RegistrarScope) => sql`and not r.sandbox and ${inScope(scope)}`

interface EndsAsked {
  readonly scope: RegistrarScope
  readonly from: Date | null
  /** Exclusive. */
  readonly to: Date | null
  readonly after?: { readonly at: string; readonly id: string } | null
  /** Omitted: all. */
  readonly limit?: number
}

const ownZones = ({ ownerId }: RegistrarScope) => (ownerId === null ? sql`` : sql`and z.owner_id = ${ownerId}::uuid`)

/** When several visible lists have a name, only the one with the latest expiry counts: the others have not noticed the transfer yet. */
const onlyName = (scope: RegistrarScope) => sql`not exists (select from registrar_names o join registrars r on r.id = o.registrar_id
  where o.name = n.name and o.gone_at is null and (coalesce(o.expires_at, '-infinity'), o.id) > (coalesce(n.expires_at, '-infinity'), n.id) ${listed(scope)})`

/** A domain in such a list is counted there, regardless of the owners; of several zones with one name, only the first counts. */
const onlyZone = (scope: RegistrarScope) => sql`not exists (select from registrar_names o join registrars r on r.id = o.registrar_id
    where o.name = z.name and o.gone_at is null ${listed(scope)})
  and not exists (select from zones y where y.name = z.name and y.gone_at is null and y.id < z.id
    ${scope.ownerId === null ? sql`` : sql`and y.owner_id = ${scope.ownerId}::uuid`})`

/**
 * Names with their expiries: from registrars' lists, from registries where those do not report, and from registries for domains in no list. Each part
 * uses its own index in order and reads only as many rows as needed.
 */
function endsSql({ scope, from, to, after, limit }: EndsAsked) {
  const part = (
    columns: ReturnType<typeof sql>,
    end: ReturnType<typeof sql>,
    id: ReturnType<typeof sql>,
    source: ReturnType<typeof sql>,
  ) => sql`(
    select ${id} as id, ${end} as expires_at, ${columns} ${source}
      ${from === null ? sql`` : sql`and ${end} >= ${from.toISOString()}::timestamptz`}
      ${to === null ? sql`` : sql`and ${end} < ${to.toISOString()}::timestamptz`}
      ${after === null || after === undefined ? sql`` : sql`and (${end}, ${id}) > (${after.at}::timestamptz, ${after.id}::uuid)`}
      ${limit === undefined ? sql`` : sql`order by ${end}, ${id} limit ${limit}`})`
  const ofName = sql`n.name, n.auto_renew, n.renewal_minor, n.renewal_currency, r.id as registrar_id, r.owner_id, null::uuid as zone_id`
  return sql`(
    ${part(
      sql`${ofName}, 'registrar' as source, n.seen_at as read_at, null as held_by`,
      sql`n.expires_at`,
      sql`n.id`,
      sql`from registrar_names n join registrars r on r.id = n.registrar_id where n.gone_at is null and n.expires_at is not null ${listed(scope)} and ${onlyName(scope)}`,
    )} union all ${part(
      sql`${ofName}, 'registry' as source, g.read_at, g.registrar as held_by`,
      sql`g.expires_at`,
      sql`n.id`,
      sql`from registrar_names n join registrars r on r.id = n.registrar_id join registry_names g on g.name = n.name
        where n.gone_at is null and n.expires_at is null and g.expires_at is not null ${listed(scope)} and ${onlyName(scope)}`,
    )} union all ${part(
      sql`z.name, null as auto_renew, null as renewal_minor, null as renewal_currency, z.registrar_id, z.owner_id, z.id as zone_id, 'registry' as source, g.read_at, g.registrar as held_by`,
      sql`z.paid_until`,
      sql`z.id`,
      sql`from zones z join registry_names g on g.name = z.name
        where z.gone_at is null and (z.paid_until is null or z.paid_by_registry) and z.paid_until is not null ${ownZones(scope)} and ${onlyZone(scope)}`,
    )})`
}

/** By day and currency (null: no price), for days from `from` until before `to`. */
export const countByDay = (db: Queryable, scope: RegistrarScope, from: Date, to: Date) =>
  db.execute<{ day: string; currency: string | null; names: number; minor: number }>(sql`
    select to_char(e.expires_at at time zone 'UTC', 'YYYY-MM-DD') as day, e.renewal_currency as currency, count(*)::int as names,
      coalesce(sum(e.renewal_minor), 0)::float8 as minor
    from ${endsSql({ scope, from, to })} e group by 1, 2 order by 1, 2`)

/** Names that expired before `now`, and those without a known expiry. */
export async function countOthers(db: Queryable, scope: RegistrarScope, now: Date): Promise<{ ended: number; unknown: number }> {
  const [row] = await db.execute<{ ended: number; unknown: number }>(sql`
    select (select count(*) from ${endsSql({ scope, from: null, to: now })} e)::int as ended,
      ((select count(*) from registrar_names n join registrars r on r.id = n.registrar_id left join registry_names g on g.name = n.name
          where n.gone_at is null and n.expires_at is null and g.expires_at is null ${listed(scope)} and ${onlyName(scope)})
        + (select count(*) from zones z where z.gone_at is null and z.paid_until is null ${ownZones(scope)} and ${onlyZone(scope)}))::int as unknown`)
  return row ?? { ended: 0, unknown: 0 }
}

/** For each API registrar, how many of its names the balance renews, starting with the next to expire. */
export const listEnough = (db: Queryable, scope: RegistrarScope) =>
  db.execute<{
    id: string
    name: string
    provider: RegistrarRow['provider']
    minor: number | null
    currency: string | null
    at: string | null
    names: number
    enough: number
    priced: number
  }>(sql`
    select r.id, r.name, r.provider, r.balance_minor::float8 as minor, r.balance_currency as currency, r.balance_at as at, count(n.id)::int as names,
      count(*) filter (where n.cost <= r.balance_minor and n.renewal_currency = r.balance_currency)::int as enough,
      count(*) filter (where n.renewal_currency = r.balance_currency)::int as priced
    from registrars r left join lateral (
      select n.id, n.renewal_currency, sum(n.renewal_minor) filter (where n.renewal_currency = r.balance_currency)
        over (order by n.expires_at, n.id) as cost
      from registrar_names n where n.registrar_id = r.id and n.gone_at is null
    ) n on true
    where r.type = 'API_ENABLED' ${listed(scope)} group by r.id order by r.name, r.id`)

export type ExpiryRow = RawRow<typeof registrarNames, 'id' | 'name' | 'autoRenew' | 'renewalMinor' | 'renewalCurrency'> &
  Joined<typeof registrars, 'provider'> & {
    expiresAt: string
    source: PaidSource
    readAt: string
    /** The registrar named by the registry, when the registry is the source. */
    heldBy: string | null
    registrarId: string | null
    registrarName: string | null
    domainId: string | null
  }

/** The next to expire first. */
export const listByExpiry = (db: Queryable, asked: EndsAsked & { readonly limit: number }) =>
  db.execute<ExpiryRow>(sql`
    select e.id, e.name, e.expires_at, e.auto_renew, e.renewal_minor::float8 as renewal_minor, e.renewal_currency, e.source, e.read_at, e.held_by,
      r.id as registrar_id, r.name as registrar_name, r.provider,
      coalesce(e.zone_id, (select z.id from zones z where z.owner_id = e.owner_id and z.name = e.name and z.gone_at is null
        ${asked.scope.ownerId === null ? sql`` : sql`and z.owner_id = ${asked.scope.ownerId}::uuid`} limit 1)) as zone_id
    from (select * from ${endsSql(asked)} e order by e.expires_at, e.id limit ${asked.limit}) e left join registrars r on r.id = e.registrar_id
    order by e.expires_at, e.id`)

export async function findFeed(db: Queryable, ownerId: string): Promise<Date | null> {
  const [row] = await db
    .select()
    .from(calendarFeeds)
    .where(sql`${calendarFeeds.ownerId} = ${ownerId}`)
  return row?.createdAt ?? null
}

/** Replaces the previous one. */
export async function saveFeed(db: Queryable, ownerId: string, tokenHash: string, createdAt: Date): Promise<void> {
  await db
    .insert(calendarFeeds)
    .values({ ownerId, tokenHash, createdAt })
    .onConflictDoUpdate({ target: calendarFeeds.ownerId, set: { tokenHash, createdAt } })
}

export async function deleteFeed(db: Queryable, ownerId: string): Promise<boolean> {
  const gone = await db
    .delete(calendarFeeds)
    .where(sql`${calendarFeeds.ownerId} = ${ownerId}`)
    .returning({ id: calendarFeeds.ownerId })
  return gone.length > 0
}

/** Null when the owner's sign-in is disabled. */
export async function findFeedOwner(db: Queryable, tokenHash: string): Promise<string | null> {
  const [row] = await db
    .select({ id: calendarFeeds.ownerId })
    .from(calendarFeeds)
    .innerJoin(users, and(eq(users.id, calendarFeeds.ownerId), isNull(users.disabledAt)))
    .where(sql`${calendarFeeds.tokenHash} = ${tokenHash}`)
  return row?.id ?? null
}
