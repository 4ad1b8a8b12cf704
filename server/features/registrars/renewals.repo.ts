import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { calendarFeeds } from '#server/db/schema/index.ts'
import type { Money } from '#server/ports/registrar.ts'
import type { RegistrarRow } from './registrars.repo.ts'

/** What a year more costs, by zone; what has no price keeps none. */
export async function updateRenewalPrices(db: Queryable, registrarId: string, prices: ReadonlyMap<string, Money>): Promise<void> {
  const rows = [...prices].map(([zone, { minor, currency }]) => ({ zone, minor, currency }))
  await db.execute(sql`
    update registrar_names n set renewal_minor = p.minor, renewal_currency = p.currency
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as p (zone text, minor bigint, currency text)
    where n.registrar_id = ${registrarId}::uuid and n.gone_at is null and substr(n.name, strpos(n.name, '.') + 1) = p.zone
      and (n.renewal_minor, n.renewal_currency) is distinct from (p.minor, p.currency)`)
}

/** What is bought for trying ends nowhere. */
const owned = (ownerId: string | null) => sql`and not r.sandbox ${ownerId === null ? sql`` : sql`and r.owner_id = ${ownerId}::uuid`}`

/** By day and currency (null: no price), for days from `from` until before `to`. `ownerId` null: everybody's. */
export const countByDay = (db: Queryable, ownerId: string | null, from: Date, to: Date) =>
  db.execute<{ day: string; currency: string | null; names: number; minor: number }>(sql`
    select to_char(n.expires_at at time zone 'UTC', 'YYYY-MM-DD') as day, n.renewal_currency as currency, count(*)::int as names,
      coalesce(sum(n.renewal_minor), 0)::float8 as minor
    from registrar_names n join registrars r on r.id = n.registrar_id
    where n.gone_at is null and n.expires_at >= ${from.toISOString()}::timestamptz and n.expires_at < ${to.toISOString()}::timestamptz
      ${owned(ownerId)} group by 1, 2 order by 1, 2`)

export async function countOthers(db: Queryable, ownerId: string | null, now: Date): Promise<{ ended: number; unknown: number }> {
  const [row] = await db.execute<{ ended: number; unknown: number }>(sql`
    select count(*) filter (where n.expires_at < ${now.toISOString()}::timestamptz)::int as ended,
      count(*) filter (where n.expires_at is null)::int as unknown
    from registrar_names n join registrars r on r.id = n.registrar_id where n.gone_at is null ${owned(ownerId)}`)
  return { ended: row?.ended ?? 0, unknown: row?.unknown ?? 0 }
}

/** Each API registrar with how many of its names, the next to end first, its balance renews. */
export const listEnough = (db: Queryable, ownerId: string | null) =>
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
    where r.type = 'API_ENABLED' ${owned(ownerId)} group by r.id order by r.name, r.id`)

export interface ExpiryRow {
  [column: string]: unknown
  id: string
  name: string
  expires_at: string
  auto_renew: boolean | null
  renewal_minor: number | null
  renewal_currency: string | null
  seen_at: string
  registrar_id: string
  registrar_name: string
  provider: RegistrarRow['provider']
  zone_id: string | null
}

/** The next to end first. */
export const listByExpiry = (
  db: Queryable,
  asked: {
    readonly ownerId: string | null
    readonly from: Date | null
    readonly to: Date | null
    readonly after: { readonly at: string; readonly id: string } | null
    readonly limit: number
  },
) =>
  db.execute<ExpiryRow>(sql`
    select n.id, n.name, n.expires_at, n.auto_renew, n.renewal_minor::float8 as renewal_minor, n.renewal_currency, n.seen_at,
      r.id as registrar_id, r.name as registrar_name, r.provider,
      (select z.id from zones z where z.owner_id = r.owner_id and z.name = n.name and z.gone_at is null limit 1) as zone_id
    from registrar_names n join registrars r on r.id = n.registrar_id
    where n.gone_at is null and n.expires_at is not null ${owned(asked.ownerId)}
      ${asked.from === null ? sql`` : sql`and n.expires_at >= ${asked.from.toISOString()}::timestamptz`}
      ${asked.to === null ? sql`` : sql`and n.expires_at < ${asked.to.toISOString()}::timestamptz`}
      ${asked.after === null ? sql`` : sql`and (n.expires_at, n.id) > (${asked.after.at}::timestamptz, ${asked.after.id}::uuid)`}
    order by n.expires_at, n.id limit ${asked.limit}`)

export async function findFeed(db: Queryable, ownerId: string): Promise<Date | null> {
  const [row] = await db
    .select()
    .from(calendarFeeds)
    .where(sql`${calendarFeeds.ownerId} = ${ownerId}`)
  return row?.createdAt ?? null
}

/** Takes the place of the one before. */
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

export async function findFeedOwner(db: Queryable, tokenHash: string): Promise<string | null> {
  const [row] = await db
    .select({ id: calendarFeeds.ownerId })
    .from(calendarFeeds)
    .where(sql`${calendarFeeds.tokenHash} = ${tokenHash}`)
  return row?.id ?? null
}
