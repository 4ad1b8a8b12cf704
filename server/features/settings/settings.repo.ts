import { inArray, sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '#server/db/client.ts'
import { accounts, panelSettings } from '#server/db/schema/index.ts'

/** All stored settings, by name. */
export async function listStored(db: Queryable): Promise<Record<string, unknown>> {
  const rows = await db.select({ key: panelSettings.key, value: panelSettings.value }).from(panelSettings)
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Serializes changes until the transaction ends; readers are not blocked. */
export async function lockSettings(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table panel_settings in share row exclusive mode`)
}

export async function storeSettings(tx: Transaction, values: Readonly<Record<string, unknown>>): Promise<void> {
  await tx
    .insert(panelSettings)
    .values(Object.entries(values).map(([key, value]) => ({ key, value })))
    .onConflictDoUpdate({ target: panelSettings.key, set: { value: sql`excluded.value`, updatedAt: sql`now()` } })
}

/** Whether PostgreSQL knows the time zone too: its list may have another version. */
export async function knowsTimeZone(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.execute(sql`select from pg_timezone_names where name = ${name} limit 1`)
  return rows.length > 0
}

export async function readDatabaseState({ sql: pool }: Database): Promise<{ version: string; sizeBytes: number }> {
  const [row] = await pool<{ version: string; sizeBytes: string }[]>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes`
  if (row === undefined) throw new Error('the database returned no row')
  return { version: row.version, sizeBytes: Number(row.sizeBytes) }
}

interface QueueState {
  readonly running: number
  readonly waiting: number
  readonly paused: number
  readonly items: number
  readonly since: Date | null
}

/** Unfinished operations. Their counts are aggregated as they run; one that has not started has none. */
export async function readQueueState({ sql: pool }: Database): Promise<QueueState> {
  const [row] = await pool<(Omit<QueueState, 'since'> & { since: string | null })[]>`
    select (count(*) filter (where state = 'running'))::int as running,
      (count(*) filter (where state in ('queued', 'waiting')))::int as waiting,
      (count(*) filter (where state = 'paused'))::int as paused,
      coalesce(sum(case when counts = '{}' then total else
        coalesce((counts->>'pending')::int, 0) + coalesce((counts->>'running')::int, 0) + coalesce((counts->>'waiting')::int, 0) end), 0)::int as items,
      min(created_at) filter (where state <> 'paused') as since
    from operations where state in ('queued', 'running', 'waiting', 'paused')`
  if (row === undefined) throw new Error('the database returned no row')
  return { ...row, since: row.since === null ? null : new Date(row.since) }
}

/** With their encrypted keys: a budget is found by its provider's user or, if unknown, by the credential. */
export const listBudgetCallers = (db: Queryable, ids: readonly string[]) =>
  db
    .select({
      id: accounts.id,
      email: accounts.email,
      kind: accounts.kind,
      apiKeySealed: accounts.apiKeySealed,
      providerUserId: accounts.providerUserId,
    })
    .from(accounts)
    .where(inArray(accounts.id, [...ids]))
