import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import type { processClocks } from '#server/db/schema/index.ts'

/** The database's time with millisecond precision: the one clock that all processes share. */
export const now = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** For waits and ages compared between processes, whose own clocks differ. */
export async function readNow(db: Queryable): Promise<Date> {
  const [row] = await db.execute<{ ms: number }>(sql`select extract(epoch from ${now})::float8 * 1000 as ms`)
  return new Date(Math.round(row?.ms ?? Number.NaN))
}

/** `skewMs`: milliseconds ahead of the database's clock; negative if behind. */
export type ProcessClock = Readonly<Pick<typeof processClocks.$inferSelect, 'host' | 'role' | 'skewMs' | 'measuredAt'>>

/** A larger error is shown, reported and logged. */
export const toleratedSkewMs = 5_000

/** Running processes only: each measures every minute. */
export const runningClocks = sql`select host, role, id, skew_ms, measured_at from process_clocks where measured_at > now() - interval '3 minutes'`

/** Also deletes processes that ended without reporting it. */
export async function storeProcessClock(
  db: Queryable,
  id: string,
  { host, role, skewMs }: Omit<ProcessClock, 'measuredAt'>,
): Promise<void> {
  await db.execute(sql`
    with gone as (delete from process_clocks where measured_at < now() - interval '1 hour' and id <> ${id}::uuid)
    insert into process_clocks (id, host, role, skew_ms) values (${id}::uuid, ${host}, ${role}, ${skewMs}::bigint)
    on conflict (id) do update set skew_ms = excluded.skew_ms, measured_at = now()`)
}

export async function deleteProcessClock(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`delete from process_clocks where id = ${id}::uuid`)
}

export async function listProcessClocks(db: Queryable): Promise<ProcessClock[]> {
  const rows = await db.execute<{ host: string; role: string; skewMs: string; measuredAt: string }>(sql`
    select host, role, skew_ms, measured_at from (${runningClocks}) c order by host, role, id`)
  return rows.map(({ host, role, skewMs, measuredAt }) => ({
    host,
    role,
    skewMs: Number(skewMs),
    measuredAt: new Date(measuredAt),
  }))
}
