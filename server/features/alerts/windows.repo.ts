import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { groups, maintenanceWindows, users, zones } from '#server/db/schema/index.ts'
import { windowRepeat } from '#shared/features/alerts/schema.ts'
import type { WindowRepeat } from '#shared/features/alerts/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'

export type WindowRow = typeof maintenanceWindows.$inferSelect

/** The stored repetition; an unreadable value means no repetition. */
export const readRepeat = (stored: unknown): WindowRepeat | null => windowRepeat.nullable().catch(null).parse(stored)

/** Includes repeating windows. */
const endsAfter = (after: Date) =>
  sql`(${maintenanceWindows.endsAt} > ${after.toISOString()}::timestamptz or (${maintenanceWindows.repeat} is not null
    and coalesce((${maintenanceWindows.repeat} ->> 'until')::timestamptz + (${maintenanceWindows.endsAt} - ${maintenanceWindows.startsAt}) > ${after.toISOString()}::timestamptz, true)))`

/** Windows that are active at some time after this one, ordered by first occurrence. */
export const listWindowsAfter = (db: Queryable, ownerId: string, after: Date, limit = 10_000): Promise<WindowRow[]> =>
  db
    .select()
    .from(maintenanceWindows)
    .where(and(eq(maintenanceWindows.ownerId, ownerId), endsAfter(after)))
    .orderBy(asc(maintenanceWindows.startsAt), asc(maintenanceWindows.id))
    .limit(limit)

/** A window's existing domains, ordered by name. */
export async function listNamed(
  db: Queryable,
  windowIds: readonly string[],
  most: number,
): Promise<Map<string, { readonly id: string; readonly name: string }[]>> {
  if (windowIds.length === 0) return new Map()
  const rows = await db.execute<{ windowId: string; id: string; name: string }>(sql`
    select w.id as window_id, z.id, z.name from maintenance_windows w
      cross join lateral (select id, name from zones where id = any(w.zone_ids) and owner_id = w.owner_id order by name, id limit ${most}) z
    where w.id = any(${sql.param([...windowIds])}::uuid[]) order by z.name, z.id`)
  return Map.groupBy(rows, (row) => row.windowId)
}

/** Locked until the transaction ends. @throws AppError not_found */
export async function lockWindow(tx: Transaction, id: string): Promise<WindowRow> {
  const [row] = await tx.select().from(maintenanceWindows).where(eq(maintenanceWindows.id, id)).for('update')
  if (row === undefined) throw new AppError('not_found')
  return row
}

export async function insertWindow(db: Queryable, row: typeof maintenanceWindows.$inferInsert): Promise<WindowRow> {
  const [inserted] = await db.insert(maintenanceWindows).values(row).returning()
  if (inserted === undefined) throw new Error('nothing was inserted')
  return inserted
}

export async function changeWindow(db: Queryable, id: string, changes: Partial<WindowRow>): Promise<WindowRow> {
  const [row] = await db.update(maintenanceWindows).set(changes).where(eq(maintenanceWindows.id, id)).returning()
  if (row === undefined) throw new AppError('not_found')
  return row
}

export const deleteWindow = async (db: Queryable, id: string): Promise<void> => {
  await db.delete(maintenanceWindows).where(eq(maintenanceWindows.id, id))
}

export const countOwnGroups = (db: Queryable, ownerId: string, ids: readonly string[]): Promise<number> =>
  db.$count(groups, and(eq(groups.ownerId, ownerId), inArray(groups.id, [...ids])))

export const countOwnZones = (db: Queryable, ownerId: string, ids: readonly string[]): Promise<number> =>
  db.$count(zones, and(eq(zones.ownerId, ownerId), inArray(zones.id, [...ids])))

export const isPerson = async (db: Queryable, id: string): Promise<boolean> => (await db.$count(users, eq(users.id, id))) === 1
