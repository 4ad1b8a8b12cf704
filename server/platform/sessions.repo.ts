import { and, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema/index.ts'

export type SessionRow = typeof sessions.$inferSelect

/** The given sessions with the people behind them, in one statement. */
export const listSessions = (db: Queryable, ids: readonly string[]) =>
  db
    .select({
      session: sessions,
      user: { id: users.id, username: users.username, name: users.name, role: users.role },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(inArray(sessions.id, [...ids]))

export const listSessionsOf = (db: Queryable, userId: string) => db.select().from(sessions).where(eq(sessions.userId, userId))

export async function insertSession(db: Queryable, row: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(row)
}

/** Moves the end, but never beyond `lifetimeMs` after the sign-in. */
export async function extendSession(db: Queryable, id: string, expiresAt: Date, lifetimeMs: number): Promise<void> {
  await db
    .update(sessions)
    .set({
      expiresAt: sql`least(${expiresAt.toISOString()}::timestamptz, ${sessions.createdAt} + ${lifetimeMs} * interval '1 millisecond')`,
    })
    .where(eq(sessions.id, id))
}

export async function touchSessions(db: Queryable, ids: readonly string[], at: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastUsedAt: at })
    .where(inArray(sessions.id, [...ids]))
}

export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function deleteSessionsOf(db: Queryable, userId: string, except?: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except)))
}

export async function deleteExpiredSessions(db: Queryable, now: Date): Promise<void> {
  await db.delete(sessions).where(lte(sessions.expiresAt, now))
}
