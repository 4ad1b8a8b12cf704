import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema/index.ts'
import type { TableLayout } from '#shared/features/me/layout.ts'

export type UserRow = typeof users.$inferSelect

export async function findUser(db: Queryable, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row ?? null
}

export async function findUserForUpdate(tx: Transaction, id: string): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
  return row ?? null
}

/** False if the password is no longer that of `before`. */
export async function replacePassword(tx: Transaction, id: string, before: string, after: string): Promise<boolean> {
  const changed = await tx
    .update(users)
    .set({ passwordHash: after, updatedAt: sql`greatest(now(), ${users.updatedAt} + interval '1 millisecond')` })
    .where(and(eq(users.id, id), eq(users.passwordHash, before)))
    .returning({ id: users.id })
  return changed.length > 0
}

/** Active sessions, last used first. */
export const listSessions = (db: Queryable, userId: string) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt), sessions.id)

/** Null if the person has no such session. */
export async function deleteSession(tx: Transaction, userId: string, id: string) {
  const [row] = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ address: sessions.address, userAgent: sessions.userAgent })
  return row ?? null
}

export async function readLayouts(db: Queryable, id: string): Promise<unknown> {
  const [row] = await db.select({ layouts: users.tableLayouts }).from(users).where(eq(users.id, id))
  return row?.layouts
}

/** False if the maximum number of tables would be exceeded. */
export async function replaceLayout(db: Queryable, id: string, table: string, layout: TableLayout | null, most: number): Promise<boolean> {
  const layouts = users.tableLayouts
  const after =
    layout === null
      ? sql`${layouts} - ${table}::text`
      : sql`${layouts} || jsonb_build_object(${table}::text, ${JSON.stringify(layout)}::jsonb)`
  const changed = await db
    .update(users)
    .set({ tableLayouts: after })
    .where(and(eq(users.id, id), sql`(select count(*) from jsonb_object_keys(${after})) <= ${most}`))
    .returning({ id: users.id })
  return changed.length > 0
}
