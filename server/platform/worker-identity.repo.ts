import type { Sql, SqlTransaction } from '#server/db/client.ts'

export async function insertHeartbeat(sql: Sql, worker: number, kind: string): Promise<void> {
  await sql`insert into workers (worker, kind, session) values (${worker}, ${kind}, current_setting('application_name'))`
}

/** False where somebody has taken over what this worker held. */
export async function updateHeartbeat(sql: Sql, worker: number): Promise<boolean> {
  return (await sql`update workers set seen_at = now() where worker = ${worker} returning worker`).length > 0
}

export async function deleteHeartbeat(sql: Sql, worker: number): Promise<void> {
  await sql`delete from workers where worker = ${worker}`
}

/** Rows of workers that ended while they held nothing. */
export async function deleteOldHeartbeats(sql: Sql): Promise<void> {
  await sql`delete from workers where seen_at < now() - interval '1 day'`
}

/** Seconds after which the work of a worker that still holds its lock is taken over. */
export const hungSeconds = 20
/**
 * A worker that lost its connection may have seen its last heartbeat so lately that it still writes (`writableForMs`). Its work is left in place until it
 * certainly does not.
 */
const silentSeconds = 3.5

/**
 * Whether a worker is gone: its lock is free and its heartbeat silent, or it has not shown a heartbeat for long. Ends it, so that it cannot come back:
 * to be asked in the transaction that takes its work over.
 * @param lockKey of the advisory lock that it holds while it is connected
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
 * A process that stops between the parts of one statement keeps its transaction open, and PostgreSQL does not count it as idle
 * (`idle_in_transaction_session_timeout` does not end it): what it locked would stay locked for as long as the process hangs.
 */
async function endSessions(tx: SqlTransaction, worker: number): Promise<void> {
  await tx`
    select pg_terminate_backend(pid) from pg_stat_activity join workers on session = application_name
    where worker = ${worker} and datname = current_database() and application_name <> current_setting('application_name')`
}
