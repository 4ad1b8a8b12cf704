import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { folded } from '#server/db/folded.ts'
import { accounts, groups, shares, users } from '#server/db/schema/index.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'

/** What is shared: exactly one of both. */
export interface ThingId {
  readonly groupId?: string | undefined
  readonly accountId?: string | undefined
}

/** Whose it is and what it is called; null where there is no such thing. */
export async function findThing(db: Queryable, { groupId, accountId }: ThingId) {
  if (groupId !== undefined) {
    const [row] = await db
      .select({ ownerId: groups.ownerId, name: groups.name })
      .from(groups)
      .where(eq(groups.id, groupId))
      .for('key share')
    return row === undefined ? null : { ...row, type: 'group' as const, groupId, accountId: null, id: groupId }
  }
  if (accountId === undefined) return null
  const [row] = await db
    .select({ ownerId: accounts.ownerId, name: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('key share')
  return row === undefined ? null : { ...row, type: 'account' as const, groupId: null, accountId, id: accountId }
}
export type SharedThing = NonNullable<Awaited<ReturnType<typeof findThing>>>

/** By username or email, in lower case. */
export async function findPerson(db: Queryable, login: string) {
  const [row] = await db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(or(eq(folded(users.username), folded(sql`${login}::text`)), sql`lower(${users.email}) = ${login}`))
    .for('key share')
  return row ?? null
}

const selectShown = (db: Queryable) =>
  db
    .select({
      id: shares.id,
      ownerId: shares.ownerId,
      groupId: shares.groupId,
      accountId: shares.accountId,
      level: shares.level,
      createdAt: shares.createdAt,
      userId: users.id,
      name: sql<string>`coalesce(${users.name}, ${users.username})`,
      username: users.username,
    })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.granteeId))
export type ShareRow = Awaited<ReturnType<typeof selectShown>>[number]

const ofThing = ({ groupId, accountId }: ThingId) =>
  groupId === undefined ? eq(shares.accountId, accountId ?? '') : eq(shares.groupId, groupId)

/** Those who have access to it, oldest first. */
export const listShares = (db: Queryable, thing: ThingId): Promise<ShareRow[]> =>
  selectShown(db).where(ofThing(thing)).orderBy(asc(shares.createdAt), asc(shares.id))

export async function findShare(db: Queryable, id: string): Promise<ShareRow | null> {
  const [row] = await selectShown(db).where(eq(shares.id, id))
  return row ?? null
}

/** What the person has; null for nothing. */
export async function findShareOf(db: Queryable, thing: ThingId, granteeId: string): Promise<ShareRow | null> {
  const [row] = await selectShown(db).where(and(ofThing(thing), eq(shares.granteeId, granteeId)))
  return row ?? null
}

/** Where the person has it already, at the new level. Returns its id. */
export async function upsertShare(
  tx: Transaction,
  { ownerId, groupId, accountId }: SharedThing,
  granteeId: string,
  level: ShareLevel,
): Promise<string> {
  const [row] = await tx
    .insert(shares)
    .values({ ownerId, groupId, accountId, granteeId, level })
    .onConflictDoUpdate({
      target: groupId === null ? [shares.granteeId, shares.accountId] : [shares.granteeId, shares.groupId],
      set: { level },
    })
    .returning({ id: shares.id })
  if (row === undefined) throw new Error('nothing was inserted')
  return row.id
}

export async function updateLevel(tx: Transaction, id: string, level: ShareLevel): Promise<void> {
  await tx.update(shares).set({ level }).where(eq(shares.id, id))
}

/** False where somebody else was first. */
export async function deleteShare(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.delete(shares).where(eq(shares.id, id)).returning({ id: shares.id })).length > 0
}
