import { createHash, randomBytes } from 'node:crypto'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import type { Database } from '#server/db/client.ts'
import { rebuild } from '#server/db/migrate.ts'
import { listMigrations } from '#server/db/migration-history.ts'
import { preparePartitions } from '#server/features/monitoring/history/partitions.repo.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertUser, insertZone } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { temporaryFolder } from '#server/testing/process.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { createTestServices } from '#server/testing/services.ts'
import { inSnapshot, readRows } from './backup.repo.ts'
import { restoreBackup } from './restore-backup.ts'
import { startBackups } from './start-backups.ts'
import { verifyBackup } from './verify-backup.ts'
import { writeBackupOf } from './write-backup.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
const version = '0.1.0'

async function folder(): Promise<string> {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  return path
}

async function database() {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  return test
}

/** Rows that are hard to serialize: line breaks, COPY's end marker, nulls and the words for them, bytes, arrays, infinities, partitions. */
async function fill(db: Database): Promise<void> {
  const ann = await insertUser(db, { name: 'Анна\n\\.\n\t"quoted" \\N', language: null })
  await seedZones(db, { ownerId: ann.id, count: 300 })
  const account = await insertAccount(db, { ownerId: ann.id, name: '\\N' }, { secrets, apiKey: 'canary-key-0123456789' })
  const zone = await insertZone(db, {
    ownerId: ann.id,
    accountId: account.id,
    name: 'hard.example',
    details: { deep: [null, '\u2028', 1e21] },
  })
  await preparePartitions(db, Date.now())
  await db.sql`
    insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions, paused_until, changes)
    values (${zone.id}, ${ann.id}, 300, 7, '{EUROPE,ASIA}', 'infinity', '{1,2}')`
  await db.sql`insert into zone_views (zone_id, region, beats) values (${zone.id}, 'EUROPE', ${Buffer.from([0, 1, 2, 3, 10, 92, 46, 10])})`
  await db.sql`
    insert into check_hours (zone_id, region, hour, checks, failed)
    select ${zone.id}, 'EUROPE', date_trunc('hour', now()) - h * interval '1 hour', 12, 1 from generate_series(0, 200) h`
  await db.sql`insert into check_days (zone_id, region, day, checks, failed) values (${zone.id}, 'ASIA', date_trunc('day', now(), 'UTC'), 288, 0)`
  await db.sql`insert into panel_settings (key, value) values ('json null', 'null'), ('text', '"a\\nb"')`
}

/** The content of every table, one line each. */
async function contents({ sql }: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c where c.relkind in ('r', 'p') and not c.relispartition
      and (c.relnamespace = 'public'::regnamespace or c.relnamespace = 'drizzle'::regnamespace)`
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ sum: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text collate "C")), '') as sum from ${name} t`,
    )
    found[name] = row?.sum ?? ''
  }
  return found
}

/** The backup of a database with all kinds of data, and its content. */
let whole: { readonly path: string; readonly before: Record<string, string> }
beforeAll(async () => {
  const { path: parent, remove } = await temporaryFolder()
  const { db, url, close } = await createTestDatabase()
  await fill(db)
  const path = join(parent, 'panel.backup.gz')
  await writeBackupOf(url, { secrets, version, path })
  whole = { path, before: await contents(db) }
  await close()
  return remove
})

test('a restored database equals the backed-up one in every table, byte for byte, and works', async () => {
  const { path, before } = whole
  const target = await database()
  const restored = await restoreBackup({ url: target.url, path, secrets, force: false })
  expect(await contents(target.db)).toEqual(before)
  expect(restored).toMatchObject({ version, unreadable: null, tables: Object.keys(before).length - 1 })
  // Triggers and foreign keys are enabled again: counts follow, and deleting a user cascades.
  const [{ n: changes } = { n: 0 }] = await target.db.sql<{ n: number }[]>`select count(*)::int as n from zone_count_changes`
  await target.db.sql`delete from users`
  expect(await target.db.sql`select from zones limit 1`).toHaveLength(0)
  expect((await target.db.sql<{ n: number }[]>`select count(*)::int as n from zone_count_changes`)[0]?.n).toBeGreaterThan(changes)
})

