import { sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'

/** The database's time as the driver reads it, to the millisecond: the one clock that all processes share. */
export const now = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** For waits and ages that several processes reckon with: their own clocks differ. */
export async function readNow(db: Queryable): Promise<Date> {
  const [row] = await db.execute<{ ms: number }>(sql`select extract(epoch from ${now})::float8 * 1000 as ms`)
  return new Date(Math.round(row?.ms ?? Number.NaN))
}
