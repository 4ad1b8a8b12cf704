import { existsSync } from 'node:fs'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertUser } from '#server/testing/factories.ts'
import { startProcess, temporaryFolder } from '#server/testing/process.ts'

const slow = 240_000

async function folder(): Promise<string> {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  return path
}

async function database(): Promise<TestDatabase> {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  return test
}

async function cli(env: Readonly<Record<string, string>>, ...args: string[]): Promise<readonly [number | NodeJS.Signals, string]> {
  const run = startProcess('cli.ts', env, args)
  return [await run.ended, run.output()]
}

const base64 = (byte: number) => Buffer.alloc(32, byte).toString('base64')

test('an operator backs up, restores elsewhere, and is shown what cannot be decrypted with another key', { timeout: slow }, async () => {
  const [source, target] = [await database(), await database()]
  const path = await folder()
  const file = join(path, 'panel.backup.gz')
  const owner = await insertUser(source.db, { email: 'ann@example.com' })
  const secrets = createSecrets(Buffer.alloc(32, 1))
  await insertAccount(source.db, { ownerId: owner.id }, { secrets, apiKey: 'key' })
  const at = ({ url }: TestDatabase, key: number) => ({ DATA_DIR: path, DATABASE_URL: url, SECRET_KEY: base64(key) })

  const [backed, printed] = await cli(at(source, 1), 'backup', file)
  expect([backed, printed]).toEqual([
    0,
    expect.stringMatching(/^wrote \d+ rows in \d+ tables to .+\nThe backup does not contain the secret key\. Without SECRET_KEY /),
  ])
  expect(await cli(at(target, 1), 'restore', file)).toEqual([0, expect.stringContaining('the secret key matches')])
  expect(await target.db.sql`select email from users`).toEqual([{ email: 'ann@example.com' }])
  expect(await cli(at(target, 1), 'restore', file)).toEqual([1, 'the database is not empty; --force deletes its contents\n'])
  const [forced, warning] = await cli(at(target, 2), 'restore', file, '--force')
  expect(forced).toBe(0)
  expect(warning).toContain('\n  keys of Cloudflare accounts: 1\n')
  expect(warning).not.toContain('_sealed')
  expect(await cli(at(target, 1), 'backup')).toEqual([1, 'specify the backup file\n'])

  expect(await cli({}, 'backup', file, '--verify')).toEqual([
    0,
    expect.stringMatching(/ is complete: \d+ rows in \d+ tables, written by version /),
  ])
  expect(await cli({}, 'backup', `${file}.none`, '--verify')).toEqual([1, `${file}.none: no such file or folder\n`])
  await truncate(file, 1_000)
  expect(await cli({}, 'backup', file, '--verify')).toEqual([1, 'the backup is damaged or incomplete: the end of the file is missing\n'])
})

test('--version and --help of the operator’s commands need no database, and an unknown command is named', { timeout: slow }, async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  expect(await cli({}, '--version')).toEqual([0, `${version}\n`])
  expect(await cli({}, '--help')).toEqual([0, expect.stringMatching(/backup FILE[\s\S]*rotate-key/)])
  const [code, one] = await cli({}, 'restore', '--help')
  expect([code, one.includes('restore FILE'), one.includes('rotate-key')]).toEqual([0, true, false])
  expect(await cli({}, 'restor')).toEqual([2, 'unknown command "restor"; to list all commands, run npm run cli -- --help\n'])
})

test('a command on an empty data folder reports that and creates nothing', { timeout: slow }, async () => {
  const path = await folder()
  const file = join(path, 'panel.backup.gz')
  const empty = { DATA_DIR: join(path, 'data') }
  const nothing = `no panel found in ${empty.DATA_DIR}, so nothing was changed; set DATA_DIR to its folder, or DATABASE_URL to its database\n`
  expect(await cli(empty, 'backup', file)).toEqual([1, nothing])
  expect(await cli(empty, 'rotate-key')).toEqual([1, nothing])
  const { url } = await database()
  expect(await cli({ ...empty, DATABASE_URL: url }, 'backup', file)).toEqual([1, expect.stringContaining('was not found at')])
  const keyed = { ...empty, DATABASE_URL: url, SECRET_KEY: base64(1) }
  expect(await cli(keyed, 'backup', file)).toEqual([1, expect.stringContaining('has no users')])
  expect(await readdir(path)).toEqual([])
})

test(
  'the key in the data folder is rotated; an interrupted rotation keeps the panel from starting and is completed by the next one',
  { timeout: slow },
  async () => {
    const { url, db } = await database()
    const path = await folder()
    const env = { DATA_DIR: path, DATABASE_URL: url }
    const keyFile = join(path, 'secret.key')
    await writeFile(keyFile, base64(1), { mode: 0o600 })
    const owner = await insertUser(db)
    const account = await insertAccount(db, { ownerId: owner.id }, { secrets: createSecrets(Buffer.alloc(32, 1)), apiKey: 'key' })
    const opens = async (key: string) => {
      const [row] = await db.sql<{ encrypted: string }[]>`select api_key_sealed as encrypted from accounts`
      return createSecrets(Buffer.from(key.trim(), 'base64')).decrypt(row?.encrypted ?? '', `account:${account.id}:apiKey`)
    }
    expect((await cli(env, 'rotate-key'))[0]).toBe(0)
    const second = await readFile(keyFile, 'utf8')
    expect(second.trim()).not.toBe(base64(1))
    expect(await opens(second)).toBe('key')
    expect(existsSync(`${keyFile}.next`)).toBe(false)

    // As after a crash between writing the database and the file: the new key is beside the old one.
    await writeFile(keyFile, base64(1), { mode: 0o600 })
    await writeFile(`${keyFile}.next`, second, { mode: 0o600 })
    const server = startProcess('main.ts', env)
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain('run `npm run cli -- rotate-key` again')
    expect((await cli(env, 'rotate-key'))[1]).toContain('secrets encrypted with the new key: 0')
    expect(await readFile(keyFile, 'utf8')).toBe(second)
    expect(await opens(second)).toBe('key')
  },
)

