import type { SqlTransaction } from '#server/db/client.ts'

/** Whether a process of the panel is connected to this database; commands that require a stopped panel connect under other names. */
export async function isPanelConnected(tx: SqlTransaction): Promise<boolean> {
  const rows = await tx`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and application_name ~ '^zonedeck( |$)' limit 1`
  return rows.length > 0
}
