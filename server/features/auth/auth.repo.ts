import { eq, sql } from 'drizzle-orm'
import type { Database, Queryable, RawRow, Transaction } from '#server/db/client.ts'
import { normalizeForSearch } from '#server/db/columns.ts'
import { users } from '#server/db/schema/index.ts'

export type UserRow = typeof users.$inferSelect

const registrationLock = 7_201_540_312

/** Locked until the transaction ends: the first user and free names are decided by one transaction at a time. */
export async function lockRegistration(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${registrationLock})`)
}

export async function hasUsers(db: Queryable): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).limit(1)
  return found.length > 0
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
  return row ?? null
}

/** The data needed for a sign-in. */
export type SignInRow = Pick<UserRow, 'id' | 'username' | 'email' | 'name' | 'role' | 'passwordHash' | 'createdAt' | 'disabledAt'>

/**
 * The user with this email (in lower case), and whether they are signed in from this address. One prepared statement, because the password
 * hash takes most of the time budget.
 */
export async function findSignIn({ sql: pool }: Database, email: string, address: string | null) {
  const [row] = await pool<(RawRow<typeof users, keyof SignInRow> & { familiar: boolean })[]>`
    select u.id, u.username, u.email, u.name, u.role, u.password_hash, u.created_at, u.disabled_at,
      exists (select from sessions s where s.user_id = u.id and s.address = ${address}::text and s.expires_at > now()) as familiar
    from users u where lower(u.email) = ${email}`
  if (row === undefined) return { user: null, familiar: false }
  const { passwordHash, createdAt, disabledAt, familiar, ...user } = row
  const at = { createdAt: new Date(createdAt), disabledAt: disabledAt === null ? null : new Date(disabledAt) }
  return { user: { ...user, ...at, passwordHash } satisfies SignInRow, familiar }
}

/** The data a sign-in depends on, locked until the transaction ends; null if the user was deleted. */
export async function lockSignIn(tx: Transaction, id: string) {
  const hasFactor = sql<boolean>`(exists (select from totp where user_id = ${id}) or exists (select from passkeys where user_id = ${id}))`
  const [locked] = await tx
    .select({ passwordHash: users.passwordHash, disabledAt: users.disabledAt })
    .from(users)
    .where(eq(users.id, id))
    .for('share')
  if (locked === undefined) return null
  // A separate statement: one that waited for the lock would see the factors as they were before.
  const [factors] = await tx.select({ hasFactor }).from(users).where(eq(users.id, id))
  return { ...locked, hasFactor: factors?.hasFactor === true }
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row ?? null
}

/** In lower case. */
export async function listUsernamesFrom(db: Queryable, base: string): Promise<Set<string>> {
  const rows = await db
    .select({ username: sql<string>`${normalizeForSearch(users.username)}` })
    .from(users)
    .where(sql`starts_with(${normalizeForSearch(users.username)}, ${base})`)
  return new Set(rows.map((row) => row.username))
}

export async function updatePassword(db: Queryable, id: string, passwordHash: string): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, id))
}
