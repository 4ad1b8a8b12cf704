import type { Database } from '#server/db/client.ts'

const dayMs = 86_400_000
/** Retention of hours and days. */
export const hoursKeptMs = 14 * dayMs
export const daysKeptMs = 400 * dayMs
const iso = (at: number) => new Date(at).toISOString()

/** Creates missing partitions between two times (milliseconds since 1970, both inclusive). */
export async function ensurePartitions({ sql }: Pick<Database, 'sql'>, from: number, to: number): Promise<void> {
  const until = iso(to)
  await sql`select ensure_partition('check_hours', 'day', d) from generate_series(date_trunc('day', ${iso(from)}::timestamptz), ${until}::timestamptz, '1 day') d`
  await sql`select ensure_partition('check_days', 'month', m) from generate_series(date_trunc('month', ${iso(from)}::timestamptz), ${until}::timestamptz, '1 month') m`
}

/** Creates partitions a few days ahead, so that checks never wait for one, and back as far as a view may have sums. */
export const preparePartitions = (db: Pick<Database, 'sql'>, now: number): Promise<void> =>
  ensurePartitions(db, now - hoursKeptMs, now + 3 * dayMs)

/** Whether the error is a row without a partition for its time. */
export function isWithoutPartition(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === '23514') || isWithoutPartition(error.cause)
}

/** Drops partitions of hours and days that ended earlier. @returns the number of tables dropped */
export async function dropPartitions({ sql }: Pick<Database, 'sql'>, hoursBefore: number, daysBefore: number): Promise<number> {
  const old = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where (i.inhparent = 'check_hours'::regclass and c.relname < 'check_hours_' || to_char(${iso(hoursBefore)}::timestamptz at time zone 'UTC', 'YYYYMMDD'))
      or (i.inhparent = 'check_days'::regclass and c.relname < 'check_days_' || to_char(${iso(daysBefore)}::timestamptz at time zone 'UTC', 'YYYYMM'))`
  for (const { name } of old) await sql`drop table if exists ${sql(name)}`
  return old.length
}
