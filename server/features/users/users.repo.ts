import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { normalizeForSearch } from '#server/db/columns.ts'
import { constraintOf } from '#server/db/driver-fault.ts'
import { accounts, challenges, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Disabling, listUsersInput, UserBelongings } from '#shared/features/users/schema.ts'

export type UserRow = typeof users.$inferSelect

// Drizzle omits the table name in statements with a single table, so these columns are written out.
const countOf = (table: string) => sql<number>`(select count(*)::int from ${sql.identifier(table)} x where x.owner_id = users.id)`
const tokensCount = sql<number>`(select count(*)::int from api_tokens t where t.user_id = users.id)`
/** From the maintained counts, never from the zones themselves. */
const domainsCount = sql<number>`(
  select coalesce(sum(n), 0)::int from (
    select c.n from zone_counts c where c.owner_id = users.id and c.kind = 1
    union all
    select c.n from zone_count_changes c where c.owner_id = users.id and c.kind = 1
  ) as counted)`

const selectShown = (db: Queryable) =>
  db
    .select({
      id: users.id,
      username: users.username,
      name: users.name,
      email: users.email,
      role: users.role,
      language: users.language,
      accountsCount: countOf('accounts'),
      domainsCount,
      groupsCount: countOf('groups'),
      registrarsCount: countOf('registrars'),
      secured: sql<boolean>`(exists (select from totp f where f.user_id = users.id and f.confirmed_at is not null)
        or exists (select from passkeys p where p.user_id = users.id))`,
      lastSeenAt: sql<string | null>`(select max(s.last_used_at) from sessions s where s.user_id = users.id)`,
      updatedAt: users.updatedAt,
      createdAt: users.createdAt,
      disabledAt: users.disabledAt,
      spendLimitUsd: users.spendLimitUsd,
    })
    .from(users)
export type ShownUser = Awaited<ReturnType<typeof selectShown>>[number]

/** By user name. */
export function listShown(db: Queryable, { role, state, ...filter }: z.output<typeof listUsersInput>) {
  const text = filter.search?.trim() ?? ''
  return selectShown(db)
    .where(
      and(
        role === undefined ? undefined : eq(users.role, role),
        state === undefined ? undefined : state === 'disabled' ? isNotNull(users.disabledAt) : isNull(users.disabledAt),
        text === ''
          ? undefined
          : sql`strpos(${normalizeForSearch(sql`concat_ws(e'\n', ${users.username}, ${users.name}, ${users.email})`)}, ${normalizeForSearch(sql`${text}::text`)}) > 0`,
      ),
    )
    .orderBy(normalizeForSearch(users.username), users.id)
}

