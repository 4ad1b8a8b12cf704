import { and, asc, count, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Queryable, RawRow, Transaction } from '#server/db/client.ts'
import { normalizeForSearch, personLabelSql } from '#server/db/columns.ts'
import { shares, trackerBindings, trackers, users } from '#server/db/schema/index.ts'
import type { zones } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { TrackerKind } from '#shared/features/trackers/schema.ts'

export type TrackerRow = typeof trackers.$inferSelect

const selectShown = (db: Queryable) =>
  db
    .select({
      tracker: trackers,
      ownerName: personLabelSql,
      sharedWith: sql<number>`(select count(*)::int from ${shares} where ${shares.trackerId} = ${trackers.id})`,
      boundCount: sql<number>`(select count(*)::int from ${trackerBindings} where ${trackerBindings.trackerId} = ${trackers.id})`,
    })
    .from(trackers)
    .innerJoin(users, eq(users.id, trackers.ownerId))
export type ShownTracker = Awaited<ReturnType<typeof selectShown>>[number]

/** The trackers that a statement may see. */
export interface TrackerScope {
  /** Null: all owners. */
  readonly ownerId: string | null
  /** Other people's trackers shared with the caller. */
  readonly sharedIds: readonly string[]
}

/** By name. */
export const listShown = (db: Queryable, { ownerId, sharedIds }: TrackerScope): Promise<ShownTracker[]> =>
  selectShown(db)
    .where(ownerId === null ? undefined : or(eq(trackers.ownerId, ownerId), inArray(trackers.id, [...sharedIds])))
    .orderBy(normalizeForSearch(trackers.name), asc(trackers.id))

/** @throws AppError not_found */
export async function getShown(db: Queryable, id: string): Promise<ShownTracker> {
  const [row] = await selectShown(db).where(eq(trackers.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** @throws AppError not_found */
export async function getRow(db: Queryable, id: string): Promise<TrackerRow> {
  const [row] = await db.select().from(trackers).where(eq(trackers.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Locked until the transaction ends, of any owner. @throws AppError not_found */
export async function lockRow(tx: Transaction, id: string): Promise<TrackerRow> {
  const [row] = await tx.select().from(trackers).where(eq(trackers.id, id)).for('update')
  if (row === undefined) throw new AppError('not_found')
  return row
}

/**
 * Locks the owner until the transaction ends, so that trackers are added and made default one after another.
 * @throws AppError not_found when the owner does not exist
 */
export async function lockOwner(tx: Transaction, ownerId: string): Promise<void> {
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update')
  if (row === undefined) throw new AppError('not_found')
}

export async function countOf(db: Queryable, ownerId: string): Promise<number> {
  const [row] = await db.select({ count: count() }).from(trackers).where(eq(trackers.ownerId, ownerId))
  return row?.count ?? 0
}

/** The owner's other trackers with an address. */
export const listAddressed = (db: Queryable, { id, ownerId }: Pick<TrackerRow, 'id' | 'ownerId'>) =>
  db
    .select({ name: trackers.name, url: trackers.url })
    .from(trackers)
    .where(and(eq(trackers.ownerId, ownerId), isNotNull(trackers.url), ne(trackers.id, id)))

/** The owner's default trackers, one of each existing kind. */
export const listDefaults = (db: Queryable, ownerId: string): Promise<TrackerRow[]> =>
  db
    .select()
    .from(trackers)
    .where(and(eq(trackers.ownerId, ownerId), eq(trackers.isDefault, true)))

export async function clearDefault(tx: Transaction, ownerId: string, kind: TrackerKind): Promise<void> {
  await tx
    .update(trackers)
    .set({ isDefault: false })
    .where(and(eq(trackers.ownerId, ownerId), eq(trackers.kind, kind), eq(trackers.isDefault, true)))
}

/** After the default is deleted, the oldest remaining tracker becomes the default. */
export async function promoteOldest(tx: Transaction, ownerId: string, kind: TrackerKind): Promise<void> {
  await tx.execute(sql`
    update trackers set is_default = true where id = (
      select id from trackers where owner_id = ${ownerId}::uuid and kind = ${kind} order by created_at, id limit 1)
    and not exists (select from trackers where owner_id = ${ownerId}::uuid and kind = ${kind} and is_default)`)
}

export const insertRow = async (db: Queryable, row: typeof trackers.$inferInsert): Promise<void> => {
  await db.insert(trackers).values(row)
}

export async function updateRow(db: Queryable, id: string, changes: Partial<TrackerRow>): Promise<void> {
  await db
    .update(trackers)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(trackers.id, id))
}

const isAsked = (row: Pick<TrackerRow, 'id' | 'url' | 'apiKeySealed'>) =>
  and(
    eq(trackers.id, row.id),
    sql`(${trackers.url}, ${trackers.apiKeySealed}) is not distinct from (${row.url}::text, ${row.apiKeySealed}::text)`,
  )

/** Locks the row until the transaction ends if address and key are those that were used; false otherwise, and when it is gone. */
export async function lockAsked(tx: Transaction, row: Pick<TrackerRow, 'id' | 'url' | 'apiKeySealed'>): Promise<boolean> {
  const rows = await tx.select({ id: trackers.id }).from(trackers).where(isAsked(row)).for('no key update')
  return rows.length > 0
}

/** Updates only while address and key are those that were used; otherwise the findings are obsolete. */
export async function updateFindings(
  db: Queryable,
  row: Pick<TrackerRow, 'id' | 'url' | 'apiKeySealed'>,
  changes: Partial<TrackerRow>,
): Promise<boolean> {
  const changed = await db.update(trackers).set(changes).where(isAsked(row)).returning({ id: trackers.id })
  return changed.length > 0
}

/** Deletes it with its mirror and bindings. */
export async function deleteRow(tx: Transaction, id: string): Promise<void> {
  await tx.delete(trackers).where(eq(trackers.id, id))
}

/** The zones bound in it, locked in id order like all zones. */
export const lockBoundZones = (tx: Transaction, id: string) =>
  tx.execute<RawRow<typeof zones, 'id' | 'name' | 'ownerId'>>(sql`
    select z.id, z.name, z.owner_id as "ownerId" from tracker_bindings b join zones z on z.id = b.zone_id
    where b.tracker_id = ${id}::uuid order by z.id for no key update of z`)
