import { sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import type { AccessTarget } from '#server/platform/access-scope.ts'

const list = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`

/** Whose the zones are and in what; `zones` is how many of each, `name` of one of them. */
export const listTargets = (db: Queryable, ids: readonly string[]) =>
  db.execute<{ [column: string]: unknown } & AccessTarget & { zones: number; name: string }>(sql`
    select owner_id as "ownerId", account_id as "accountId", group_id as "groupId", count(*)::int as zones, min(name) as name
    from zones where id = any(${list(ids)}) group by owner_id, account_id, group_id`)

const countOf = (rows: readonly { readonly n: number }[]) => rows[0]?.n ?? 0

/** `until` null: no longer; `infinity`: until somebody says otherwise. @returns how many are watched */
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
 * Many domains are wanted as if one after the other, so that somebody who wants one a second later does not wait for all of them. Every one of
 * them is due immediately: the moment only says in which order.
 */
const apartMs = 20

/** Asks every region's probes for these before all others. What is paused is not asked for. @returns how many */
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
