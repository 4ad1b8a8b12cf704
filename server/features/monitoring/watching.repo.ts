import { sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import type { AccessTarget } from '#server/platform/access-scope.ts'

const list = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`

/** Owners and groups of the zones; `zones` is the number in each, `name` one of them. */
export const listTargets = (db: Queryable, ids: readonly string[]) =>
  db.execute<{ [column: string]: unknown } & AccessTarget & { zones: number; name: string }>(sql`
    select owner_id as "ownerId", account_id as "accountId", group_id as "groupId", count(*)::int as zones, min(name) as name
    from zones where id = any(${list(ids)}) group by owner_id, account_id, group_id`)

const countOf = (rows: readonly { readonly n: number }[]) => rows[0]?.n ?? 0

/** `until` null: ends it; `infinity`: until changed. @returns the number of monitored domains */
export async function setUntil(
  tx: Transaction,
  which: 'paused_until' | 'muted_until',
  ids: readonly string[],
  until: Date | 'infinity' | null,
): Promise<number> {
  const value = until === null ? null : until === 'infinity' ? until : until.toISOString()
  return countOf(
    await tx.execute<{ n: number }>(sql`
      with held as materialized (select zone_id from zone_monitors where zone_id = any(${list(ids)}) order by zone_id for no key update),
      done as (
        update zone_monitors m set ${sql.raw(which)} = ${value}::timestamptz from held h where m.zone_id = h.zone_id returning m.zone_id
      ) select count(*)::int as n from done`),
  )
}

/**
 * Requested domains get consecutive times, so that a single request a second later does not wait for a large one. All are due immediately: the time
 * only determines the order.
 */
const apartMs = 20

/** Requests checks by the probes of every region before all others. Paused domains are skipped. @returns the number requested */
export async function wantChecks(db: Queryable, ids: readonly string[], now: Date): Promise<number> {
  return countOf(
    await db.execute<{ n: number }>(sql`
      with held as materialized (
        select v.zone_id, v.region from zone_views v join zone_monitors m on m.zone_id = v.zone_id
        where v.zone_id = any(${list(ids)}) and (m.paused_until is null or m.paused_until <= ${now.toISOString()}::timestamptz)
        order by v.zone_id, v.region for no key update of v
      ), wanted as (
        select zone_id, region, ${now.toISOString()}::timestamptz + (dense_rank() over (order by zone_id) - 1) * ${apartMs}::int * interval '1 millisecond' as at from held
      ), done as (
        update zone_views v set wanted_at = coalesce(v.wanted_at, h.at)
        from wanted h where v.zone_id = h.zone_id and v.region = h.region returning v.zone_id
      ) select count(distinct zone_id)::int as n from done`),
  )
}
