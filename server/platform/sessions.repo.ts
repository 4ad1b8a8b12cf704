import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Database, Queryable, Sql, RawRow } from '#server/db/client.ts'
import { sessions } from '#server/db/schema/index.ts'
import type { users } from '#server/db/schema/index.ts'
import type { SessionProof } from '#shared/features/auth/schema.ts'
import { defaultSessionDays } from '#shared/features/settings/choices.ts'

export type SessionRow = typeof sessions.$inferSelect

/** Maximum total lifetime of a session, from the current panel settings. */
const lifetime = sql`make_interval(days =>
  coalesce((select (value #>> '{}')::int from panel_settings where key = 'sessionDays'), ${defaultSessionDays}::int))`
/** Neither expired nor, after a change of the settings, older than permitted. */
const alive = sql`(${sessions.expiresAt} > now() and ${sessions.createdAt} + ${lifetime} > now())`

type FoundSession = RawRow<
  typeof sessions,
  'id' | 'userId' | 'expiresAt' | 'createdAt' | 'lastUsedAt' | 'verifiedAt' | 'verifiedBy' | 'address' | 'userAgent'
> &
  RawRow<typeof users, 'username' | 'name' | 'role'> & {
    isLast: boolean
    hasSecondFactor: boolean
    secondFactorDue: boolean
    hasGrants: boolean
  }

/** The given sessions with their users, in one prepared statement because every request depends on it. */
export async function listSessions({ sql: pool }: Database, ids: readonly string[]) {
  const rows = await pool<FoundSession[]>`
    select s.id, s.user_id, s.expires_at, s.expires_at >= s.created_at + l.lifetime as is_last, s.created_at, s.last_used_at, s.verified_at, s.verified_by, s.address, s.user_agent, u.username, u.name, u.role,
      ${hasSecondFactor(pool)} as has_second_factor,
      ${secondFactorDue(pool)} as second_factor_due,
      exists (select from shares g where g.grantee_id = u.id) as has_grants
    from sessions s join users u on u.id = s.user_id and u.disabled_at is null
    cross join (select make_interval(days =>
      coalesce((select (value #>> '{}')::int from panel_settings where key = 'sessionDays'), ${defaultSessionDays}::int)) as lifetime) l
    where s.id = any(${[...ids]}::text[]) and s.created_at + l.lifetime > now()`
  return rows.map((row) => ({
    session: {
      id: row.id,
      userId: row.userId,
      expiresAt: new Date(row.expiresAt),
      createdAt: new Date(row.createdAt),
      lastUsedAt: new Date(row.lastUsedAt),
      verifiedAt: new Date(row.verifiedAt),
      verifiedBy: row.verifiedBy,
      address: row.address,
      userAgent: row.userAgent,
    } satisfies SessionRow,
    /** The session ends with its lifetime and cannot be extended. */
    isLast: row.isLast,
    user: {
      id: row.userId,
      username: row.username,
      name: row.name,
      role: row.role,
      hasSecondFactor: row.hasSecondFactor,
      secondFactorDue: row.secondFactorDue,
      hasGrants: row.hasGrants,
    },
  }))
}

export const listSessionsOf = (db: Queryable, userId: string) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), alive))

/** Maximum sessions per person, more than needed in practice. The next one ends the least recently used. */
export const mostSessions = 200

export async function insertSession(db: Queryable, row: typeof sessions.$inferInsert & { expiresAt: Date }): Promise<void> {
  await db.insert(sessions).values({ ...row, expiresAt: sql`least(${row.expiresAt.toISOString()}::timestamptz, now() + ${lifetime})` })
  await db.execute(sql`
    delete from sessions where user_id = ${row.userId} and id <> ${row.id} and id in (
      select id from sessions where user_id = ${row.userId} order by last_used_at desc, id offset ${mostSessions})`)
}

/** Extends the expiry, but never beyond the maximum lifetime. */
export async function extendSession(db: Queryable, id: string, expiresAt: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ expiresAt: sql`least(${expiresAt.toISOString()}::timestamptz, ${sessions.createdAt} + ${lifetime})` })
    .where(eq(sessions.id, id))
}

export async function touchSessions(db: Queryable, ids: readonly string[], at: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastUsedAt: at })
    .where(inArray(sessions.id, [...ids]))
}

export async function verifySession(db: Queryable, id: string, at: Date, by: SessionProof): Promise<void> {
  await db.update(sessions).set({ verifiedAt: at, verifiedBy: by }).where(eq(sessions.id, id))
}

export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function deleteSessionsOf(db: Queryable, userId: string, except?: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except)))
}

/** Deletes the person's other sessions that were authenticated with the password only. Returns their number. */
export async function deletePasswordSessionsOf(db: Queryable, userId: string, except: string): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.verifiedBy, 'password'), ne(sessions.id, except)))
    .returning({ id: sessions.id })
  return ended.length
}

/** The last authentication method of the session; null if it has ended. Locked until the transaction ends. */
export async function lockProof(tx: Queryable, id: string): Promise<SessionProof | null> {
  const [row] = await tx.select({ verifiedBy: sessions.verifiedBy }).from(sessions).where(eq(sessions.id, id)).for('share')
  return row?.verifiedBy ?? null
}

export async function deleteExpiredSessions(db: Queryable): Promise<void> {
  await db.delete(sessions).where(sql`not ${alive}`)
}

/** Whether the user `u` of a statement has a second factor. */
export const hasSecondFactor = (sql: Sql) => sql`(
  exists (select from totp f where f.user_id = u.id and f.confirmed_at is not null)
  or exists (select from passkeys f where f.user_id = u.id))`

/** Whether the user `u` of a statement must set up a second factor; for queries that identify the caller. */
export const secondFactorDue = (sql: Sql) => sql`(
  case (select value #>> '{}' from panel_settings where key = 'twoFactor') when 'everyone' then true when 'admins' then u.role = 'admin' else false end
  and not ${hasSecondFactor(sql)})`
