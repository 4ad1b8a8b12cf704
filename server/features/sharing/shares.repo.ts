import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { normalizeForSearch } from '#server/db/columns.ts'
import { accounts, groups, registrars, shares, trackers, users } from '#server/db/schema/index.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'

/** Shareable objects by their column: the entity type in the activity log, and the column with the name. */
const shareable = {
  groupId: { type: 'group', table: groups, label: groups.name },
  accountId: { type: 'account', table: accounts, label: accounts.email },
  registrarId: { type: 'registrar', table: registrars, label: registrars.name },
  trackerId: { type: 'tracker', table: trackers, label: trackers.name },
} as const
type ShareTargetKey = keyof typeof shareable
const keys = Object.keys(shareable) as ShareTargetKey[]

/** The id of the shared object: exactly one of them. */
export type ShareTarget = { readonly [Key in ShareTargetKey]?: string | null | undefined }

const keyOf = (target: ShareTarget): ShareTargetKey | undefined => keys.find((key) => target[key] != null)

/** The owner and name; null if the object does not exist. */
export async function findShareTarget(db: Queryable, given: ShareTarget) {
  const key = keyOf(given)
  const id = key === undefined ? null : (given[key] ?? null)
  if (key === undefined || id === null) return null
  const { type, label } = shareable[key]
  const table: (typeof shareable)[ShareTargetKey]['table'] = shareable[key].table
  const [row] = await db.select({ ownerId: table.ownerId, name: label }).from(table).where(eq(table.id, id)).for('key share')
  return row === undefined ? null : { ...row, type, key, id, [key]: id }
}
export type SharedObject = NonNullable<Awaited<ReturnType<typeof findShareTarget>>>

/** By username or email, in lower case. */
export async function findPerson(db: Queryable, login: string) {
  const [row] = await db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(or(eq(normalizeForSearch(users.username), normalizeForSearch(sql`${login}::text`)), sql`lower(${users.email}) = ${login}`))
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
      registrarId: shares.registrarId,
      trackerId: shares.trackerId,
      level: shares.level,
      createdAt: shares.createdAt,
      userId: users.id,
      name: sql<string>`coalesce(${users.name}, ${users.username})`,
      username: users.username,
    })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.granteeId))
export type ShareRow = Awaited<ReturnType<typeof selectShown>>[number]

function matchesTarget(target: ShareTarget) {
  const key = keyOf(target)
  return key === undefined ? sql`false` : eq(shares[key], target[key] ?? '')
}

/** The grants of the object, oldest first. */
export const listShares = (db: Queryable, target: ShareTarget): Promise<ShareRow[]> =>
  selectShown(db).where(matchesTarget(target)).orderBy(asc(shares.createdAt), asc(shares.id))

export async function findShare(db: Queryable, id: string): Promise<ShareRow | null> {
  const [row] = await selectShown(db).where(eq(shares.id, id))
  return row ?? null
}

/** The person's grant; null if there is none. */
export async function findShareOf(db: Queryable, target: ShareTarget, granteeId: string): Promise<ShareRow | null> {
  const [row] = await selectShown(db).where(and(matchesTarget(target), eq(shares.granteeId, granteeId)))
  return row ?? null
}

/** Changes the level of an existing grant. Returns its id. */
export async function upsertShare(
  tx: Transaction,
  { ownerId, key, id }: SharedObject,
  granteeId: string,
  level: ShareLevel,
): Promise<string> {
  const [row] = await tx
    .insert(shares)
    .values({ ownerId, granteeId, level, [key]: id })
    .onConflictDoUpdate({ target: [shares.granteeId, shares[key]], set: { level } })
    .returning({ id: shares.id })
  if (row === undefined) throw new Error('nothing was inserted')
  return row.id
}

export async function updateLevel(tx: Transaction, id: string, level: ShareLevel): Promise<void> {
  await tx.update(shares).set({ level }).where(eq(shares.id, id))
}

/** False if a concurrent request was first. */
export async function deleteShare(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.delete(shares).where(eq(shares.id, id)).returning({ id: shares.id })).length > 0
}
