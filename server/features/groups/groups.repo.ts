import { randomUUID } from 'node:crypto'
import { desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { groups, shares, users } from '#server/db/schema/index.ts'
import type { UserActor } from '#server/platform/actor.ts'
import type { Reach, SharedReach } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { personLabelSql } from '#server/db/columns.ts'

/** From the maintained counts, never from the zones themselves. */
const zonesCount = sql<number>`(
  select coalesce(sum(n), 0)::int from (
    select c.n from zone_counts c where c.owner_id = ${groups.ownerId} and c.kind = 4 and c.key = ${groups.id}
    union all
    select c.n from zone_count_changes c where c.owner_id = ${groups.ownerId} and c.kind = 4 and c.key = ${groups.id}
  ) as counted)`

const selectShown = (db: Queryable) =>
  db
    .select({
      id: groups.id,
      ownerId: groups.ownerId,
      ownerName: personLabelSql,
      name: groups.name,
      description: groups.description,
      icon: groups.icon,
      color: groups.color,
      zonesCount,
      sharedWith: sql<number>`(select count(*)::int from ${shares} where ${shares.groupId} = ${groups.id})`,
      createdAt: groups.createdAt,
    })
    .from(groups)
    .innerJoin(users, eq(users.id, groups.ownerId))
export type ShownGroup = Awaited<ReturnType<typeof selectShown>>[number]

/** Newest first. */
export const listShown = (db: Queryable, { owners, shared }: Reach): Promise<ShownGroup[]> =>
  selectShown(db)
    .where(
      shared === null
        ? inArray(groups.ownerId, [...owners])
        : or(inArray(groups.ownerId, [...owners]), inArray(groups.id, [...shared.groupIds])),
    )
    .orderBy(desc(groups.createdAt), desc(groups.id))

/** Everybody who has groups. */
export async function listOwners(db: Queryable): Promise<string[]> {
  const rows = await db.selectDistinct({ ownerId: groups.ownerId }).from(groups)
  return rows.map(({ ownerId }) => ownerId)
}

/** Whoever it belongs to. @throws AppError not_found */
export async function getShown(db: Queryable, id: string): Promise<ShownGroup> {
  const [row] = await selectShown(db).where(eq(groups.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

export type GroupRow = typeof groups.$inferSelect

/** Locked until the transaction ends, whoever it belongs to; `share` lets others do what leaves the group itself as it is. @throws AppError not_found */
export async function getForUpdate(tx: Transaction, id: string, lock: 'update' | 'share'): Promise<GroupRow> {
  const [row] = await tx
    .select()
    .from(groups)
    .where(eq(groups.id, id))
    .for(lock === 'update' ? 'update' : 'key share')
  if (row === undefined) throw new AppError('not_found')
  return row
}

export async function insertGroup(db: Queryable, row: typeof groups.$inferInsert): Promise<string> {
  const [inserted] = await db.insert(groups).values(row).returning({ id: groups.id })
  if (inserted === undefined) throw new Error('nothing was inserted')
  return inserted.id
}

export async function updateGroupRow(db: Queryable, id: string, changes: Partial<GroupRow>): Promise<void> {
  await db.update(groups).set(changes).where(eq(groups.id, id))
}

export async function deleteGroup(db: Queryable, id: string): Promise<void> {
  await db.delete(groups).where(eq(groups.id, id))
}

interface Move {
  readonly ownerId: string
  /** Which of the owner's zones; null: all that are in `from`. */
  readonly zoneIds: readonly string[] | null
  /** Only those that are in this group now; null: wherever they are. */
  readonly from: string | null
  readonly to: Pick<GroupRow, 'id' | 'name'> | null
  readonly actor: Pick<UserActor, 'userId' | 'name'>
  /** What somebody else than the owner may move, and out of a group only what is in these accounts; null: all. */
  readonly within: SharedReach | null
}

export interface Moved {
  /** Those that had another group before. */
  readonly changed: number
  readonly accountIds: readonly string[]
}

/**
 * Puts zones into a group or out of one and remembers it in the history of each, in one statement for any number.
 * @throws AppError not_found when one of them is not there or somebody else's, level_too_low when one may not leave its group; the transaction
 * is then to be given up
 */
export async function moveZones(tx: Transaction, { ownerId, zoneIds, from, to, actor, within }: Move): Promise<Moved> {
  const wanted = zoneIds === null ? null : [...new Set(zoneIds.map((id) => id.toLowerCase()))]
  const toId = sql`${to?.id ?? null}::uuid`
  const leaving = sql`m.group_id is distinct from ${toId} ${from === null ? sql`` : sql`and m.group_id = ${from}::uuid`}`
  const held =
    within === null
      ? sql`0`
      : sql`(select count(*)::int from mine m where m.group_id is not null and ${leaving} and m.account_id <> all(${sql.param([...within.accountIds])}::uuid[]))`
  const rows = await tx.execute<{ found: number; held: number; changed: number; account_ids: string[] | null }>(sql`
    with mine as materialized (
      select z.id, z.account_id, z.group_id from zones z
      where z.owner_id = ${ownerId} and ${wanted === null ? sql`z.group_id = ${from}::uuid` : sql`z.id = any(${sql.param(wanted)}::uuid[])`}
        ${within === null ? sql`` : sql`and (z.account_id = any(${sql.param([...within.accountIds])}::uuid[]) or z.group_id = any(${sql.param([...within.groupIds])}::uuid[]))`}
      order by z.id for no key update
    ), changed as (
      update zones z set group_id = ${toId} from mine m
      where z.id = m.id and ${leaving}
      returning z.id, m.account_id, m.group_id as before
    ), told as (
      insert into zone_changes (zone_id, source, actor_id, actor_name, subject, key, label, before, after, batch_id)
      select c.id, 'panel', ${actor.userId}::uuid, ${actor.name}, 'zone', 'group', 'group',
        jsonb_build_object('value', case when g.id is null then null else jsonb_build_object('id', g.id, 'name', g.name) end),
        ${JSON.stringify({ value: to === null ? null : { id: to.id, name: to.name } })}::text::jsonb, ${randomUUID()}::uuid
      from changed c left join groups g on g.id = c.before
    )
    select (select count(*)::int from mine) as found, ${held} as held, count(*)::int as changed, array_agg(distinct account_id) as account_ids from changed`)
  const [row] = rows
  if (row === undefined || (wanted !== null && row.found !== wanted.length)) throw new AppError('not_found')
  if (row.held > 0) throw new AppError('level_too_low')
  return { changed: row.changed, accountIds: row.account_ids ?? [] }
}
