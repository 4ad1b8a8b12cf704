import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'

const iso = (at: number) => new Date(at).toISOString()
const parts = 16
const width = 256 / parts

/** How far aggregation has progressed, milliseconds since 1970; null: never run. */
export async function findDoneUntil(db: Queryable, name: string): Promise<number | null> {
  const [row] = await db.execute<{ at: number }>(
    sql`select extract(epoch from done_until)::float8 * 1000 as at from monitor_chores where name = ${name}`,
  )
  return row?.at ?? null
}

export async function writeDoneUntil(db: Queryable, name: string, at: number): Promise<void> {
  await db.execute(sql`
    insert into monitor_chores (name, done_until) values (${name}, ${iso(at)}::timestamptz)
    on conflict (name) do update set done_until = excluded.done_until`)
}

/** Aggregates the hours of a day (UTC) in batches of domains. Idempotent. */
export async function rollUpDay({ orm }: Pick<Database, 'orm'>, day: number, signal: AbortSignal): Promise<void> {
  const [from, to] = [iso(day), iso(day + 86_400_000)]
  const mean = (column: string) =>
    sql.raw(`(sum(${column}::bigint * (checks - failed)) filter (where ${column} is not null)
      / nullif(sum(checks - failed) filter (where ${column} is not null), 0))::smallint`)
  const [some] = await orm.execute<{ some: boolean }>(
    sql`select exists(select from check_hours where hour >= ${from}::timestamptz and hour < ${to}::timestamptz) as some`,
  )
  if (some?.some !== true) return
  for (let part = 0; part < parts && !signal.aborted; part += 1) {
    const edge = (at: number) => `${(at * width).toString(16).padStart(2, '0')}000000-0000-0000-0000-000000000000`
    const upper = part === parts - 1 ? sql`` : sql`and zone_id < ${edge(part + 1)}::uuid`
    await orm.execute(sql`
      insert into check_days as d (zone_id, region, day, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms)
      select zone_id, region, ${from}::timestamptz, least(sum(checks), 32767)::smallint, least(sum(failed), 32767)::smallint, ${mean('dns_ms')},
        ${mean('connect_ms')}, ${mean('tls_ms')}, ${mean('first_byte_ms')}, ${mean('total_ms')}, max(max_total_ms)
      from check_hours where hour >= ${from}::timestamptz and hour < ${to}::timestamptz and zone_id >= ${edge(part)}::uuid ${upper}
      group by zone_id, region
      on conflict (zone_id, day, region) do update set checks = excluded.checks, failed = excluded.failed, dns_ms = excluded.dns_ms,
        connect_ms = excluded.connect_ms, tls_ms = excluded.tls_ms, first_byte_ms = excluded.first_byte_ms, total_ms = excluded.total_ms,
        max_total_ms = excluded.max_total_ms
      where (d.checks, d.failed, d.total_ms) is distinct from (excluded.checks, excluded.failed, excluded.total_ms)`)
  }
}
