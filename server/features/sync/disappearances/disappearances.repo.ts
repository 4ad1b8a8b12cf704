import { sql } from 'drizzle-orm'
import type { disappearances } from '#server/db/schema/index.ts'
import type { Queryable, RawRow, Transaction } from '#server/db/client.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { nextListSeconds } from '#shared/features/sync/disappearances/confirmations.ts'
import type { DisappearanceDecision } from '#shared/features/sync/disappearances/schema.ts'

/** The account or registrar whose list it is. */
export interface Subject {
  readonly kind: 'account' | 'registrar'
  readonly id: string
}

const columnOf = ({ kind }: Subject) => sql.identifier(`${kind}_id`)

/** `stillThere`: how many of the sample still existed, which means the list was wrong. */
type HeldDisappearance = RawRow<typeof disappearances, 'keys' | 'keptAt' | 'stillThere' | 'confirmations'> & {
  /** Seconds until the next list may confirm it, by the database's clock; 0 if it may now. */
  readonly secondsLeft: number
}

export async function findHeld(db: Queryable, subject: Subject): Promise<HeldDisappearance | null> {
  const [row] = await db.execute<HeldDisappearance>(sql`
    select keys, kept_at, still_there, confirmations,
      greatest(0, ceil(extract(epoch from coalesce(confirmed_at, found_at) - now()) + ${nextListSeconds}))::int as seconds_left
    from disappearances where ${columnOf(subject)} = ${subject.id}::uuid`)
  return row ?? null
}

/** Whether a person has to decide whether this one is gone, or has decided to keep it; null if neither. */
export async function findHold(db: Queryable, subject: Subject, key: string): Promise<'undecided' | 'kept' | null> {
  const [row] = await db.execute<{ isKept: boolean }>(
    sql`select kept_at is not null as is_kept from disappearances where ${columnOf(subject)} = ${subject.id}::uuid and ${key} = any(keys)`,
  )
  if (row === undefined) return null
  return row.isKept ? 'kept' : 'undecided'
}

type FoundDisappearance = Pick<typeof disappearances.$inferSelect, 'known' | 'sampled' | 'stillThere'> & {
  readonly keys: readonly string[]
  /** The waiting time for the next list starts with this one. */
  readonly begins: boolean
  /** This list confirms the earlier ones. */
  readonly confirms: boolean
  /** An earlier decision to keep no longer applies. */
  readonly asks: boolean
}

export async function storeHeld(
  db: Queryable,
  subject: Subject,
  { keys, known, sampled, stillThere, begins, confirms, asks }: FoundDisappearance,
): Promise<void> {
  await db.execute(sql`
    insert into disappearances (${columnOf(subject)}, keys, known, sampled, still_there)
    values (${subject.id}::uuid, array(select json_array_elements_text(${JSON.stringify(keys)}::text::json)), ${known}, ${sampled}, ${stillThere})
    on conflict (${columnOf(subject)}) do update set keys = excluded.keys, known = excluded.known, sampled = excluded.sampled,
      still_there = excluded.still_there, found_at = case when ${begins} then now() else disappearances.found_at end,
      confirmations = case when ${begins} then 0 else disappearances.confirmations + ${confirms ? 1 : 0}::int end,
      confirmed_at = case when ${begins} then null when ${confirms} then now() else disappearances.confirmed_at end,
      kept_at = case when ${asks} then null else disappearances.kept_at end, kept_by = case when ${asks} then null else disappearances.kept_by end`)
}

/**
 * Locks what is held.
 * @throws AppError nothing_to_do if nothing is held, conflict if it is not what was shown
 */
export async function lockHeld(tx: Transaction, subject: Subject, shown: DisappearanceDecision['shown']): Promise<void> {
  const [row] = await tx.execute<{ isSame: boolean }>(sql`
    select ${shown === undefined} or (found_at = ${shown?.foundAt ?? null}::timestamptz and cardinality(keys) = ${shown?.missing ?? null}::int) as is_same
    from disappearances where ${columnOf(subject)} = ${subject.id}::uuid for update`)
  if (row === undefined) throw new AppError('nothing_to_do')
  if (!row.isSame) throw new AppError('conflict')
}

/** @returns the held keys; null if nothing was held */
export async function takeHeld(db: Queryable, subject: Subject): Promise<readonly string[] | null> {
  const [row] = await db.execute<{ keys: string[] }>(
    sql`delete from disappearances where ${columnOf(subject)} = ${subject.id}::uuid returning keys`,
  )
  return row?.keys ?? null
}

export async function keepHeld(db: Queryable, subject: Subject, by: string): Promise<void> {
  await db.execute(sql`update disappearances set kept_at = now(), kept_by = ${by} where ${columnOf(subject)} = ${subject.id}::uuid`)
}

const heldKeys = ({ kind, id }: Subject) =>
  sql`select unnest(keys) as key from disappearances where ${columnOf({ kind, id })} = ${id}::uuid`

const namesOf = {
  account: (subject: Subject) => sql`
    select z.name from zones z where z.account_id = ${subject.id}::uuid and z.gone_at is null and z.zone_id in (${heldKeys(subject)})`,
  registrar: (subject: Subject) => sql`select key as name from (${heldKeys(subject)}) held`,
}

/** The held domains, the first ones in alphabetical order, and the total. */
export async function listMissingNames(db: Queryable, subject: Subject, limit: number): Promise<{ names: string[]; missing: number }> {
  const rows = await db.execute<{ name: string; missing: number }>(sql`
    select name, count(*) over ()::int as missing from (${namesOf[subject.kind](subject)}) missing order by name limit ${limit}`)
  return { names: rows.map(({ name }) => name), missing: rows[0]?.missing ?? 0 }
}