test('the file is readable by its owner only, contains no key or plaintext secret, and gets its name when complete', async () => {
  const { path } = whole
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const text = gunzipSync(await readFile(path)).toString('utf8')
  expect(text).not.toContain('canary-key')
  for (const encoding of ['base64', 'base64url', 'hex', 'latin1'] as const)
    expect(text).not.toContain(Buffer.alloc(32, 7).toString(encoding))
  expect(await readdir(join(path, '..'))).toEqual(['panel.backup.gz'])
  const { url } = await database()
  await expect(writeBackupOf(url, { secrets, version, path: join(path, '..', 'missing', 'x') })).rejects.toThrow('ENOENT')
})

test('a backup is a consistent snapshot during writes', async () => {
  const { db, url } = await database()
  const path = join(await folder(), 'moving.gz')
  const stop = new AbortController()
  const writing = (async () => {
    while (!stop.signal.aborted) {
      const owner = await insertUser(db)
      await insertAccount(db, { ownerId: owner.id })
    }
  })()
  await writeBackupOf(url, { secrets, version, path }).finally(() => stop.abort())
  await writing
  const target = await database()
  await restoreBackup({ url: target.url, path, secrets, force: false })
  // More than one person without an account would mean another snapshot than the accounts.
  const [row] = await target.db.sql<{ people: number; accounts: number }[]>`
    select (select count(*) from users)::int as people, (select count(distinct owner_id) from accounts)::int as accounts`
  expect((row?.people ?? 0) - (row?.accounts ?? 0)).toBeLessThanOrEqual(1)
})

test.each([
  // The last rows arrive while the driver's buffer is full: it pauses, and nothing resumes it.
  ['reads slowly', 150],
  ['stops early', 5_000],
])('the connection goes on after a reader that %s', async (how, count) => {
  const { db, url } = await database()
  await db.sql`insert into panel_settings (key, value) select n::text, to_jsonb(repeat('x', 1000)) from generate_series(1, ${count}::int) n`
  const one = connect(url, { max: 1, name: 'zonedeck-test-copy' })
  onTestFinished(() => one.close())
  await inSnapshot(one, async (tx) => {
    const rows = readRows(tx, { name: 'panel_settings', columns: ['key', 'value'] })
    const first = (await rows.next()).value as Buffer
    if (how === 'stops early') await rows.return(undefined)
    else {
      const state = () => db.sql`select state from pg_stat_activity where application_name = 'zonedeck-test-copy' and query like 'copy%'`
      await expect.poll(state).toEqual([{ state: 'idle in transaction' }])
      expect(
        Buffer.concat([first, ...(await Array.fromAsync(rows))])
          .toString()
          .split('\n'),
      ).toHaveLength(count + 1)
    }
    expect(await tx`select 1 as one`).toEqual([{ one: 1 }])
  })
})

const tampered: Record<string, (whole: Buffer) => Buffer> = {
  'cut off': (whole) => whole.subarray(0, whole.length / 2),
  'with a byte changed': (whole) =>
    Buffer.from(whole).fill(whole[whole.length >> 1] === 1 ? 2 : 1, whole.length >> 1, (whole.length >> 1) + 1),
  'with a row changed': (whole) => gzipSync(gunzipSync(whole).toString('latin1').replace('team3.example', 'team4.example'), {}),
  'with a row missing': (whole) => {
    const text = gunzipSync(whole).toString('latin1')
    const start = text.indexOf('\n', text.indexOf('{"table":"check_hours"')) + 1
    return gzipSync(Buffer.from(text.slice(0, start) + text.slice(text.indexOf('\n', start) + 1), 'latin1'))
  },
  'without its last line': (whole) => {
    const text = gunzipSync(whole)
    return gzipSync(text.subarray(0, text.lastIndexOf(10, text.length - 2) + 1))
  },
  'that is something else': () => Buffer.from('hello'),
  'that names another table': (whole) =>
    gzipSync(Buffer.from(gunzipSync(whole).toString('latin1').replace('{"table":"accounts"', '{"table":"pg_authid"'), 'latin1')),
}
test('a damaged file is refused for any kind of damage, and the database is unchanged', { timeout: 240_000 }, async () => {
  const target = await database()
  await insertUser(target.db)
  const before = await contents(target.db)
  const path = join(await folder(), 'broken.gz')
  const refusals: Record<string, string> = {}
  for (const [how, change] of Object.entries(tampered)) {
    await writeFile(path, change(await readFile(whole.path)))
    const refusal = await restoreBackup({ url: target.url, path, secrets, force: true }).catch((error: unknown) => error)
    refusals[how] = refusal instanceof Error ? (refusal.message.split(':')[0] ?? '') : 'none'
  }
  expect(refusals).toEqual({
    ...Object.fromEntries(Object.keys(tampered).map((how) => [how, 'the backup is damaged or incomplete'])),
    'that is something else': 'the file is not a backup',
  })
  expect(await contents(target.db)).toEqual(before)
})

