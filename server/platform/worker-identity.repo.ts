import type { Sql, SqlTransaction } from '#server/db/client.ts'

export async function insertHeartbeat(sql: Sql, worker: number, kind: string): Promise<void> {
  await sql`insert into workers (worker, kind, session) values (${worker}, ${kind}, current_setting('application_name'))`
}

/** False if another worker has taken over. */
export async function updateHeartbeat(sql: Sql, worker: number): Promise<boolean> {
  return (await sql`update workers set seen_at = now() where worker = ${worker} returning worker`).length > 0
}

export async function deleteHeartbeat(sql: Sql, worker: number): Promise<void> {
  await sql`delete from workers where worker = ${worker}`
}

/** Deletes rows of workers that ended without holding work. */
export async function deleteOldHeartbeats(sql: Sql): Promise<void> {
  await sql`delete from workers where seen_at < now() - interval '1 day'`
}

/** Seconds after which the work of a worker without heartbeats is taken over even if it still holds its lock. */
export const hungSeconds = 20
/**
 * A worker that lost its connection may have sent its last heartbeat so recently that it may still write (`writableForMs`). Its work is
 * left in place until it certainly does not.
 */
const silentSeconds = 3.5

/**
 * Whether a worker is dead: its lock is free and its heartbeat is overdue, or the heartbeat is long overdue. Terminates its connection, so
 * that it cannot return; call it in the transaction that takes over its work.
 * @param lockKey of the advisory lock that it holds while connected
 */
export async function endWorker(tx: SqlTransaction, worker: number, lockKey: string, hungAfterMs = hungSeconds * 1000): Promise<boolean> {
  const [heartbeat] = await tx<{ silent: boolean; hung: boolean }[]>`
    select seen_at < now() - ${silentSeconds} * interval '1 second' as silent,
      seen_at < now() - ${hungAfterMs} * interval '1 millisecond' as hung
    from workers where worker = ${worker} for update`
  if (heartbeat?.hung !== true) {
    if (heartbeat?.silent === false) return false
    const [lock] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(hashtextextended(${lockKey}, 0)) as free`
    if (lock?.free !== true) return false
  }
  await endSessions(tx, worker)
  await tx`delete from workers where worker = ${worker}`
  return true
}

/**
 * A process suspended between the parts of one statement keeps its transaction open, and PostgreSQL does not count it as idle
 * (`idle_in_transaction_session_timeout` does not apply): its locks would be held as long as the process hangs.
 */
async function endSessions(tx: SqlTransaction, worker: number): Promise<void> {
  await tx`
    select pg_terminate_backend(pid) from pg_stat_activity join workers on session = application_name
    where worker = ${worker} and datname = current_database() and application_name <> current_setting('application_name')`
}
