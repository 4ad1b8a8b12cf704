import postgres from 'postgres'
import type { Database, Sql } from '#server/db/client.ts'

/**
 * Locks that PostgreSQL releases on its own when this process dies or loses its connection, because they belong to one
 * connection that does nothing else.
 */
export interface AdvisoryLocks {
  /** Takes as many of the free keys as `limit` allows, in their order, and says which. Never waits. */
  tryLock(keys: readonly string[], limit: number): Promise<string[]>
  unlock(key: string): Promise<void>
  /** Statements on the connection that holds the locks: an answer shows that they were held. */
  readonly sql: Sql
  /** Aborts when the connection went, and every lock with it: what they guarded must stop. Open new ones then. */
  readonly lost: AbortSignal
  /** Gives every lock back. */
  close(): Promise<void>
}

const keepaliveSeconds = 5

export function openAdvisoryLocks(db: Database): AdvisoryLocks {
  const lost = new AbortController()
  // The pool's own settings, as the driver does it for `listen`; a pool would recycle the connection, and the locks with it.
  const sql = postgres({
    ...(db.sql.options as unknown as postgres.Options<Record<string, never>>),
    max: 1,
    idle_timeout: null as never,
    max_lifetime: null,
    fetch_types: false,
    keep_alive: keepaliveSeconds,
    // A host that vanished without a word lets its locks go within half a minute; over a socket file these mean nothing.
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
 * Runs `work` for each of these that no other process works on, all concurrently. Its signal aborts when the locks are lost: somebody else may work on it then.
 * @param what begins the locks' names, so that different works do not meet
 * @returns how many there were
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
