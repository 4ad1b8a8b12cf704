import { and, eq, gt, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { folded } from '#server/db/folded.ts'
import { sessions, users } from '#server/db/schema/index.ts'

export type UserRow = typeof users.$inferSelect

const registrationLock = 7_201_540_312

/** Held until the transaction ends: who is first, and which names are free, is decided by one at a time. */
export async function lockRegistration(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${registrationLock})`)
}

export async function hasUsers(db: Queryable): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).limit(1)
  return found.length > 0
}

/** `email` in lower case. */
export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email))
  return row ?? null
}

/** Whether this person is signed in from this very address. */
export async function hasSessionFrom(db: Queryable, userId: string, address: string | null): Promise<boolean> {
  if (address === null) return false
  const found = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.address, address), gt(sessions.expiresAt, sql`now()`)))
    .limit(1)
  return found.length > 0
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row ?? null
}

/** In lower case. */
export async function listUsernamesFrom(db: Queryable, base: string): Promise<Set<string>> {
  const rows = await db
    .select({ username: sql<string>`${folded(users.username)}` })
    .from(users)
    .where(sql`starts_with(${folded(users.username)}, ${base})`)
  return new Set(rows.map((row) => row.username))
}

export async function insertUser(db: Queryable, row: typeof users.$inferInsert): Promise<UserRow> {
  const [inserted] = await db.insert(users).values(row).returning()
  if (inserted === undefined) throw new Error('the user was not inserted')
  return inserted
}

export async function updatePassword(db: Queryable, id: string, passwordHash: string): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, id))
}
