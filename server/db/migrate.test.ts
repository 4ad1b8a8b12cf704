import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { Database } from '#server/db/client.ts'
import { migrate, rebuild } from '#server/db/migrate.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  const at = (database: string) => Object.assign(new URL(inject('templateUrl')), { pathname: `/${database}` }).href
  const admin = postgres(at('postgres'), { max: 1 })
  await admin.unsafe(`create database ${name}`)
  onTestFinished(async () => {
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  })
  return at(name)
}

test('R-APP-02 concurrent first starts on an empty database take turns, and a second migration changes nothing', async () => {
  const url = await emptyDatabase()
  await Promise.all([migrate(url), migrate(url), migrate(url)])
  const sql = postgres(url, { max: 1 })
  onTestFinished(() => sql.end())
  const applied = await sql`select hash from drizzle.__drizzle_migrations`
  expect(new Set(applied.map((row) => String(row['hash']))).size).toBe(applied.length)
  await migrate(url)
  expect(await sql`select hash from drizzle.__drizzle_migrations`).toHaveLength(applied.length)
})

test('ids are ordered by time', async () => {
  const sql = postgres(inject('templateUrl'), { max: 1 })
  onTestFinished(() => sql.end())
  const ids: string[] = []
  for (let i = 0; i < 20; i += 1) {
    const [row] = await sql<{ id: string }[]>`select uuidv7()::text as id, pg_sleep(0.002)`
    ids.push(row?.id ?? '')
  }
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('the migration to folded names renames entries that differ only in letter case', async () => {
  const url = await emptyDatabase()
  await migrate(url)
  const sql = postgres(url, { max: 1 })
  onTestFinished(() => sql.end())
  // As before the migration.
  await sql`drop index profiles_name, users_username_key`
  const people = ['иван', 'Иван', 'ИВАН', 'ivan'].map((username, n) => ({
    username,
    email: `${n}@example.com`,
    password_hash: 'x',
    role: 'user',
  }))
  const users = await sql<{ id: string }[]>`insert into users ${sql(people)} returning id`
  const [owner = { id: '' }, other = { id: '' }] = users
  const names = ['Магазин', 'МАГАЗИН', 'Shop', 'я'.repeat(100), 'Я'.repeat(100)]
  const profiles = [...names.map((name) => ({ name, owner: owner.id })), { name: 'магазин', owner: other.id }]
  for (const { name, owner } of profiles) await sql`insert into profiles (name, owner_id) values (${name}, ${owner})`
  const migration = await readFile(new URL('../../drizzle/0013_folded_names.sql', import.meta.url), 'utf8')
  for (const statement of migration.split('--> statement-breakpoint').filter((text) => !text.includes('DROP INDEX')))
    await sql.unsafe(statement)
  const shown = async (rows: Promise<{ name: string }[]>) => (await rows).map(({ name }) => name.replace(/[ -][0-9a-f]{8}$/, '+'))
  expect(await shown(sql`select username as name from users order by id`)).toEqual(['иван', 'Иван+', 'ИВАН+', 'ivan'])
  expect(await shown(sql`select name from profiles order by id`)).toEqual([
    'Магазин',
    'МАГАЗИН+',
    'Shop',
    'я'.repeat(100),
    `${'Я'.repeat(91)}+`,
    'магазин',
  ])
  await expect(sql`insert into profiles (name, owner_id) values ('shop', ${owner.id})`).rejects.toThrow('profiles_name')
})

test('the migrations to the nearest expiry of origin certificates write only domains that have some, and only if they were read', async () => {
  const url = await emptyDatabase()
  await migrate(url)
  const sql = postgres(url, { max: 1 })
  onTestFinished(() => sql.end())
  const person = { username: 'anna', email: 'anna@example.com', password_hash: 'x', role: 'user' }
  const [owner = { id: '' }] = await sql<{ id: string }[]>`insert into users ${sql(person)} returning id`
  const db = { orm: drizzle(sql) } as unknown as Database
  const account = await insertAccount(db, { ownerId: owner.id })
  const names = ['renewed', 'two', 'unread', 'none', 'unlisted']
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, (await insertZone(db, { ownerId: owner.id, accountId: account.id, name: `${name}.example` })).id)
  const read = names.filter((name) => name !== 'unread')
  for (const name of read) await sql`insert into zone_ssl (zone_id, origin_read_at) values (${ids.get(name) ?? ''}, now())`
  const add = (name: string, hostnames: string[], expiresAt: string, gone = false) => sql`
    insert into origin_certificates (zone_id, serial, hostnames, type, validity_days, expires_at, gone_at)
    values (${ids.get(name) ?? ''}, ${expiresAt}, ${hostnames}, 'ecc', 90, ${expiresAt}, ${gone ? expiresAt : null})`
  await add('renewed', ['a.renewed.example'], '2027-01-01T00:00:00Z')
  await add('renewed', ['*.renewed.example'], '2028-01-01T00:00:00Z')
  await add('two', ['a.two.example'], '2027-01-01T00:00:00Z')
  await add('two', ['b.two.example'], '2028-01-01T00:00:00Z')
  await add('unread', ['unread.example'], '2027-01-01T00:00:00Z')
  await add('unlisted', ['unlisted.example'], '2027-01-01T00:00:00Z', true)
  await sql`update origin_certificates set validity_days = 6 where hostnames = '{b.two.example}'`
  for (const migration of ['0052_nearest_origin_expiry', '0054_origin_expires_soon']) {
    const file = await readFile(new URL(`../../drizzle/${migration}.sql`, import.meta.url), 'utf8')
    for (const statement of file.split('--> statement-breakpoint').filter((text) => text.includes('UPDATE'))) await sql.unsafe(statement)
    // As the code of the former version writes it.
    await sql`update zones set origin_expires_at = 'infinity' where name = 'none.example'`
  }
  const rows = await sql<{ name: string; at: string | null; soon: string | null }[]>`
    select name, origin_expires_at::date::text as at, origin_soon_at::date::text as soon from zones`
  expect(Object.fromEntries(rows.map(({ name, at, soon }) => [name, [at, soon]]))).toEqual({
    'renewed.example': ['2028-01-01', '2027-12-02'],
    'two.example': ['2027-01-01', '2026-12-02'],
    'unread.example': [null, null],
    'none.example': ['infinity', 'infinity'],
    'unlisted.example': [null, null],
  })
  const [short] = await sql<{ soon: string }[]>`select expires_soon_at::date::text as soon from origin_certificates where validity_days = 6`
  expect(short?.soon).toBe('2027-12-30')
})

test('a migration yields to queries on its tables and runs when they are free, without blocking them for long', async () => {
  const url = await emptyDatabase()
  const [holder, reader] = [postgres(url, { max: 1, onnotice: () => undefined }), postgres(url, { max: 1 })]
  onTestFinished(async () => void (await Promise.all([holder.end(), reader.end()])))
  // The next one, 0022, changes the zones.
  await holder.begin((tx) => rebuild(tx, 22))
  const released = Promise.withResolvers<void>()
  const holding = holder.begin(async (tx) => {
    await tx`lock table zones in access share mode`
    await released.promise
  })
  const migrating = migrate(url)
  await expect.poll(async () => (await reader`select from pg_locks where not granted`).length).toBeGreaterThan(0)
  // A running request of the panel, queued behind the unfinished migration.
  expect(await reader`select from zones limit 1`).toEqual([])
  expect(await reader`select from pg_class where relname = 'trackers'`).toHaveLength(0)
  released.resolve()
  await holding
  await migrating
  expect(await reader`select from trackers`).toEqual([])
})

test('a server out of connections is reported as full, with what to do', async () => {
  const url = await emptyDatabase()
  const admin = postgres(url, { max: 1 })
  const role = `full_${randomUUID().replaceAll('-', '')}`
  await admin.unsafe(`create role ${role} login password 'full' connection limit 0`)
  onTestFinished(async () => {
    await admin.unsafe(`drop role ${role}`)
    await admin.end()
  })
  await expect(migrate(Object.assign(new URL(url), { username: role, password: 'full' }).href)).rejects.toThrow(
    /accepts no more connections.*max_connections/,
  )
})
