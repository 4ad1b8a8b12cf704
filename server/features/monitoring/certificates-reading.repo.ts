import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'

const owned = (ownerId: string | null, column: string) => (ownerId === null ? sql`true` : sql`${sql.raw(column)} = ${ownerId}::uuid`)
const instantOf = (at: Date) => sql`${at.toISOString()}::timestamptz`

export interface CertificateQuery {
  readonly from: Date | null
  readonly to: Date | null
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

/** The next to end first. `ownerId` null: everybody's. */
export const listByEnd = (db: Queryable, ownerId: string | null, { from, to, after, limit }: CertificateQuery) =>
  db.execute<{ zone_id: string; name: string; cert_expires_at: string; issuer: string | null; trusted: boolean | null }>(sql`
    select m.zone_id, z.name, m.cert_expires_at, m.certificate ->> 'issuer' as issuer, (m.certificate ->> 'trusted')::boolean as trusted
    from zone_monitors m join zones z on z.id = m.zone_id
    where ${owned(ownerId, 'm.owner_id')} and m.cert_expires_at is not null
      ${from === null ? sql`` : sql`and m.cert_expires_at >= ${instantOf(from)}`}
      ${to === null ? sql`` : sql`and m.cert_expires_at < ${instantOf(to)}`}
      ${after === null ? sql`` : sql`and (m.cert_expires_at, m.zone_id) > (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by m.cert_expires_at, m.zone_id limit ${limit}`)

export const countByEnd = async (db: Queryable, ownerId: string | null, now: Date) => {
  const [row] = await db.execute<{ ended: number; week: number; month: number; later: number; unknown: number }>(sql`
    select (count(*) filter (where cert_expires_at < ${instantOf(now)}))::int as ended,
      (count(*) filter (where cert_expires_at >= ${instantOf(now)} and cert_expires_at < ${instantOf(now)} + interval '7 days'))::int as week,
      (count(*) filter (where cert_expires_at >= ${instantOf(now)} + interval '7 days' and cert_expires_at < ${instantOf(now)} + interval '30 days'))::int as month,
      (count(*) filter (where cert_expires_at >= ${instantOf(now)} + interval '30 days'))::int as later,
      (count(*) filter (where cert_expires_at is null))::int as unknown
    from zone_monitors where ${owned(ownerId, 'owner_id')}`)
  return row ?? { ended: 0, week: 0, month: 0, later: 0, unknown: 0 }
}

/** Days in UTC on which certificates or domains end. */
export const countDays = (db: Queryable, ownerId: string | null, from: Date, to: Date) =>
  db.execute<{ day: string; certificates: number; domains: number }>(sql`
    select day, sum(certificates)::int as certificates, sum(domains)::int as domains from (
      select to_char(cert_expires_at at time zone 'UTC', 'YYYY-MM-DD') as day, 1 as certificates, 0 as domains from zone_monitors
      where ${owned(ownerId, 'owner_id')} and cert_expires_at >= ${instantOf(from)} and cert_expires_at < ${instantOf(to)}
      union all
      select to_char(paid_until at time zone 'UTC', 'YYYY-MM-DD'), 0, 1 from zones
      where ${owned(ownerId, 'owner_id')} and gone_at is null and coalesce(paid_until, 'infinity') >= ${instantOf(from)}
        and coalesce(paid_until, 'infinity') < ${instantOf(to)}
    ) each group by day order by day`)
