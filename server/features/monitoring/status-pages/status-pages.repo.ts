import { and, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction, RawRow } from '#server/db/client.ts'
import type { zoneMonitors, zones } from '#server/db/schema/index.ts'
import { constraintOf } from '#server/db/driver-fault.ts'
import { groups, statusPages } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { StatusPage } from '#shared/features/monitoring/settings.ts'
import { trafficProblemBits } from '#shared/features/monitoring/traffic-problems.ts'
import { believedForMs } from '../health/evaluate-health.policy.ts'
import { liveForMs } from '../health/evaluation.repo.ts'

const columns = {
  groupId: statusPages.groupId,
  groupName: groups.name,
  slug: statusPages.slug,
  title: statusPages.title,
  enabled: statusPages.enabled,
}

export const listPages = (db: Queryable, ownerId: string): Promise<StatusPage[]> =>
  db
    .select(columns)
    .from(statusPages)
    .innerJoin(groups, eq(groups.id, statusPages.groupId))
    .where(eq(statusPages.ownerId, ownerId))
    .orderBy(groups.name, groups.id)

export async function findPage(db: Queryable, groupId: string): Promise<StatusPage | null> {
  const [row] = await db
    .select(columns)
    .from(statusPages)
    .innerJoin(groups, eq(groups.id, statusPages.groupId))
    .where(eq(statusPages.groupId, groupId))
  return row ?? null
}

/** One page per group. @throws AppError validation_failed for an address used by another page */
export async function savePage(tx: Transaction, row: typeof statusPages.$inferInsert): Promise<void> {
  const { slug, title, enabled } = row
  try {
    await tx.insert(statusPages).values(row).onConflictDoUpdate({ target: statusPages.groupId, set: { slug, title, enabled } })
  } catch (error) {
    if (constraintOf(error) !== 'status_pages_slug') throw error
    throw new AppError('validation_failed', { issues: [{ path: 'slug', message: 'slug_taken' }] })
  }
}

export async function deletePage(tx: Transaction, groupId: string): Promise<void> {
  await tx.delete(statusPages).where(eq(statusPages.groupId, groupId))
}

export async function findPublicPage(db: Queryable, slug: string): Promise<{ groupId: string; ownerId: string; title: string } | null> {
  const [row] = await db
    .select({ groupId: statusPages.groupId, ownerId: statusPages.ownerId, title: statusPages.title })
    .from(statusPages)
    .where(and(eq(statusPages.slug, slug), eq(statusPages.enabled, true)))
  return row ?? null
}

const iso = (at: number) => new Date(at).toISOString()

type ShownZone = RawRow<typeof zones, 'id' | 'name'> &
  RawRow<typeof zoneMonitors, 'health' | 'intervalSeconds'> & { checkedAt: string | null }

/** Cloudflare does not serve it yet, so it is not expected to work. */
const isAwaited = sql`(z.status in ('pending', 'initializing') or m.reasons @> '[{"code": "setting_up"}]')`

/** Of its operator, not of its visitors. */
const trafficCodes = sql.param(Object.keys(trafficProblemBits))

/**
 * The monitored domains in use of a group, the worst first; one more than `limit` shows that there are more. A domain with unusual traffic only has
 * the health that its checks found.
 */
export const listGroupZones = (db: Queryable, groupId: string, limit: number, now: number) =>
  db.execute<ShownZone & { total: number }>(sql`
    select z.id, z.name, h.health, m.interval_seconds, (select max(v.checked_at) from zone_views v where v.zone_id = z.id) as checked_at, count(*) over ()::int as total
    from zones z join zone_monitors m on m.zone_id = z.id
      cross join lateral (select case
        when m.health <> 'warnings' or m.reasons = '[]' or exists (
          select from jsonb_array_elements(m.reasons) r where r ->> 'code' <> all(${trafficCodes}::text[])) then m.health
        when exists (
          select from zone_views v where v.zone_id = z.id and v.state <> 'unknown' and (v.checked_at > ${iso(now - believedForMs)}::timestamptz
            or exists (select from probes p where p.region = v.region and p.online and p.seen_at > ${iso(now - liveForMs)}::timestamptz)))
          then 'ok'::health
        else 'unknown'::health end as health) h
    where z.group_id = ${groupId}::uuid and z.gone_at is null and not ${isAwaited}
    order by case h.health when 'critical' then 0 when 'warnings' then 1 when 'unknown' then 2 else 3 end, z.name limit ${limit}`)

/** Failed and total checks by zone and day, over all regions, from hours or days; `most`: of the region with the most. */
export const listDaysOf = (db: Queryable, domainIds: readonly string[], from: Date) =>
  db.execute<{ domainId: string; day: string; checks: number; failed: number; most: number }>(sql`
    with days as (
      select zone_id, region, day, checks::int, failed::int from check_days
      where zone_id = any(${sql.param([...domainIds])}::uuid[]) and day >= ${from.toISOString()}::timestamptz
    ), hours as (
      select zone_id, region, hour, checks, failed from check_hours
      where zone_id = any(${sql.param([...domainIds])}::uuid[]) and hour >= greatest(${from.toISOString()}::timestamptz, now() - interval '15 days')
      union all
      select zone_id, region, hour, checks, failed from zone_views where zone_id = any(${sql.param([...domainIds])}::uuid[]) and hour is not null
    )
    select zone_id, to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, sum(checks)::int as checks, sum(failed)::int as failed, max(checks)::int as most from (
      select * from days
      union all
      select zone_id, region, date_trunc('day', hour, 'UTC'), sum(checks), sum(failed) from hours h
      where not exists (select from days d where d.zone_id = h.zone_id and d.region = h.region and d.day = date_trunc('day', h.hour, 'UTC'))
      group by 1, 2, 3
    ) each group by 1, 2`)

export const listPublicIncidents = (db: Queryable, groupId: string, since: Date, limit: number) =>
  db.execute<{ name: string; health: ShownZone['health']; openedAt: string; closedAt: string | null }>(sql`
    select i.name, i.health, i.opened_at, i.closed_at from zones z
      join zone_monitors m on m.zone_id = z.id join incidents i on i.zone_id = z.id
    where z.group_id = ${groupId}::uuid and z.gone_at is null and not ${isAwaited} and i.reasons -> 0 ->> 'code' is distinct from 'zone_pending'
      and not coalesce(i.reasons -> 0 ->> 'code' = any(${trafficCodes}::text[]), false) and i.opened_at >= ${since.toISOString()}::timestamptz
    order by i.opened_at desc limit ${limit}`)