/** The file with another text and valid checksums. */
function encrypted(whole: Buffer, change: (text: string) => string): Buffer {
  const changed = change(gunzipSync(whole).toString('latin1'))
  const end = changed.lastIndexOf('\n', changed.length - 2) + 1
  const sha256 = createHash('sha256')
    .update(Buffer.from(changed.slice(0, end), 'latin1'))
    .digest('hex')
  const tables = changed.split('\n{"table":').length - 1
  const last = changed
    .slice(end)
    .replace(/"sha256":"[0-9a-f]+"/, `"sha256":"${sha256}"`)
    .replace(/"tables":\d+/, `"tables":${tables}`)
  return gzipSync(Buffer.from(changed.slice(0, end) + last, 'latin1'))
}

/** With a row that fits no column of its table. */
const refusedByPostgres = (whole: Buffer): Buffer =>
  encrypted(whole, (text) => {
    const start = text.indexOf('\n', text.indexOf('{"table":"panel_settings"')) + 1
    return `${text.slice(0, start)}text\tnot json${text.slice(text.indexOf('\n', start))}`
  })

/** A table without rows in the filled database. */
const emptyTable = /\n\{"table":"([a-z_]+)","columns":\[[^\]]+\]\}\n\\\.\n\{"rows":0\}/

test('a file with valid checksums but foreign tables is refused, and the database is unchanged', { timeout: 60_000 }, async () => {
  const target = await database()
  await insertUser(target.db)
  const before = await contents(target.db)
  const path = join(await folder(), 'others.gz')
  const changes: Record<string, (text: string) => string> = {
    'a table is missing': (text) => text.replace(emptyTable, ''),
    'a column is unknown': (text) => text.replace(emptyTable, (block) => block.replace(/"\]\}/, '_of_old"]}')),
  }
  const refusals: Record<string, string> = {}
  for (const [how, change] of Object.entries(changes)) {
    await writeFile(path, encrypted(await readFile(whole.path), change))
    await expect(verifyBackup(path)).resolves.toMatchObject({ version })
    const refusal = await restoreBackup({ url: target.url, path, secrets, force: true }).catch((error: unknown) => error)
    refusals[how] = String(refusal).replace(/: table [a-z_]+ has/, ': … has')
  }
  expect(refusals).toEqual({
    'a table is missing': 'Error: the backup is damaged or incomplete: the checksums do not match',
    'a column is unknown': 'Error: the backup is damaged or incomplete: … has an unexpected structure',
  })
  expect(await contents(target.db)).toEqual(before)
})

test('a row refused by PostgreSQL ends the restore without leaving a lock or a change', { timeout: 20_000 }, async () => {
  const target = await database()
  await insertUser(target.db)
  const before = await contents(target.db)
  const path = join(await folder(), 'refused.gz')
  await writeFile(path, refusedByPostgres(await readFile(whole.path)))
  await expect(restoreBackup({ url: target.url, path, secrets, force: true })).rejects.toThrow(
    'the backup is damaged or incomplete: panel_settings contains a row that PostgreSQL rejects',
  )
  expect(await contents(target.db)).toEqual(before)
  expect(
    await target.db.sql`select from pg_locks where mode = 'AccessExclusiveLock' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`,
  ).toHaveLength(0)
})

