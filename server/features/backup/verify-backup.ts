import { z } from 'zod'
import { backupEnd, backupHeader, formatVersion, tableEnd, tableStart } from './backup-format.ts'
import type { BackupHeader } from './backup-format.ts'
import { broken, withBackup } from './backup-reader.ts'
import { compareHistory } from './backup.repo.ts'

interface VerifiedBackup {
  /** The version and time of the backup. */
  readonly version: string
  readonly createdAt: string
  readonly tables: number
  readonly rows: number
}

/**
 * How many migrations the backup's database had.
 * @throws Error if this version does not know all of them
 */
export function countKnown(header: BackupHeader): number {
  const history = compareHistory(header.migrations)
  if (header.formatVersion > formatVersion || history.kind !== 'known')
    throw new Error(`the backup was written by version ${header.version}, which this version cannot restore`)
  return history.count
}

/**
 * Reads a backup completely and verifies its checksums, without a database.
 * @throws Error if the file cannot be read or was changed
 */
export const verifyBackup = (path: string, signal?: AbortSignal): Promise<VerifiedBackup> =>
  withBackup(path, signal, async (reader) => {
    const header = await reader.line(backupHeader)
    countKnown(header)
    const { version, createdAt } = header
    const tables = new Set<string>()
    let rows = 0
    for (;;) {
      signal?.throwIfAborted()
      const sha256 = reader.sum()
      const next = await reader.line(z.union([tableStart, backupEnd]))
      if (!('table' in next)) {
        if (next.sha256 !== sha256 || next.rows !== rows || next.tables !== tables.size) throw broken('the checksums do not match')
        return { version, createdAt, tables: tables.size, rows }
      }
      if (tables.has(next.table)) throw broken(`${next.table} appears twice`)
      tables.add(next.table)
      let counted = 0
      for await (const part of reader.rows()) for (const byte of part) if (byte === 0x0a) counted += 1
      if ((await reader.line(tableEnd)).rows !== counted) throw broken(`${next.table} has an unexpected number of rows`)
      rows += counted
    }
  })
