import { z } from 'zod'

/**
 * A backup is gzipped text: a header, then for each table a JSON line, its rows in PostgreSQL's COPY text format (a row per line), `\.`,
 * and a line with their number; finally a line with the checksum. Rows contain what the tables contain: secrets stay encrypted, and the key
 * is not included.
 */
export const formatName = 'zonedeck-backup'
export const formatVersion = 1

/** The end marker of a table's rows, as in COPY; no row can look like it. */
export const endOfRows = '\\.\n'

/** Identifiers as written by our migrations, because they become parts of statements. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
/** The bounds of a partition by time, as reported by `pg_get_expr`. */
const bound = z.string().regex(/^FOR VALUES FROM \('[\d :.+-]+'\) TO \('[\d :.+-]+'\)$/)

export const backupHeader = z.object({
  format: z.literal(formatName),
  formatVersion: z.int().min(1),
  /** Version of the panel that wrote the backup. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Hashes of the applied migrations, oldest first. */
  migrations: z.array(z.string()).min(1),
  partitions: z.array(z.object({ name: identifier, parent: identifier, bound })),
  /** A known text, encrypted: decrypting it shows that the key is the one the secrets were encrypted with. */
  keyCheck: z.string(),
})
export type BackupHeader = z.infer<typeof backupHeader>

export const tableStart = z.object({ table: identifier, columns: z.array(identifier).min(1) })
export const tableEnd = z.object({ rows: z.int().min(0) })
/** `sha256` in hex, over every byte before this line. */
export const backupEnd = z.object({ tables: z.int(), rows: z.int(), sha256: z.string() })

/** The encryption context of `keyCheck`. */
export const keyCheckContext = 'backup:key'
export const keyCheckText = 'zonedeck'