test('a file with a flipped bit is refused before the database is accessed', async () => {
  const path = join(await folder(), 'flipped.gz')
  const good = await readFile(whole.path)
  await expect(verifyBackup(whole.path)).resolves.toMatchObject({ version })
  for (let part = 1; part < 16; part += 1) {
    const flipped = Buffer.from(good)
    const at = Math.floor((good.length * part) / 16)
    flipped[at] = (flipped[at] ?? 0) ^ 4
    await writeFile(path, flipped)
    // Nothing listens there.
    await expect(restoreBackup({ url: 'postgres://nobody@127.0.0.1:1/none', path, secrets, force: true })).rejects.toThrow(
      'the backup is damaged or incomplete',
    )
  }
})

test.each([
  ['cut', (good: Buffer) => good.subarray(0, 2_000), 'the backup is damaged or incomplete: the end of the file is missing'],
  ['empty', () => Buffer.alloc(0), 'the backup is damaged or incomplete: the end of the file is missing'],
  ['of another kind', () => Buffer.from('-- a dump\n'), 'the file is not a backup'],
] as const)('a file that is %s is refused with the reason', async (_how, change, reason) => {
  const path = join(await folder(), 'other.gz')
  await writeFile(path, change(await readFile(whole.path)))
  await expect(verifyBackup(path)).rejects.toThrow(new Error(reason))
})

test('a non-empty database is overwritten only with --force, and never while a panel runs on it', async () => {
  const { path, before } = whole
  const target = await database()
  await insertUser(target.db)
  const restore = (force: boolean) => restoreBackup({ url: target.url, path, secrets, force })
  await expect(restore(false)).rejects.toThrow('the database is not empty')
  const panel = connect(target.url)
  await panel.sql`select 1`
  await expect(restore(true)).rejects.toThrow('the panel is running on this database')
  await panel.close()
  await target.db.sql`create table stranger (id int)`
  await expect(restore(true)).rejects.toThrow('objects that do not belong to the panel (table stranger)')
  await target.db.sql`drop table stranger`
  await restore(true)
  expect(await contents(target.db)).toEqual(before)
})