test('a key from the environment is rotated to another one from the environment', { timeout: slow }, async () => {
  const { url, db } = await database()
  const env = { DATA_DIR: await folder(), DATABASE_URL: url, SECRET_KEY: base64(1) }
  const owner = await insertUser(db)
  await insertAccount(db, { ownerId: owner.id }, { secrets: createSecrets(Buffer.alloc(32, 1)), apiKey: 'key' })
  expect(await cli(env, 'rotate-key')).toEqual([1, expect.stringMatching(/^NEW_SECRET_KEY: required if SECRET_KEY is set/)])
  const [code, text] = await cli({ ...env, NEW_SECRET_KEY: base64(2) }, 'rotate-key')
  expect([code, text]).toEqual([0, expect.stringContaining('secrets encrypted with the new key: 1; set SECRET_KEY to it')])
  expect(text).not.toContain(base64(2))
})

test('R-PRM-04 a refused key rotation leaves nothing behind', { timeout: slow }, async () => {
  const { url } = await database()
  const path = await folder()
  const panel = connect(url)
  await panel.sql`select 1`
  const answer = await cli({ DATA_DIR: path, DATABASE_URL: url }, 'rotate-key')
  await panel.close()
  expect(answer).toEqual([1, expect.stringContaining('the panel is running on this database')])
  expect(await readdir(path)).toEqual(['secret.key'])
})

test('R-PRM-04 a key rotation in a data folder without a panel is refused, and the panel can start there', { timeout: slow }, async () => {
  const { url, db } = await database()
  await db.sql.unsafe('drop schema public cascade; drop schema drizzle cascade; create schema public')
  const env = { DATA_DIR: await folder(), DATABASE_URL: url }
  for (const _ of ['once', 'and again'])
    expect(await cli(env, 'rotate-key')).toEqual([1, expect.stringContaining('the database contains no panel data')])
  expect(await readdir(env.DATA_DIR)).toEqual(['secret.key'])
  expect(await cli(env, 'migrate')).toEqual([0, 'the database is up to date\n'])
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a backup and a restore stopped by %s leave nothing behind', { timeout: slow }, async (signal, code) => {
  const { url, db } = await database()
  const path = await folder()
  const env = { DATA_DIR: path, DATABASE_URL: url, SECRET_KEY: base64(1) }
  const file = join(path, 'whole.gz')
  await insertUser(db)
  expect((await cli(env, 'backup', file))[0]).toBe(0)
  // The lock makes the command wait, so that it is in progress when it is stopped.
  const stopInside = async (lock: string, ...args: string[]) => {
    const run = await db.sql.begin(async (tx) => {
      await tx.unsafe(`lock table users in ${lock} mode`)
      const run = startProcess('cli.ts', env, args)
      await expect
        .poll(
          async () =>
            (
              await db.sql`select from pg_locks where not granted and database = (
        select oid from pg_database where datname = current_database())`
            ).length,
          { timeout: 60_000 },
        )
        .toBeGreaterThan(0)
      run.kill(signal)
      // Once more, like npm.
      run.kill(signal)
      return run
    })
    return [await run.ended, run.output()]
  }
  expect(await stopInside('access exclusive', 'backup', join(path, 'half.gz'))).toEqual([code, 'stopped; nothing was changed\n'])
  expect(await stopInside('access share', 'restore', file, '--force')).toEqual([code, 'stopped; nothing was changed\n'])
  expect(await readdir(path)).toEqual(['whole.gz'])
  expect(await db.sql`select from users`).toHaveLength(1)
})

test('R-APP-02 a stopped command stops the bundled PostgreSQL that it started', { timeout: slow }, async () => {
  const path = await folder()
  const pidFile = join(path, 'postgres/postmaster.pid')
  const run = startProcess('cli.ts', { DATA_DIR: path }, ['migrate'])
  await expect.poll(() => existsSync(pidFile), { timeout: 60_000 }).toBe(true)
  run.kill('SIGINT')
  expect([await run.ended, run.output()]).toEqual([130, 'stopped; nothing was changed\n'])
  expect(existsSync(pidFile)).toBe(false)
})

test('an operator exports one person’s data as files', { timeout: slow }, async () => {
  const { url, db } = await database()
  const path = await folder()
  const owner = await insertUser(db, { email: 'ann@example.com' })
  await insertAccount(db, { ownerId: owner.id, email: 'cf@example.com' })
  const env = { DATA_DIR: path, DATABASE_URL: url, SECRET_KEY: base64(1) }
  const [code, text] = await cli(env, 'export-user', 'Ann@Example.com', join(path, 'ann'))
  expect([code, text]).toEqual([0, expect.stringContaining('accounts.csv (1)')])
  expect(await readFile(join(path, 'ann/accounts.csv'), 'utf8')).toContain('cf@example.com')
  expect((await cli(env, 'export-user', 'nobody@example.com', join(path, 'x')))[0]).toBe(1)
})
