import { sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'

/** The database's time with millisecond precision: the one clock that all processes share. */
export const now = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** For waits and ages compared between processes, whose own clocks differ. */
export async function readNow(db: Queryable): Promise<Date> {
  const [row] = await db.execute<{ ms: number }>(sql`select extract(epoch from ${now})::float8 * 1000 as ms`)
  return new Date(Math.round(row?.ms ?? Number.NaN))
}
