import { z } from 'zod'

/**
 * A backup is gzip over lines: a header, then each table as a line of JSON, its rows as PostgreSQL's COPY writes them (text format, a row a
 * line), `\.`, and a line with their number; at last a line with the sum of all. Rows hold what the tables hold: secrets stay encrypted, and the key
 * is not in it.
 */
export const formatName = 'zonedeck-backup'
export const formatVersion = 1

/** What stands behind the last row of a table, as COPY itself ends; no row can look like it. */
export const endOfRows = '\\.\n'

/** Names as our own migrations write them: they become parts of statements. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
/** As `pg_get_expr` reports the bounds of a partition by time. */
const bound = z.string().regex(/^FOR VALUES FROM \('[\d :.+-]+'\) TO \('[\d :.+-]+'\)$/)

export const backupHeader = z.object({
  format: z.literal(formatName),
  formatVersion: z.int().min(1),
  /** Of the panel that wrote it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Hashes of the migrations that the tables are made by, oldest first. */
  migrations: z.array(z.string()).min(1),
  partitions: z.array(z.object({ name: identifier, parent: identifier, bound })),
  /** A known text, encrypted: anyone who can open it has the key that the secrets were encrypted with. */
  keyCheck: z.string(),
})
export type BackupHeader = z.infer<typeof backupHeader>

export const tableStart = z.object({ table: identifier, columns: z.array(identifier).min(1) })
export const tableEnd = z.object({ rows: z.int().min(0) })
/** `sha256` in hex, over every byte before this line. */
export const backupEnd = z.object({ tables: z.int(), rows: z.int(), sha256: z.string() })

/** What `keyCheck` is encrypted as. */
export const keyCheckContext = 'backup:key'
export const keyCheckText = 'zonedeck'
