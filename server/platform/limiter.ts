import type { Sql } from '#server/db/client.ts'

/** The state of a limit after counting a call. */
export interface Limit {
  /** Attempts per window. */
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** The limits that applied to one request, by key; reported with its response. */
export type Limits = Map<string, Limit>

/** Counts attempts in PostgreSQL, so that several processes share the limits. */
export interface Limiter {
  /**
   * Counts one attempt, or as many as it `weighs`; above the limit it must be refused. `remaining`: attempts left; `retryAfterSeconds`:
   * until the window ends.
   */
  take(
    key: string,
    limit: number,
    windowMs: number,
    weighs?: number,
  ): Promise<{ readonly allowed: boolean; readonly remaining: number; readonly retryAfterSeconds: number }>
  /**
   * Permits `burst` attempts and then one per `everyMs`. Refused attempts are not counted, so that repeated attempts do not extend the wait
   * of others.
   */
  pace(
    key: string,
    burst: number,
    everyMs: number,
  ): Promise<{ readonly allowed: boolean; readonly remaining: number; readonly retryAfterSeconds: number }>
  /** Returns one attempt of each key, because it does not count towards the limit. */
  giveBack(...keys: string[]): Promise<void>
  givePaceBack(key: string, everyMs: number): Promise<void>
  forget(key: string): Promise<void>
  /** Deletes all keys with this prefix. */
  forgetAll(prefix: string): Promise<void>
  /** Deletes expired windows. */
  sweep(): Promise<void>
}

export function createLimiter(sql: Sql): Limiter {
  return {
    async take(key, limit, windowMs, weighs = 1) {
      const [row] = await sql<{ count: number; left: number }[]>`
        insert into attempts as a (key, count, resets_at) values (${key}, ${weighs}::int, now() + ${windowMs} * interval '1 millisecond')
        on conflict (key) do update set
          count = case when a.resets_at <= now() then excluded.count else a.count + excluded.count end,
          resets_at = case when a.resets_at <= now() then excluded.resets_at else a.resets_at end
        returning count, ceil(round(extract(epoch from resets_at - now()), 2))::int as left`
      if (row === undefined) throw new Error('the limiter returned no row')
      return {
        allowed: row.count <= limit,
        remaining: Math.max(0, limit - row.count),
        retryAfterSeconds: Math.min(Math.max(1, row.left), Math.ceil(windowMs / 1000)),
      }
    },
    async pace(key, burst, everyMs) {
      // `resets_at` is when all attempts are available again; `count` is whether this one was permitted. `now()` would be the time before
      // the wait for a concurrent attempt, to which that one would seem to lie in the future.
      const [row] = await sql<{ allowed: boolean; leftMs: number }[]>`
        insert into attempts as a (key, count, resets_at) values (${key}, 1, clock_timestamp() + ${everyMs} * interval '1 millisecond')
        on conflict (key) do update set (count, resets_at) = (
          select case when next.at <= next.most then 1 else 0 end, case when next.at <= next.most then next.at else a.resets_at end
          from (select greatest(a.resets_at, clock_timestamp()) + ${everyMs} * interval '1 millisecond' as at,
            clock_timestamp() + ${burst * everyMs} * interval '1 millisecond' as most) next)
        returning count = 1 as allowed, extract(epoch from resets_at - clock_timestamp())::float8 * 1000 as left_ms`
      if (row === undefined) throw new Error('the limiter returned no row')
      const { allowed, leftMs } = row
      return {
        allowed,
        remaining: allowed ? Math.max(0, Math.floor((burst * everyMs - Math.floor(leftMs)) / everyMs)) : 0,
        retryAfterSeconds: Math.min(Math.max(1, Math.ceil((Math.floor(leftMs) - (burst - 1) * everyMs) / 1000)), Math.ceil(everyMs / 1000)),
      }
    },
    async givePaceBack(key, everyMs) {
      await sql`update attempts set resets_at = resets_at - ${everyMs} * interval '1 millisecond' where key = ${key}`
    },
    async giveBack(...keys) {
      // Locked in a fixed order to avoid deadlocks.
      await sql`
        with held as materialized (select key from attempts where key = any(${keys}::text[]) and count > 0 order by key for update)
        update attempts a set count = a.count - 1 from held where a.key = held.key`
    },
    async forget(key) {
      await sql`delete from attempts where key = ${key}`
    },
    async forgetAll(prefix) {
      await sql`delete from attempts where starts_with(key, ${prefix})`
    },
    async sweep() {
      await sql`delete from attempts where resets_at <= now()`
    },
  }
}
