import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { listMigrations } from '#server/db/migration-history.ts'

/** Adds the hashes of new migrations to `drizzle/hashes.json`; recorded ones stay, even if their files have changed. */
const path = fileURLToPath(new URL('../../drizzle/hashes.json', import.meta.url))
const recorded = JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, readonly string[]>>
const hashes = Object.fromEntries(listMigrations().map(({ name, hash }) => [name, recorded[name] ?? [hash]]))
await writeFile(path, `${JSON.stringify(hashes, null, 2)}\n`)
