import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { normalizeForSearch } from '#server/db/columns.ts'
import { contacts } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors/app-error.ts'

export type ContactRow = typeof contacts.$inferSelect

/** The default first, then by name; `ownerId` null: all owners. */
export const listContactRows = (db: Queryable, ownerId: string | null): Promise<ContactRow[]> =>
  db
    .select()
    .from(contacts)
    .where(ownerId === null ? undefined : eq(contacts.ownerId, ownerId))
    .orderBy(desc(contacts.isDefault), normalizeForSearch(contacts.name), contacts.id)

/** @throws AppError not_found */
export async function getContactRow(db: Queryable, id: string): Promise<ContactRow> {
  const [row] = await db.select().from(contacts).where(eq(contacts.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Locked until the transaction ends. @throws AppError not_found */
export async function lockContact(tx: Transaction, id: string): Promise<ContactRow> {
  const [row] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('update')
  if (row === undefined) throw new AppError('not_found')
  return row
}

export async function hasContactName(db: Queryable, ownerId: string, name: string, exceptId: string): Promise<boolean> {
  const rows = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.ownerId, ownerId), eq(contacts.name, name), ne(contacts.id, exceptId)))
  return rows.length > 0
}

/** Removes the owner's previous default. */
export async function clearDefault(tx: Transaction, ownerId: string): Promise<void> {
  await tx
    .update(contacts)
    .set({ isDefault: false })
    .where(and(eq(contacts.ownerId, ownerId), eq(contacts.isDefault, true)))
}

/** False when the owner already has a contact of this name, or another default was set concurrently. */
export async function insertContact(tx: Transaction, row: typeof contacts.$inferInsert): Promise<boolean> {
  return (await tx.insert(contacts).values(row).onConflictDoNothing().returning({ id: contacts.id })).length > 0
}

export async function updateContactRow(tx: Transaction, id: string, changes: Partial<ContactRow>): Promise<void> {
  await tx
    .update(contacts)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(contacts.id, id))
}

export async function deleteContact(tx: Transaction, id: string): Promise<void> {
  await tx.delete(contacts).where(eq(contacts.id, id))
}