test('objects the panel did not create are not dropped: they are named, and nothing changes', async () => {
  const { path, before } = whole
  const target = await database()
  const { sql } = target.db
  const restore = () => restoreBackup({ url: target.url, path, secrets, force: true })
  await sql.unsafe(`create view by_owner as select owner_id, count(*) from zones group by 1;
    create function twice(int) returns int language sql as 'select 2 * $1'; create type mood as enum ('good', 'bad'); create sequence numbers`)
  await expect(restore()).rejects.toThrow(
    'objects that do not belong to the panel (view by_owner, sequence numbers, routine twice(integer), type mood)',
  )
  expect(await sql`select from by_owner`).toEqual([])
  await sql.unsafe('drop view by_owner; drop function twice; drop type mood; drop sequence numbers')
  // Objects in a separate schema always stay.
  await sql.unsafe(`create schema reports; create view reports.names as select name from zones; create table reports.notes (id int)`)
  await expect(restore()).rejects.toThrow(/other objects depend on the panel's tables.*view reports\.names depends on table zones/s)
  expect(await sql`select from reports.names`).toEqual([])
  await sql`drop view reports.names`
  await restore()
  expect(await contents(target.db)).toEqual(before)
  expect(await sql`select from reports.notes`).toEqual([])
})

test('a missing or unreadable file is reported as such, not as damaged; a database without a panel or without users has no backup', async () => {
  const target = await database()
  const parent = await folder()
  const restore = (path: string) => restoreBackup({ url: target.url, path, secrets, force: false })
  await expect(restore(join(parent, 'missing.gz'))).rejects.toThrow(/^ENOENT: no such file/)
  await expect(restore(parent)).rejects.toThrow(/^EISDIR: /)
  await target.db.sql`drop schema drizzle cascade`
  await expect(writeBackupOf(target.url, { secrets, version, path: join(parent, 'x') })).rejects.toThrow('contains no panel data')
  const unused = await database()
  const refused = writeBackupOf(unused.url, { secrets, version, path: join(parent, 'x'), refuseEmpty: true })
  await expect(refused).rejects.toThrow('has no users')
  expect(await readdir(parent)).toEqual([])
})

test('a backup of an older version is restored and migrated; one of a newer version is refused', async () => {
  const older = await database()
  const known = listMigrations()
  const beforeTrackers = known.findIndex(({ name }) => name === '0022_trackers')
  await older.db.sql.begin((tx) => rebuild(tx, beforeTrackers))
  expect(await older.db.sql`select from pg_class where relname = 'trackers'`).toHaveLength(0)
  const [ann = { id: '' }] = await older.db.sql<{ id: string }[]>`
    insert into users (username, email, password_hash, role) values ('ann', 'ann@example.com', 'x', 'user') returning id`
  const path = join(await folder(), 'older.gz')
  await writeBackupOf(older.url, { secrets, version: '0.0.9', path })

  const target = await database()
  const restored = await restoreBackup({ url: target.url, path, secrets, force: false })
  expect(restored.version).toBe('0.0.9')
  expect(await target.db.sql`select id, email from users`).toEqual([{ id: ann.id, email: 'ann@example.com' }])
  expect(await target.db.sql`select from trackers`).toHaveLength(0)
  expect(await target.db.sql`select from drizzle.__drizzle_migrations`).toHaveLength(known.length)

  const text = gunzipSync(await readFile(path)).toString('utf8')
  await writeFile(path, gzipSync(text.replace(/"migrations":\["[0-9a-f]+"/, '"migrations":["ffff"').replace('0.0.9', '9.9.9')))
  await expect(restoreBackup({ url: target.url, path, secrets, force: true })).rejects.toThrow('the backup was written by version 9.9.9')
})

test('with another key everything else is restored, and undecryptable values are reported', async () => {
  const { path, before } = whole
  const target = await database()
  const other = createSecrets(randomBytes(32))
  const restored = await restoreBackup({ url: target.url, path, secrets: other, force: false })
  expect(restored.unreadable).toEqual([{ what: 'accounts.api_key_sealed', count: 101 }])
  expect(await contents(target.db)).toEqual(before)
})

test('one of several processes writes a scheduled backup when the last one is old enough, and the newest ones are kept', async () => {
  const path = join(await folder(), 'backups')
  const clock = createFakeClock(Date.parse('2026-11-20T10:30:00Z'))
  const shared = await database()
  const services = await Promise.all(
    [1, 2].map(async () => {
      const { services, close } = await createTestServices({ clock, database: { ...shared, close: () => Promise.resolve() } })
      onTestFinished(close)
      return services
    }),
  )
  const plan = { folder: path, everyMs: 6 * 3_600_000, keep: 2, scratch: null }
  const stops = services.map((each) => startBackups(each, plan))
  onTestFinished(async () => void (await Promise.all(stops.map((stop) => stop()))))
  const idle = () => expect.poll(() => clock.sleeping).toBe(2)
  const files = async () => (await readdir(path).catch(() => [])).toSorted((one, other) => (one < other ? -1 : 1))
  await idle()
  expect(await files()).toEqual(['zonedeck-20261120-103000.backup.gz'])
  const hour = async () => {
    await clock.advance(3_600_000)
    await idle()
  }
  for (let hours = 0; hours < 5; hours += 1) await hour()
  expect(await files()).toHaveLength(1)
  for (let hours = 0; hours < 14; hours += 1) await hour()
  expect(await files()).toHaveLength(2)
  expect(await files()).not.toContain('zonedeck-20261120-103000.backup.gz')
  for (const name of await files()) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600)
  const target = await database()
  const newest = (await files()).at(-1) ?? ''
  await expect(
    restoreBackup({ url: target.url, path: join(path, newest), secrets: services[0]?.secrets ?? secrets, force: false }),
  ).resolves.toBeDefined()
})