/** @throws AppError not_found */
export async function getShown(db: Queryable, id: string): Promise<ShownUser> {
  const [row] = await selectShown(db).where(eq(users.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/**
 * Locks these users and every administrator until the transaction ends, in a fixed order, so that the last administrator is determined by
 * one transaction at a time.
 */
export const lockWithAdmins = (tx: Transaction, ids: readonly string[]): Promise<UserRow[]> =>
  tx
    .select()
    .from(users)
    .where(sql`${users.role} = 'admin' or ${inArray(users.id, [...ids])}`)
    .orderBy(users.id)
    .for('no key update')

/** Whether an enabled administrator remains among the locked users, without these. */
export const hasOtherAdmin = (locked: readonly UserRow[], without: ReadonlySet<string>): boolean =>
  locked.some(({ id, role, disabledAt }) => role === 'admin' && disabledAt === null && !without.has(id))

/**
 * The user's credentials, such as sessions and tokens.
 * @throws AppError not_found
 */
export async function countAccess(db: Queryable, id: string): Promise<Disabling> {
  const [row] = await db
    .select({
      sessions: sql<number>`(select count(*)::int from sessions s where s.user_id = users.id and s.expires_at > now())`,
      tokens: tokensCount,
      operations: sql<number>`(select count(*)::int from operations o
        where o.actor_id = users.id and o.state in ('queued', 'running', 'waiting'))`,
      calendarFeed: sql<boolean>`exists (select from calendar_feeds f where f.owner_id = users.id)`,
    })
    .from(users)
    .where(eq(users.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

const taken = {
  users_email_key: new AppError('email_taken', { issues: [{ path: 'email', message: 'email_taken' }] }),
  users_username_key: new AppError('username_taken', { issues: [{ path: 'username', message: 'username_taken' }] }),
} as const
const isTaken = (name: string | null): name is keyof typeof taken => name !== null && Object.hasOwn(taken, name)

/** @throws AppError email_taken, username_taken; the transaction must then be rolled back */
async function unique<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const name = constraintOf(error)
    throw isTaken(name) ? taken[name] : error
  }
}

/** @throws AppError email_taken, username_taken */
export async function insertUser(tx: Transaction, row: typeof users.$inferInsert): Promise<UserRow> {
  const [inserted] = await unique(tx.insert(users).values(row).returning())
  if (inserted === undefined) throw new Error('the user was not inserted')
  return inserted
}

/**
 * Every change has a later `updated_at` than the previous one.
 * @throws AppError email_taken, username_taken
 */
export async function updateUserRow(tx: Transaction, id: string, changes: Partial<UserRow>): Promise<void> {
  await unique(
    tx
      .update(users)
      .set({ ...changes, updatedAt: sql`greatest(now(), ${users.updatedAt} + interval '1 millisecond')` })
      .where(eq(users.id, id)),
  )
}

const purpose = 'password_reset'

/** Stores the person's only link; an earlier one becomes invalid. */
export async function replaceResetTicket(
  tx: Transaction,
  row: { readonly id: string; readonly userId: string; readonly expiresAt: Date },
): Promise<void> {
  await tx.delete(challenges).where(and(eq(challenges.userId, row.userId), eq(challenges.purpose, purpose)))
  await tx.insert(challenges).values({ ...row, purpose })
}

const goodTicket = (id: string, now: Date) => and(eq(challenges.id, id), eq(challenges.purpose, purpose), gt(challenges.expiresAt, now))

export async function hasResetTicket(db: Queryable, id: string, now: Date): Promise<boolean> {
  return (await db.select({ id: challenges.id }).from(challenges).where(goodTicket(id, now))).length > 0
}

/** The owner of the link, for one of concurrent uses; null for the others. */
export async function takeResetTicket(tx: Transaction, id: string, now: Date): Promise<UserRow | null> {
  const [ticket] = await tx.delete(challenges).where(goodTicket(id, now)).returning({ userId: challenges.userId })
  if (ticket === undefined || ticket.userId === null) return null
  const [row] = await tx.select().from(users).where(eq(users.id, ticket.userId)).for('no key update')
  return row ?? null
}

/**
 * All of these, by user name.
 * @throws AppError not_found if one does not exist
 */
export async function listBelongings(db: Queryable, ids: readonly string[]): Promise<UserBelongings[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const rows = await db
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      accounts: countOf('accounts'),
      domains: domainsCount,
      groups: countOf('groups'),
      profiles: countOf('profiles'),
      operations: sql<number>`(select count(*)::int from operations o
        where o.owner_id = users.id and o.state in ('queued', 'running', 'waiting', 'paused'))`,
      tokens: tokensCount,
      shares: countOf('shares'),
    })
    .from(users)
    .where(inArray(users.id, wanted))
    .orderBy(normalizeForSearch(users.username))
  if (rows.length !== wanted.length) throw new AppError('not_found')
  return rows
}

/** Deletes the user with all their data. Accounts first, so that their domains leave no group before they are deleted. */
export async function deleteUsers(tx: Transaction, ids: readonly string[]): Promise<void> {
  const theirs = inArray(accounts.ownerId, [...ids])
  await tx.select({ id: accounts.id }).from(accounts).where(theirs).orderBy(accounts.id).for('update')
  await tx.delete(accounts).where(theirs)
  await tx.delete(users).where(inArray(users.id, [...ids]))
}
