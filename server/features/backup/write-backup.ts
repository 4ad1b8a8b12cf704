import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { SqlTransaction } from '#server/db/client.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { endOfRows, formatName, formatVersion, keyCheckContext, keyCheckText } from './backup-format.ts'
import type { BackupHeader } from './backup-format.ts'
import {
  compareHistory,
  hasPeople,
  HistoryDiverged,
  inSnapshot,
  listApplied,
  listPartitions,
  listTables,
  open as openDatabase,
  readRows,
} from './backup.repo.ts'
import { inOrder } from './table-order.policy.ts'

interface WrittenBackup {
  readonly tables: number
  readonly rows: number
  readonly bytes: number
}

type Needs = Pick<Services, 'db' | 'clock' | 'secrets' | 'version'> & {
  /** A panel without users indicates that the operator named the wrong database. */
  readonly refuseEmpty?: boolean
}

const newline = 0x0a

function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1
  return lines
}

/**
 * Writes a consistent snapshot of the database into a file readable by its owner only (0600), while the panel keeps working. Needs no
 * external program. The file gets its name when complete.
 * @throws Error if the file cannot be written, or the database contains no panel data
 */
export async function writeBackup(services: Needs, path: string, signal?: AbortSignal): Promise<WrittenBackup> {
  const draft = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    const sums = await inSnapshot(services.db, async (tx) => {
      const sums = { tables: 0, rows: 0 }
      const target = createWriteStream(draft, { mode: 0o600, flags: 'wx' })
      await pipeline(Readable.from(linesOf(tx, services, sums), { objectMode: false }), createGzip({ level: 6 }), target, { signal })
      return sums
    })
    const file = await open(draft, 'r+')
    await file.sync()
    await file.close()
    const { size } = await stat(draft)
    await rename(draft, path)
    return { ...sums, bytes: size }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** The same for a database that no panel has opened. */
export async function writeBackupOf(
  url: string,
  {
    path,
    signal,
    ...services
  }: Pick<Needs, 'secrets' | 'version' | 'refuseEmpty'> & { readonly path: string; readonly signal?: AbortSignal },
): Promise<WrittenBackup> {
  const db = openDatabase(url, 'zonedeck-backup')
  try {
    return await writeBackup({ ...services, db, clock: systemClock }, path, signal)
  } finally {
    await db.close()
  }
}

const whichOne = 'check DATABASE_URL, or DATA_DIR if the panel uses the bundled PostgreSQL'

/** See `backup-format.ts`. Adds the yielded data to `sums`. */
async function* linesOf(tx: SqlTransaction, services: Needs, sums: { tables: number; rows: number }): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (chunk: Buffer) => {
    hash.update(chunk)
    return chunk
  }
  const line = (value: object) => hashed(Buffer.from(`${JSON.stringify(value)}\n`))
  const migrations = await listApplied(tx)
  if (migrations.length === 0) throw new Error(`the database contains no panel data, so no backup was written; ${whichOne}`)
  const history = compareHistory(migrations)
  // No version could restore it.
  if (history.kind === 'diverged') throw new HistoryDiverged(history)
  const stored = await listTables(tx)
  if (services.refuseEmpty === true && !(await hasPeople(tx, stored)))
    throw new Error(`the panel in this database has no users, so no backup was written; ${whichOne}`)
  const tables = inOrder(stored)
  const header: BackupHeader = {
    format: formatName,
    formatVersion,
    version: services.version,
    createdAt: new Date(services.clock.now()).toISOString(),
    migrations,
    partitions: [...(await listPartitions(tx))],
    keyCheck: services.secrets.encrypt(keyCheckText, keyCheckContext),
  }
  yield line(header)
  for (const { name, columns } of tables) {
    yield line({ table: name, columns })
    let rows = 0
    for await (const chunk of readRows(tx, { name, columns })) {
      rows += countLines(chunk)
      yield hashed(chunk)
    }
    yield hashed(Buffer.from(endOfRows))
    yield line({ rows })
    sums.tables += 1
    sums.rows += rows
  }
  yield Buffer.from(`${JSON.stringify({ tables: sums.tables, rows: sums.rows, sha256: hash.digest('hex') })}\n`)
}
