import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { HistoryDiverged, listMigrations } from '#server/db/migration-history.ts'
import { migrate, rebuild } from '#server/db/migrate.ts'
import { rotateKey } from '#server/features/key-rotation/rotate-key.ts'
import { apiKeyContext } from '#server/features/sync/index.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { describeSchema } from '#server/testing/describe-schema.ts'
import { fillTables } from '#server/testing/fill-tables.ts'
import { temporaryFolder } from '#server/testing/process.ts'
import { applyForm, listFormerForms, listWithFormer, prepareHistory } from '#server/testing/schema-states.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackupOf } from './write-backup.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
const version = '0.1.0'

/** Tests here run concurrently, so each cleans up through its own context. */
type Cleaning = Pick<TestContext, 'onTestFinished'>

async function folder({ onTestFinished }: Cleaning): Promise<string> {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  return path
}

async function database({ onTestFinished }: Cleaning): Promise<TestDatabase> {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  return test
}

async function empty({ db }: TestDatabase): Promise<void> {
  await db.sql.unsafe('drop schema drizzle cascade; drop schema public cascade; create schema public')
  await prepareHistory(db.sql)
}

/** Number of rows in each non-empty table. */
async function countRows({ db }: TestDatabase, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) counts[table] = (await db.sql.unsafe(`select from "${table}"`)).length
  return counts
}

test('every accepted earlier form of a migration has its file, and every file is accepted', () => {
  const accepted = listMigrations().flatMap(({ name, formerHashes }) => formerHashes.map((hash) => `${name} ${hash}`))
  const kept = listFormerForms().map(({ name, hash }) => `${name} ${hash}`)
  expect(accepted.toSorted()).toEqual(kept.toSorted())
})

interface State {
  readonly path: string
  readonly rows: Readonly<Record<string, number>>
}

/** Fills every table of a database of any version, and backs it up. */
async function takeState(database: TestDatabase, path: string): Promise<State> {
  const { sql } = database.db
  const tables = await fillTables(sql)
  expect(tables).toEqual(expect.arrayContaining(['users', 'accounts', 'zones', 'dns_records']))
  const accounts = await sql<{ id: string }[]>`select id from accounts`
  for (const { id } of accounts)
    await sql`update accounts set api_key_sealed = ${secrets.encrypt('key', apiKeyContext(id))} where id = ${id}`
  await writeBackupOf(database.url, { secrets, version, path })
  return { path, rows: await countRows(database, tables) }
}

/** Such a backup is restored, migrated to this version, and its key rotated. */
async function expectRestored(cleaning: Cleaning, { path, rows }: State): Promise<void> {
  const target = await database(cleaning)
  const schema = await describeSchema(target.db.sql)
  await restoreBackup({ url: target.url, path, secrets, force: false })
  expect(await describeSchema(target.db.sql)).toEqual(schema)
  expect(await countRows(target, Object.keys(rows))).toEqual(rows)
  const rotation = await rotateKey(target.url, { from: secrets, to: createSecrets(Buffer.alloc(32, 8)) })
  expect(rotation.reencrypted).toBeGreaterThan(0)
}

const lastStates = listMigrations().slice(-20)
const states = new Map<string, State>()
beforeAll(async () => {
  const { path, remove } = await temporaryFolder()
  const source = await createTestDatabase()
  await empty(source)
  for (const migration of listMigrations()) {
    await applyForm(source.db.sql, migration)
    if (lastStates.some(({ name }) => name === migration.name))
      states.set(migration.name, await takeState(source, join(path, migration.name)))
  }
  await source.close()
  return remove
})

// The tests mostly wait for PostgreSQL, each in its own databases.
test.concurrent.for(lastStates)(
  'a backup of a database whose last migration is $name is restored and migrated to this version',
  async ({ name }, context) => {
    const state = states.get(name)
    expect(state).toBeDefined()
    if (state !== undefined) await expectRestored(context, state)
  },
)

test.concurrent.for(listFormerForms())(
  'a database with $name in an earlier form ($hash) starts, and its backup is restored',
  async (form, context) => {
    const source = await database(context)
    const schema = await describeSchema(source.db.sql)
    await empty(source)
    for (const each of listWithFormer(form)) await applyForm(source.db.sql, each)
    const state = await takeState(source, join(await folder(context), 'former'))
    await migrate(source.url)
    expect(await describeSchema(source.db.sql)).toEqual(schema)
    expect(await countRows(source, Object.keys(state.rows))).toEqual(state.rows)
    await expectRestored(context, state)
  },
)

test('a database with an unknown migration is refused by the start, a backup and a key rotation, and stays unchanged', async (context) => {
  const { db, url } = await database(context)
  const place = listMigrations().length - 3
  await db.sql.begin((tx) => rebuild(tx, place + 1))
  await db.sql`update drizzle.__drizzle_migrations set hash = 'edited' where id = ${place + 1}`
  const before = await describeSchema(db.sql)
  const path = join(await folder(context), 'never.gz')
  await expect(migrate(url)).rejects.toThrow(HistoryDiverged)
  await expect(migrate(url)).rejects.toThrow(`migration ${place + 1} does not match any known form of ${listMigrations()[place]?.name}`)
  await expect(writeBackupOf(url, { secrets, version, path })).rejects.toThrow(HistoryDiverged)
  await expect(rotateKey(url, { from: secrets, to: secrets })).rejects.toThrow('its migration')
  expect(await describeSchema(db.sql)).toEqual(before)
})

test('a database of a newer version starts and can be backed up by this one', async (context) => {
  const { db, url } = await database(context)
  await db.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 0)`
  const before = await describeSchema(db.sql)
  await migrate(url)
  expect(await describeSchema(db.sql)).toEqual(before)
  await expect(writeBackupOf(url, { secrets, version, path: join(await folder(context), 'newer.gz') })).resolves.toBeDefined()
})
