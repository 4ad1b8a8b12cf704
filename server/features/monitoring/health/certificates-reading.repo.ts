import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { inScope } from '../scope.repo.ts'
import type { OwnerScope } from '#server/platform/access-scope.ts'

const instantOf = (at: Date) => sql`${at.toISOString()}::timestamptz`

interface CertificateQuery {
  readonly from: Date | null
  readonly to: Date | null
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

/** The next to expire first. */
export const listByEnd = (db: Queryable, scope: OwnerScope, { from, to, after, limit }: CertificateQuery) =>
  db.execute<{ domainId: string; name: string; certExpiresAt: string; issuer: string | null; trusted: boolean | null }>(sql`
    select m.zone_id, z.name, m.cert_expires_at, m.certificate ->> 'issuer' as issuer, (m.certificate ->> 'trusted')::boolean as trusted
    from zone_monitors m join zones z on z.id = m.zone_id
    where ${inScope(scope, { alias: 'm' })} and m.cert_expires_at is not null
      ${from === null ? sql`` : sql`and m.cert_expires_at >= ${instantOf(from)}`}
      ${to === null ? sql`` : sql`and m.cert_expires_at < ${instantOf(to)}`}
      ${after === null ? sql`` : sql`and (m.cert_expires_at, m.zone_id) > (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by m.cert_expires_at, m.zone_id limit ${limit}`)

const dayMs = 86_400_000

/** Each range is counted separately, so that index-only scans can be used. */
export const countByEnd = async (db: Queryable, scope: OwnerScope, now: Date) => {
  const [week, month] = [7, 30].map((days) => new Date(now.getTime() + days * dayMs))
  const count = (ends: SQL) => sql`(select count(*)::int from zone_monitors where ${inScope(scope)} and ${ends})`
  const between = (from: Date | undefined, until: Date | undefined) =>
    sql.join(
      [
        ...(from === undefined ? [] : [sql`cert_expires_at >= ${instantOf(from)}`]),
        ...(until === undefined ? [] : [sql`cert_expires_at < ${instantOf(until)}`]),
      ],
      sql` and `,
    )
  const [row] = await db.execute<{ ended: number; week: number; month: number; later: number; unknown: number }>(sql`
    select ${count(between(undefined, now))} as ended, ${count(between(now, week))} as week, ${count(between(week, month))} as month,
      ${count(between(month, undefined))} as later, ${count(sql`cert_expires_at is null`)} as unknown`)
  return row ?? { ended: 0, week: 0, month: 0, later: 0, unknown: 0 }
}

/** A domain's registration expiry is not visible to users it is shared with. */
const ownScope = (scope: OwnerScope): OwnerScope => (scope === null ? null : { ...scope, shared: null })

/**
 * Days (UTC) on which certificates or domains expire, counting a domain in several accounts once. The conversion to days is done per day, not per
 * domain.
 */
export const countDays = (db: Queryable, scope: OwnerScope, from: Date, to: Date) =>
  db.execute<{ day: string; certificates: number; domains: number }>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, sum(certificates)::int as certificates, sum(domains)::int as domains from (
      select (cert_expires_at at time zone 'UTC')::date as day, count(*) as certificates, 0 as domains from zone_monitors
      where ${inScope(scope)} and cert_expires_at >= ${instantOf(from)} and cert_expires_at < ${instantOf(to)} group by 1
      union all
      select (paid_until at time zone 'UTC')::date, 0, count(distinct name) from zones
      where ${inScope(ownScope(scope))} and gone_at is null and coalesce(paid_until, 'infinity') >= ${instantOf(from)}
        and coalesce(paid_until, 'infinity') < ${instantOf(to)} group by 1
    ) each group by each.day order by each.day`)
