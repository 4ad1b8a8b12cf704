import type { Sql } from '#server/db/client.ts'

/** How a caller stands to a limit that a call of theirs was counted against. */
export interface Limit {
  /** Tries in a window. */
  readonly limit: number
  readonly remaining: number
  /** Until the window is over. */
  readonly resetSeconds: number
}

/** The limits that one request met, by their keys; reported with its answer. */
export type Limits = Map<string, Limit>

/** Counts tries in PostgreSQL, so that several processes count together. */
export interface Limiter {
  /** Counts one try, or as many as it `weighs`. Where it is one too many it must be refused. `remaining`: tries that are left; `retryAfterSeconds`: until the window is over. */
  take(
    key: string,
    limit: number,
    windowMs: number,
    weighs?: number,
  ): Promise<{ readonly allowed: boolean; readonly remaining: number; readonly retryAfterSeconds: number }>
  /**
   * Lets `burst` tries through and then one in every `everyMs`. One that is refused counts for nothing, so that who keeps trying does not
   * keep others out for longer.
   */
  pace(
    key: string,
    burst: number,
    everyMs: number,
  ): Promise<{ readonly allowed: boolean; readonly remaining: number; readonly retryAfterSeconds: number }>
  /** Takes one try of each back: it was not one of those that are limited. */
  giveBack(...keys: string[]): Promise<void>
  givePaceBack(key: string, everyMs: number): Promise<void>
  forget(key: string): Promise<void>
  /** Those of which the key begins so. */
  forgetAll(prefix: string): Promise<void>
  /** Forgets windows that are over. */
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
      // `resets_at` is when all tries are there again; `count` whether this one was let through.
      const [row] = await sql<{ allowed: boolean; leftMs: number }[]>`
        insert into attempts as a (key, count, resets_at) values (${key}, 1, now() + ${everyMs} * interval '1 millisecond')
        on conflict (key) do update set (count, resets_at) = (
          select case when next.at <= next.most then 1 else 0 end, case when next.at <= next.most then next.at else a.resets_at end
          from (select greatest(a.resets_at, now()) + ${everyMs} * interval '1 millisecond' as at,
            now() + ${burst * everyMs} * interval '1 millisecond' as most) next)
        returning count = 1 as allowed, extract(epoch from resets_at - now())::float8 * 1000 as left_ms`
      if (row === undefined) throw new Error('the limiter returned no row')
      const { allowed, leftMs } = row
      return {
        allowed,
        remaining: allowed ? Math.max(0, Math.floor((burst * everyMs - Math.floor(leftMs)) / everyMs)) : 0,
        // Tries side by side know their times a moment apart.
        retryAfterSeconds: Math.min(Math.max(1, Math.ceil((Math.floor(leftMs) - (burst - 1) * everyMs) / 1000)), Math.ceil(everyMs / 1000)),
      }
    },
    async givePaceBack(key, everyMs) {
      await sql`update attempts set resets_at = resets_at - ${everyMs} * interval '1 millisecond' where key = ${key}`
    },
    async giveBack(...keys) {
      // Locked in one order, so that two at the same time never wait for each other.
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
