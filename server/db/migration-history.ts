import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { SqlTransaction } from '#server/db/client.ts'

const folder = fileURLToPath(new URL('../../drizzle', import.meta.url))

export interface Migration {
  readonly name: string
  /** SHA-256 of its file, by which a database records it. */
  readonly hash: string
  /** Hashes of earlier forms of the file with the same resulting schema: databases and backups with them remain valid. */
  readonly formerHashes: readonly string[]
  /** Generation time, milliseconds since 1970. */
  readonly createdAt: number
  readonly statements: readonly string[]
}

/** The migrations of this version, oldest first. */
export function listMigrations(): Migration[] {
  const { entries } = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')) as { entries: readonly { tag: string }[] }
  const hashes = JSON.parse(readFileSync(`${folder}/hashes.json`, 'utf8')) as Readonly<Record<string, readonly string[]>>
  return readMigrationFiles({ migrationsFolder: folder }).map(({ hash, folderMillis, sql }, index) => {
    const name = entries[index]?.tag ?? String(index)
    return { name, hash, formerHashes: hashes[name]?.filter((each) => each !== hash) ?? [], createdAt: folderMillis, statements: sql }
  })
}

/** Hashes of the migrations applied to a database, oldest first; empty if it contains no panel. */
export async function listApplied(tx: SqlTransaction): Promise<string[]> {
  const [table] = await tx<{ is: boolean }[]>`select to_regclass('drizzle.__drizzle_migrations') is not null as is`
  if (table?.is !== true) return []
  const rows = await tx<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by id`
  return rows.map(({ hash }) => hash)
}

export type History =
  /** The first `count` migrations of this version were applied. */
  | { readonly kind: 'known'; readonly count: number }
  /** All of this version's migrations and more. */
  | { readonly kind: 'newer' }
  /** The migration at position `at`, counted from 0, differs from this version's: the content of the tables is unknown. */
  | { readonly kind: 'diverged'; readonly at: number; readonly name: string }

export function compareHistory(applied: readonly string[]): History {
  const migrations = listMigrations()
  const at = applied.findIndex((hash, index) => {
    const migration = migrations[index]
    return migration !== undefined && migration.hash !== hash && !migration.formerHashes.includes(hash)
  })
  if (at !== -1) return { kind: 'diverged', at, name: migrations[at]?.name ?? '' }
  return applied.length > migrations.length ? { kind: 'newer' } : { kind: 'known', count: applied.length }
}

/** Thrown before anything is changed, read or backed up. */
export class HistoryDiverged extends Error {
  constructor({ at, name }: Extract<History, { kind: 'diverged' }>) {
    super(
      `this database was migrated by a version that is incompatible with this one: its migration ${at + 1} does not match any known form of ${name}. ` +
        'Start the version that migrated it, or use another database and restore a backup written by a release',
    )
  }
}
