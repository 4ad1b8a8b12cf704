import { desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { groups, shares, users } from '#server/db/schema/index.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
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
export const listShown = (db: Queryable, { owners, shared }: AccessScope): Promise<ShownGroup[]> =>
  selectShown(db)
    .where(
      shared === null
        ? inArray(groups.ownerId, [...owners])
        : or(inArray(groups.ownerId, [...owners]), inArray(groups.id, [...shared.groupIds])),
    )
    .orderBy(desc(groups.createdAt), desc(groups.id))

/** All owners of groups. */
export async function listOwners(db: Queryable): Promise<string[]> {
  const rows = await db.selectDistinct({ ownerId: groups.ownerId }).from(groups)
  return rows.map(({ ownerId }) => ownerId)
}

/**
 * The owner of the group.
 * @throws AppError not_found
 */
export async function getShown(db: Queryable, id: string): Promise<ShownGroup> {
  const [row] = await selectShown(db).where(eq(groups.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

export type GroupRow = typeof groups.$inferSelect

/**
 * A group of any owner, locked until the transaction ends; `share` allows concurrent changes that leave the group itself unchanged.
 * @throws AppError not_found
 */
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
