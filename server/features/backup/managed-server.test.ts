import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import type { Database } from '#server/db/client.ts'
import { migrate } from '#server/db/migrate.ts'
import { preparePartitions } from '#server/features/monitoring/history/partitions.repo.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertUser } from '#server/testing/factories.ts'
import { temporaryFolder } from '#server/testing/process.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackupOf } from './write-backup.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
interface Managed {
  readonly user: string
  /** As the panel connects. */
  readonly url: string
  /** As the server's administrator. */
  readonly admin: postgres.Sql
}

/**
 * A database as on managed servers: it and its schema `public` belong to the administrator, who installed extensions there; the panel's
 * user is an ordinary one.
 */
async function managed(): Promise<Managed> {
  const user = `panel_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const database = `managed_${user}`
  const at = (parts: Partial<URL>) => Object.assign(new URL(inject('templateUrl')), parts).href
  const server = postgres(at({ pathname: '/postgres' }), { max: 1 })
  await server.unsafe(`create role ${user} login nosuperuser nocreatedb nocreaterole password 'p'`)
  await server.unsafe(`create database ${database}`)
  const admin = postgres(at({ pathname: `/${database}` }), { max: 1, onnotice: () => undefined })
  await admin.unsafe('alter schema public owner to current_user; create extension pg_trgm; create extension pg_stat_statements')
  onTestFinished(async () => {
    await admin.end()
    await server.unsafe(`drop database ${database} with (force)`)
    await server.unsafe(`drop role ${user}`)
    await server.end()
  })
  return { user, admin, url: at({ pathname: `/${database}`, username: user, password: 'p' }) }
}

/** Objects of the administrator. */
const administrators = ({ admin }: Managed) => admin`
  select nspname as name, pg_get_userbyid(nspowner) as owner, nspacl::text as rights from pg_namespace where nspname = 'public'
  union all select extname, pg_get_userbyid(extowner), null from pg_extension order by name`

const countAll = async (sql: postgres.Sql) =>
  (
    await sql`select (select count(*)::int from users) as users, (select count(*)::int from zones) as zones, (select count(*)::int from check_hours) as hours`
  )[0]

async function fill(db: Database): Promise<void> {
  const { id: ownerId } = await insertUser(db)
  await insertAccount(db, { ownerId }, { secrets, apiKey: 'canary' })
  const before = await db.sql<{ id: string }[]>`select id from zones`
  await seedZones(db, { ownerId, count: 50 })
  await preparePartitions(db, Date.now())
  await db.sql`
    insert into check_hours (zone_id, region, hour, checks, failed)
    select id, 'EUROPE', date_trunc('hour', now()), 12, 1 from zones where id <> all(${before.map(({ id }) => id)})`
}

async function fillAs({ url }: Managed): Promise<void> {
  const db = connect(url, { name: 'zonedeck-test' })
  await fill(db)
  await db.close()
}

/** The statements that the refusal asks an administrator to run. */
const statementsOf = (refusal: unknown) => String(refusal).split('\n').slice(1)

test('R-APP-02 on a managed server the first start reports the missing rights, and works with exactly those', async () => {
  const target = await managed()
  const refusal = () => migrate(target.url).catch((error: unknown) => error)
  const first = await refusal()
  expect(String(first)).toContain(`the database user "${target.user}" lacks required privileges`)
  expect(statementsOf(first)).toHaveLength(2)
  for (const statement of statementsOf(first)) await target.admin.unsafe(statement)
  // A schema of the user comes first in the default search path.
  await target.admin.unsafe(`create schema ${target.user} authorization ${target.user}`)
  const second = await refusal()
  expect(statementsOf(second)).toEqual([`  ALTER ROLE "${target.user}" SET search_path = public;`])
  for (const statement of statementsOf(second)) await target.admin.unsafe(statement)
  expect(await target.admin`select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`).toHaveLength(0)
  await migrate(target.url)
  // Also at later starts.
  await migrate(target.url)
  await fillAs(target)
})

test('a user without special rights can back up and restore; the administrator’s objects stay, and another user’s objects cause a refusal', async () => {
  const { path: folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const source = await createTestDatabase()
  onTestFinished(() => source.close())
  await fill(source.db)
  await writeBackupOf(source.url, { secrets, version: '0.1.0', path: join(folder, 'source.gz') })

  const target = await managed()
  for (const statement of statementsOf(await migrate(target.url).catch((error: unknown) => error))) await target.admin.unsafe(statement)
  const before = await administrators(target)
  expect(before.map(({ name }) => String(name))).toEqual(['pg_stat_statements', 'pg_trgm', 'plpgsql', 'public'])
  const restore = (name: string) => restoreBackup({ url: target.url, path: join(folder, name), secrets, force: true })
  await restore('source.gz')
  expect(await countAll(target.admin)).toEqual(await countAll(source.db.sql))

  // Restores over existing data: none of it stays or interferes.
  await writeBackupOf(target.url, { secrets, version: '0.1.0', path: join(folder, 'target.gz') })
  await fillAs(target)
  await restore('target.gz')
  expect(await countAll(target.admin)).toEqual(await countAll(source.db.sql))
  expect(await administrators(target)).toEqual(before)
  await fillAs(target)

  const filled = await countAll(target.admin)
  await target.admin.unsafe('alter table zones owner to current_user')
  for (const attempt of [() => restore('source.gz'), () => migrate(target.url)])
    await expect(attempt()).rejects.toThrow(`not to "${target.user}": connect as that user`)
  expect(await countAll(target.admin)).toEqual(filled)
})
