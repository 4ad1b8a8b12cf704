import { z } from 'zod'
import type { SqlTransaction } from '#server/db/client.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { backupEnd, backupHeader, keyCheckContext, keyCheckText, tableEnd, tableStart } from './backup-format.ts'
import type { BackupHeader } from './backup-format.ts'
import { broken, withBackup } from './backup-reader.ts'
import type { BackupReader } from './backup-reader.ts'
import {
  bringUp,
  countEncrypted,
  createPartition,
  emptyTables,
  inTransaction,
  isInUse,
  isRefusedRow,
  listTables,
  open,
  readOccupancy,
  refuseMissingRights,
  setTriggers,
  startOver,
  writeRows,
} from './backup.repo.ts'
import type { StoredTable } from './backup.repo.ts'
import { countKnown, verifyBackup } from './verify-backup.ts'

interface RestoredBackup {
  /** The version and time of the backup. */
  readonly version: string
  readonly createdAt: string
  readonly tables: number
  readonly rows: number
  /** Null if the current key decrypts the secrets; otherwise what cannot be read without the other key. */
  readonly unreadable: readonly { readonly what: string; readonly count: number }[] | null
}

interface RestoreOptions {
  readonly url: string
  readonly path: string
  readonly secrets: Pick<Secrets, 'decrypt'>
  /** Overwrites existing data. */
  readonly force: boolean
  /** Aborts, with everything unchanged. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Restores the database to the state of the backup, and migrates it to this version. All or nothing: after a failure the database is
 * unchanged.
 * @throws Error if the file cannot be read, is damaged or of a newer version, the user lacks rights, the panel is running on the database,
 * or the database is not empty and `force` is not set
 */
export async function restoreBackup({ url, path, secrets, force, signal }: RestoreOptions): Promise<RestoredBackup> {
  // Before anything is locked: a damaged file is refused without touching the database.
  await verifyBackup(path, signal)
  const db = open(url, 'zonedeck-restore')
  try {
    const restored = await inTransaction(db, async (tx) => {
      await refuseUsed(tx, force)
      return await withBackup(path, signal, (reader) => restoreInto(tx, reader, { secrets, signal }))
    })
    await bringUp(url)
    return restored
  } finally {
    await db.close()
  }
}

class TakenBack extends Error {
  readonly restored: RestoredBackup

  constructor(restored: RestoredBackup) {
    super('a restore on trial was taken back')
    this.restored = restored
  }
}

/**
 * Restores a backup into an empty database and rolls back: nothing remains, even if the process is killed.
 * @throws Error like `restoreBackup`
 */
export async function tryRestore({ url, path, secrets, signal }: Omit<RestoreOptions, 'force'>): Promise<RestoredBackup> {
  await verifyBackup(path, signal)
  const db = open(url, 'zonedeck-restore')
  try {
    return await inTransaction(db, async (tx) => {
      await refuseUsed(tx, false)
      throw new TakenBack(await withBackup(path, signal, (reader) => restoreInto(tx, reader, { secrets, signal })))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.restored
    throw error
  } finally {
    await db.close()
  }
}

async function refuseUsed(tx: SqlTransaction, force: boolean): Promise<void> {
  await refuseMissingRights(tx)
  if (await isInUse(tx)) throw new Error('the panel is running on this database; stop all of its processes first')
  const { foreign, hasPeople } = await readOccupancy(tx)
  if (foreign.length > 0)
    throw new Error(`the database contains objects that do not belong to the panel (${foreign.join(', ')}); use a separate database`)
  if (hasPeople && !force) throw new Error('the database is not empty; --force deletes its contents')
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each) => other.includes(each))

function canDecrypt(secrets: Pick<Secrets, 'decrypt'>, { keyCheck }: BackupHeader): boolean {
  try {
    return secrets.decrypt(keyCheck, keyCheckContext) === keyCheckText
  } catch {
    return false
  }
}

async function restoreInto(
  tx: SqlTransaction,
  reader: BackupReader,
  { secrets, signal }: Pick<RestoreOptions, 'secrets' | 'signal'>,
): Promise<RestoredBackup> {
  const header = await reader.line(backupHeader)
  await startOver(tx, countKnown(header))
  for (const partition of header.partitions) await createPartition(tx, partition)
  const tables = await listTables(tx)
  const names = tables.map(({ name }) => name)
  await emptyTables(tx, names)
  await setTriggers(tx, names, 'disable')
  const sums = await restoreRows(tx, reader, tables, signal)
  await setTriggers(tx, names, 'enable')
  const unreadable = canDecrypt(secrets, header) ? null : await countEncrypted(tx, tables)
  return { version: header.version, createdAt: header.createdAt, ...sums, unreadable }
}

async function restoreRows(
  tx: SqlTransaction,
  reader: BackupReader,
  tables: readonly StoredTable[],
  signal: AbortSignal | undefined,
): Promise<{ tables: number; rows: number }> {
  const restored = new Set<string>()
  let rows = 0
  for (;;) {
    signal?.throwIfAborted()
    const sha256 = reader.sum()
    const next = await reader.line(z.union([tableStart, backupEnd]))
    if (!('table' in next)) {
      if (next.sha256 !== sha256 || next.rows !== rows || next.tables !== restored.size || restored.size !== tables.length)
        throw broken('the checksums do not match')
      return { tables: restored.size, rows }
    }
    const table = tables.find(({ name }) => name === next.table)
    if (table === undefined || restored.has(table.name) || !isSame(table.columns, next.columns))
      throw broken(`table ${next.table} has an unexpected structure`)
    await writeRows(tx, { name: table.name, columns: next.columns }, reader.rows(), signal).catch((error: unknown) => {
      throw isRefusedRow(error) ? broken(`${table.name} contains a row that PostgreSQL rejects`, error) : error
    })
    rows += (await reader.line(tableEnd)).rows
    restored.add(table.name)
  }
}
