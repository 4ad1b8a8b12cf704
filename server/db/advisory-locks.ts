import postgres from 'postgres'
import type { Database, Sql } from '#server/db/client.ts'

/**
 * Locks that PostgreSQL releases when this process dies or loses its connection, because they belong to one connection used for nothing
 * else.
 */
export interface AdvisoryLocks {
  /** Acquires up to `limit` of the free keys, in order, and returns them. Never waits. */
  tryLock(keys: readonly string[], limit: number): Promise<string[]>
  unlock(key: string): Promise<void>
  /** Statements on the connection that holds the locks: a response proves that they were held. */
  readonly sql: Sql
  /** Aborts when the connection is lost, and every lock with it: work under the locks must stop. Open new ones then. */
  readonly lost: AbortSignal
  /** Releases every lock. */
  close(): Promise<void>
}

const keepaliveSeconds = 5

export function openAdvisoryLocks(db: Database): AdvisoryLocks {
  const lost = new AbortController()
  // The pool's own settings, as the driver uses for `listen`; a pool would recycle the connection, and the locks with it.
  const sql = postgres({
    ...(db.sql.options as unknown as postgres.Options<Record<string, never>>),
    max: 1,
    idle_timeout: null as never,
    max_lifetime: null,
    fetch_types: false,
    keep_alive: keepaliveSeconds,
    // Locks of a host that vanished are released within half a minute; no effect over a Unix socket.
    connection: {
      ...db.sql.options.connection,
      tcp_keepalives_idle: String(keepaliveSeconds),
      tcp_keepalives_interval: String(keepaliveSeconds),
      tcp_keepalives_count: '3',
    },
    onclose: () => lost.abort(new Error('the connection that held the locks was closed')),
  })
  return {
    lost: lost.signal,
    sql,
    async tryLock(keys, limit) {
      if (keys.length === 0 || limit <= 0) return []
      const rows = await sql<{ key: string }[]>`
        select key from json_array_elements_text(${JSON.stringify(keys)}::text::json) as key
        where pg_try_advisory_lock(hashtextextended(key, 0)) limit ${limit}`
      lost.signal.throwIfAborted()
      return rows.map((row) => row.key)
    },
    async unlock(key) {
      if (lost.signal.aborted) return
      await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.catch((error: unknown) => {
        if (!lost.signal.aborted) throw error
      })
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

/**
 * Runs `work` concurrently for each of these keys that no other process works on. Its signal aborts when the locks are lost, because
 * another process may then take over.
 * @param what prefix of the lock names, so that different kinds of work do not collide
 * @returns the number of keys that were worked on
 */
export async function whileLocked(
  db: Database,
  what: string,
  ids: readonly string[],
  work: (id: string, lost: AbortSignal) => Promise<void>,
): Promise<number> {
  const locks = openAdvisoryLocks(db)
  try {
    const idOf = new Map(ids.map((id) => [`${what}:${id}`, id]))
    const mine = await locks.tryLock([...idOf.keys()], ids.length)
    await Promise.all(mine.map((key) => work(idOf.get(key) ?? key, locks.lost)))
    return mine.length
  } finally {
    await locks.close()
  }
}
