import { sql } from 'drizzle-orm'
import type { disappearances } from '#server/db/schema/index.ts'
import type { Queryable, RawRow } from '#server/db/client.ts'
import { secondListSeconds } from './disappearance.policy.ts'

/** The account or registrar whose list it is. */
export interface Subject {
  readonly kind: 'account' | 'registrar'
  readonly id: string
}

const columnOf = ({ kind }: Subject) => sql.identifier(`${kind}_id`)

/** `stillThere`: how many of the sample still existed, which means the list was wrong. */
type HeldDisappearance = RawRow<typeof disappearances, 'keys' | 'keptAt' | 'stillThere'> & {
  /** Seconds until a second list may confirm it, by the database's clock; 0 if it may now. */
  readonly secondsLeft: number
}

export async function findHeld(db: Queryable, subject: Subject): Promise<HeldDisappearance | null> {
  const [row] = await db.execute<HeldDisappearance>(sql`
    select keys, kept_at, still_there, greatest(0, ceil(extract(epoch from found_at - now()) + ${secondListSeconds}))::int as seconds_left
    from disappearances where ${columnOf(subject)} = ${subject.id}::uuid`)
  return row ?? null
}

type FoundDisappearance = Pick<typeof disappearances.$inferSelect, 'known' | 'sampled' | 'stillThere'> & {
  readonly keys: readonly string[]
  /** The waiting time for the second list starts with this one. */
  readonly begins: boolean
}

export async function storeHeld(
  db: Queryable,
  subject: Subject,
  { keys, known, sampled, stillThere, begins }: FoundDisappearance,
): Promise<void> {
  await db.execute(sql`
    insert into disappearances (${columnOf(subject)}, keys, known, sampled, still_there)
    values (${subject.id}::uuid, array(select json_array_elements_text(${JSON.stringify(keys)}::text::json)), ${known}, ${sampled}, ${stillThere})
    on conflict (${columnOf(subject)}) do update set keys = excluded.keys, known = excluded.known, sampled = excluded.sampled,
      still_there = excluded.still_there, found_at = case when ${begins} then now() else disappearances.found_at end`)
}

/** @returns the held keys; null if nothing was held */
export async function takeHeld(db: Queryable, subject: Subject): Promise<readonly string[] | null> {
  const [row] = await db.execute<{ keys: string[] }>(
    sql`delete from disappearances where ${columnOf(subject)} = ${subject.id}::uuid returning keys`,
  )
  return row?.keys ?? null
}

/** @returns whether anything is held */
export async function keepHeld(db: Queryable, subject: Subject, by: string): Promise<boolean> {
  const rows = await db.execute(
    sql`update disappearances set kept_at = now(), kept_by = ${by} where ${columnOf(subject)} = ${subject.id}::uuid returning id`,
  )
  return rows.length > 0
}

/** The held names, the first ones in alphabetical order, and the total. */
export async function listMissingNames(db: Queryable, { kind, id }: Subject, limit: number): Promise<{ names: string[]; missing: number }> {
  const rows = await db.execute<{ name: string; missing: number }>(
    kind === 'account'
      ? sql`select z.name, count(*) over ()::int as missing from zones z
          where z.account_id = ${id}::uuid and z.gone_at is null
            and z.zone_id = any (select unnest(keys) from disappearances where account_id = ${id}::uuid) order by z.name limit ${limit}`
      : sql`select name, count(*) over ()::int as missing from (select unnest(keys) as name from disappearances where registrar_id = ${id}::uuid) k
          order by name limit ${limit}`,
  )
  return { names: rows.map(({ name }) => name), missing: rows[0]?.missing ?? 0 }
}
