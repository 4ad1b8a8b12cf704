import { finished } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { checkRights } from '#server/db/check-rights.ts'
import { connect, isPanelConnected } from '#server/db/client.ts'
import { copyInto, quoted } from '#server/db/copy.ts'
import type { Database, Queryable, SqlTransaction, Transaction } from '#server/db/client.ts'
import { listForeign, migrate, rebuild } from '#server/db/migrate.ts'
import { panelSettings } from '#server/db/schema/index.ts'
import { backupState } from '#shared/features/settings/schema.ts'
import type { BackupState } from '#shared/features/settings/schema.ts'

export { isRefusedRow } from '#server/db/driver-fault.ts'
export { compareHistory, HistoryDiverged, listApplied } from '#server/db/migration-history.ts'

export interface StoredTable {
  readonly name: string
  /** In column order, without generated columns. */
  readonly columns: readonly string[]
  /** Tables whose rows must exist first. */
  readonly refersTo: readonly string[]
}

interface Partition {
  readonly name: string
  readonly parent: string
  readonly bound: string
}

/** The panel's tables; partitions belong to their tables. */
export const listTables = (tx: SqlTransaction) => tx<StoredTable[]>`
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    coalesce((select array_agg(distinct r.relname::text) from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '{}') as "refersTo"
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

/** Range partitions, which the panel creates over time. */
export const listPartitions = (tx: SqlTransaction) => tx<Partition[]>`
  select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
  where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`

/** A consistent snapshot, regardless of concurrent writes. */
export const inSnapshot = <T>({ sql }: Database, work: (tx: SqlTransaction) => Promise<T>): Promise<T> =>
  sql.begin('isolation level repeatable read read only', (tx) => patiently(tx, work)) as Promise<T>

/**
 * The rows of a table in COPY text format, one per line. Stopping early leaves the connection usable. The driver (postgres 3.4.9) pauses
 * its connection while the reader is behind, never resumes it if the last rows arrived in the meantime, and refuses other statements before that
 * end: so the rest is always read, and the connection resumed once.
 */
export async function* readRows(tx: SqlTransaction, { name, columns }: Pick<StoredTable, 'name' | 'columns'>): AsyncGenerator<Buffer> {
  const rows = await tx.unsafe(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) to stdout`).readable()
  rows.once('end', () => rows._read(0))
  try {
    for await (const row of rows.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield row
  } finally {
    if (!rows.readableEnded && !rows.destroyed) await finished(rows.resume()).catch(() => undefined)
  }
}

/** Writes the output of `readRows`. Triggers are disabled, because the rows include what they would derive. */
export const writeRows = (
  tx: SqlTransaction,
  table: Pick<StoredTable, 'name' | 'columns'>,
  rows: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> => copyInto(tx, table, rows, signal)

export async function setTriggers(tx: SqlTransaction, tables: readonly string[], how: 'enable' | 'disable'): Promise<void> {
  for (const name of tables) await tx.unsafe(`alter table ${quoted(name)} ${how} trigger user`)
}

/** Including rows inserted by migrations. */
export async function emptyTables(tx: SqlTransaction, tables: readonly string[]): Promise<void> {
  await tx.unsafe(`truncate ${tables.map(quoted).join(', ')}`)
}

/** `bound` is checked by the format. */
export async function createPartition(tx: SqlTransaction, { name, parent, bound }: Partition): Promise<void> {
  await tx.unsafe(`create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${bound}`)
}

/** Encrypted values, by table and column; existing ones only. */
export async function countEncrypted(
  tx: SqlTransaction,
  tables: readonly StoredTable[],
): Promise<{ readonly what: string; readonly count: number }[]> {
  const counts: { what: string; count: number }[] = []
  for (const { name, columns } of tables)
    for (const column of columns.filter((each) => each.endsWith('_sealed'))) {
      const [row] = await tx.unsafe<{ count: number }[]>(`select count(${quoted(column)})::int as count from ${quoted(name)}`)
      if (row !== undefined && row.count > 0) counts.push({ what: `${name}.${column}`, count: row.count })
    }
  return counts
}

interface Occupancy {
  /** Objects that a restore would drop although they are not the panel's, such as `view by_day`. */
  readonly foreign: readonly string[]
  readonly hasPeople: boolean
}

/** The content of the target database before a restore. */
export async function readOccupancy(tx: SqlTransaction): Promise<Occupancy> {
  return { foreign: await listForeign(tx), hasPeople: await hasPeople(tx, await listTables(tx)) }
}

/** Whether any user exists. */
export const hasPeople = async (tx: SqlTransaction, tables: readonly StoredTable[]): Promise<boolean> =>
  tables.some(({ name }) => name === 'users') && (await tx`select from users limit 1`).length > 0

export async function readDatabaseSize({ sql }: Database): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`select pg_database_size(current_database()) as bytes`
  return Number(row?.bytes)
}

export const refuseMissingRights = (tx: SqlTransaction): Promise<void> => checkRights(tx)
export const isInUse = (tx: SqlTransaction): Promise<boolean> => isPanelConnected(tx)

export const startOver = (tx: SqlTransaction, migrations: number): Promise<void> => rebuild(tx, migrations)
export const bringUp = (url: string): Promise<void> => migrate(url)
export const open = (url: string, name: string): Database => connect(url, { max: 2, name })
export const inTransaction = <T>({ sql }: Database, work: (tx: SqlTransaction) => Promise<T>): Promise<T> =>
  sql.begin((tx) => patiently(tx, work)) as Promise<T>

/** A file may be slow, so such a transaction may wait for it. */
async function patiently<T>(tx: SqlTransaction, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
  await tx`set local idle_in_transaction_session_timeout = 0`
  return work(tx)
}

/** Stored with the panel's settings under a reserved name. */
const stateKey = 'backups'

export async function findState(db: Queryable): Promise<BackupState | null> {
  const [row] = await db.select({ value: panelSettings.value }).from(panelSettings).where(eq(panelSettings.key, stateKey))
  return row === undefined ? null : backupState.parse(row.value)
}

export async function storeState(tx: Transaction, value: BackupState): Promise<void> {
  const changes = { value, updatedAt: new Date() }
  await tx.insert(panelSettings).values({ key: stateKey, value }).onConflictDoUpdate({ target: panelSettings.key, set: changes })
}
