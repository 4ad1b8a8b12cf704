import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivate, startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/platform/log.ts'

const log = createLog('silent')
let parent: string
let open: { end(): Promise<void> }[]
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'zonedeck-embedded-'))
  // If run by root, the database's user must be able to traverse the folder.
  await chmod(parent, 0o711)
  open = []
})
afterEach(async () => {
  for (const each of open.toReversed()) await each.end()
  await rm(parent, { recursive: true, force: true })
})

async function start(folder: string) {
  const embedded = await startEmbedded(folder, log)
  open.push({ end: () => embedded.stop() })
  const connect = (url: string) => {
    const sql = postgres(url, { max: 2, onnotice: () => undefined })
    open.push({ end: () => sql.end() })
    return sql
  }
  const end = async () => {
    for (const each of open.splice(0).toReversed()) await each.end()
  }
  return { url: embedded.url, adminUrl: embedded.adminUrl, panel: connect(embedded.url), admin: connect(embedded.adminUrl), end }
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const isRoot = process.getuid?.() === 0

test('the panel owns its database in the bundled PostgreSQL without superuser rights: it cannot read files, run programs or create roles', async () => {
  const folder = join(parent, 'data')
  const { url, panel } = await start(folder)
  await migrate(url)
  expect(
    await panel`select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
  ).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false }])
  for (const statement of [
    "copy (select 1) to program 'cat'",
    "select pg_read_file('postgresql.conf')",
    'create role other',
    "alter system set fsync = 'off'",
    'create database other',
  ]) {
    await expect(panel.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
  }
})

test('a data folder that an earlier version created as superuser belongs to the panel’s user after the next start, with all its data', async () => {
  const folder = join(parent, 'data')
  const before = await start(folder)
  // As earlier versions left it: one superuser role owns everything, and the folder is accessible to all.
  await before.admin`alter database zonedeck owner to zonedeck`
  await migrate(before.adminUrl)
  await before.admin`drop database zonedeck_scratch`
  await before.admin`drop role zonedeck_panel`
  await before.admin`insert into users (username, email, password_hash, role) values ('ann', 'ann@example.com', 'x', 'admin')`
  await before.end()
  await rm(join(folder, 'postgres.panel.password'))
  await chmod(folder, 0o755)

  const { url, panel } = await start(folder)
  expect(await panel`select username from users`).toEqual([{ username: 'ann' }])
  const owned = (catalog: string, owner: string, name: string, condition = 'true') =>
    panel.unsafe<{ name: string }[]>(
      `select ${name}::text as name from ${catalog} where pg_get_userbyid(${owner}) = 'zonedeck' and ${condition} and
        ${name}::text !~ '^(pg_|information_schema)' order by 1`,
    )
  const user = "in (select oid from pg_namespace where nspname in ('public', 'drizzle'))"
  expect(await owned('pg_class', 'relowner', 'relname', `relnamespace ${user}`)).toEqual([])
  expect(await owned('pg_proc', 'proowner', 'proname', `pronamespace ${user}`)).toEqual([])
  expect(await owned('pg_type', 'typowner', 'typname', `typnamespace ${user}`)).toEqual([])
  expect(await owned('pg_namespace', 'nspowner', 'nspname')).toEqual([])
  expect(await owned('pg_database', 'datdba', 'datname', "datname = 'zonedeck'")).toEqual([])
  // It may do everything that later migrations and restores do.
  await migrate(url)
  await panel
    .begin(async (tx) => {
      await tx`alter table users add column later text`
      await tx`drop schema public cascade`
      await tx`drop schema drizzle cascade`
      throw new Error('back')
    })
    .catch((error: unknown) => expect(String(error)).toBe('Error: back'))
  expect(await modeOf(folder)).toBe(isRoot ? 0o710 : 0o700)
})

test('private files are readable by the owner only, whether new or already there', async () => {
  const made = join(parent, 'new/deep')
  await makePrivate(made)
  expect(await modeOf(made)).toBe(0o700)
  const there = join(parent, 'there')
  await mkdir(there)
  await chmod(there, 0o755)
  await writeFile(join(there, 'kept'), 'x')
  await makePrivate(there)
  expect((await modeOf(there)) & 0o067).toBe(0)
  await makePrivate(there)
  expect(await modeOf(there)).toBe(isRoot ? 0o710 : 0o700)
})
