import { and, asc, eq, ilike, inArray, ne, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { normalizeForSearch, personLabelSql } from '#server/db/columns.ts'
import { registrars, shares, users, zones } from '#server/db/schema/index.ts'
import { shownDisappearance } from '#server/db/shown-disappearance.ts'
import { escapeLike } from '#shared/text.ts'
import { AppError } from '#shared/errors/app-error.ts'

export { readNow } from '#server/platform/process-clocks.repo.ts'
export { toDisappearance } from '#server/db/shown-disappearance.ts'

export type RegistrarRow = typeof registrars.$inferSelect

const selectShown = (db: Queryable) =>
  db
    .select({
      registrar: registrars,
      disappearance: shownDisappearance('registrarId', registrars.id),
      ownerName: personLabelSql,
      sharedWith: sql<number>`(select count(*)::int from ${shares} where ${shares.registrarId} = ${registrars.id})`,
      domainsCount: sql<number>`(select count(*)::int from ${zones} where ${zones.registrarId} = ${registrars.id})`,
    })
    .from(registrars)
    .innerJoin(users, eq(users.id, registrars.ownerId))
export type ShownRegistrar = Awaited<ReturnType<typeof selectShown>>[number]

/** Columns searched: the names of the registrar, its company and its account. */
const searched = [registrars.name, registrars.company, registrars.provider, registrars.accountEmail] as const

/** The registrars that a statement may see. */
export interface RegistrarScope {
  /** Null: all owners. */
  readonly ownerId: string | null
  /** Other people's registrars shared with the caller. */
  readonly sharedIds: readonly string[]
}

/** A condition on registrars `r`. */
export const inScope = ({ ownerId, sharedIds }: RegistrarScope) =>
  ownerId === null
    ? sql`true`
    : sharedIds.length === 0
      ? sql`r.owner_id = ${ownerId}::uuid`
      : sql`(r.owner_id = ${ownerId}::uuid or r.id = any(${sql.param([...sharedIds])}::uuid[]))`

/** By name. */
export const listShown = (db: Queryable, { ownerId, sharedIds }: RegistrarScope, search: string): Promise<ShownRegistrar[]> =>
  selectShown(db)
    .where(
      and(
        ownerId === null ? undefined : or(eq(registrars.ownerId, ownerId), inArray(registrars.id, [...sharedIds])),
        search === '' ? undefined : or(...searched.map((column) => ilike(sql`${column}::text`, `%${escapeLike(search)}%`))),
      ),
    )
    .orderBy(normalizeForSearch(registrars.name), asc(registrars.id))

/** @throws AppError not_found */
export async function getShown(db: Queryable, id: string): Promise<ShownRegistrar> {
  const [row] = await selectShown(db).where(eq(registrars.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** @throws AppError not_found */
export async function getRow(db: Queryable, id: string): Promise<RegistrarRow> {
  const [row] = await db.select().from(registrars).where(eq(registrars.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Locked until the transaction ends, in id order to avoid deadlocks; of any owner. */
export const lockRows = (tx: Transaction, ids: readonly string[]): Promise<RegistrarRow[]> =>
  tx
    .select()
    .from(registrars)
    .where(inArray(registrars.id, [...ids]))
    .orderBy(asc(registrars.id))
    .for('update')

/**
 * The owner's other registrar with this credential. The owner is locked until the transaction ends, so that it is not added concurrently.
 * @returns its name
 */
export async function findDuplicate(tx: Transaction, row: Pick<RegistrarRow, 'id' | 'ownerId' | 'credentialHash'>): Promise<string | null> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, row.ownerId)).for('no key update')
  const [duplicate] = await tx
    .select({ name: registrars.name })
    .from(registrars)
    .where(
      and(
        eq(registrars.ownerId, row.ownerId),
        eq(registrars.type, 'API_ENABLED'),
        eq(registrars.credentialHash, row.credentialHash),
        ne(registrars.id, row.id),
      ),
    )
  return duplicate?.name ?? null
}

export const insertRow = async (db: Queryable, row: typeof registrars.$inferInsert): Promise<void> => {
  await db.insert(registrars).values(row)
}

export async function updateRow(db: Queryable, id: string, changes: Partial<RegistrarRow>): Promise<void> {
  await db
    .update(registrars)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(registrars.id, id))
}

/** Updates only while the credential is the one that was used; otherwise the findings are obsolete. */
export async function updateFindings(
  db: Queryable,
  row: Pick<RegistrarRow, 'id' | 'credentialHash'>,
  changes: Partial<RegistrarRow>,
): Promise<boolean> {
  const changed = await db
    .update(registrars)
    .set(changes)
    .where(and(eq(registrars.id, row.id), eq(registrars.credentialHash, row.credentialHash)))
    .returning({ id: registrars.id })
  return changed.length > 0
}

export async function deleteRows(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.delete(registrars).where(inArray(registrars.id, [...ids]))
}

/** How many domains are attached to each, and the first of their names. */
export async function listAttached(
  db: Queryable,
  ids: readonly string[],
): Promise<readonly { readonly registrarId: string; readonly count: number; readonly names: readonly string[] }[]> {
  return db.execute<{ registrarId: string; count: number; names: string[] }>(sql`
    select z.registrar_id as "registrarId", count(*)::int as count, (array_agg(z.name order by z.name))[1:20] as names
    from zones z where z.registrar_id = any(${sql.param([...ids])}::uuid[]) group by z.registrar_id`)
}
