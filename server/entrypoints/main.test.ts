import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { startProcess, temporaryFolder } from '#server/testing/process.ts'
import type { ServerProcess } from '#server/testing/process.ts'

const slow = 120_000

function start(env: Record<string, string>, program = 'main.ts', args: string[] = []): ServerProcess {
  const server = startProcess(program, env, args)
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await server.ended
  }, slow)
  return server
}

async function dataFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder()
  onTestFinished(async () => {
    // Processes left running by a failed test end with their folder.
    const pid = Number((await readFile(join(path, 'data/postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
    if (pid > 0) process.kill(pid, 'SIGQUIT')
    await remove()
  }, slow)
  return join(path, 'data')
}

const credentials = { email: 'ann@example.com', password: 'secret1' }
const newcomer = { ...credentials, passwordConfirmation: 'secret1' }
const post = async (address: string, path: string, body: object) =>
  fetch(`${address}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

async function stopWell(server: ServerProcess): Promise<void> {
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}

const postgresIsAlive = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, 'postgres/postmaster.pid')).catch(() => null)) !== null

test(
  'R-APP-02 the server starts without configuration, also in a private folder; its PostgreSQL survives a killed server, is reused, and stops with the server',
  { timeout: slow },
  async () => {
    const folder = await dataFolder()
    const first = start({ DATA_DIR: folder })
    expect((await post(await first.address, '/api/auth/register', newcomer)).status).toBe(200)
    const key = await readFile(join(folder, 'secret.key'), 'utf8')
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
    first.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    expect(await postgresIsAlive(folder)).toBe(true)

    const second = start({ DATA_DIR: folder })
    expect((await post(await second.address, '/api/auth/login', credentials)).status).toBe(200)
    expect(await readFile(join(folder, 'secret.key'), 'utf8')).toBe(key)
    await stopWell(second)
    expect(await postgresIsAlive(folder)).toBe(false)

    // A pid file left by a crash of the whole machine, whose pid now belongs to another process.
    await writeFile(join(folder, 'postgres/postmaster.pid'), `${process.pid}\n${folder}/postgres\n1\n5999\n\n127.0.0.1\n`)
    const third = start({ DATA_DIR: folder })
    expect((await post(await third.address, '/api/auth/login', credentials)).status).toBe(200)
    await stopWell(third)
  },
)

test(
  'R-APP-02 two concurrent first starts on one folder share one PostgreSQL, which runs until the last one stops',
  { timeout: slow },
  async () => {
    const folder = await dataFolder()
    const [one, two] = [start({ DATA_DIR: folder }), start({ DATA_DIR: folder })]
    const [first, second] = await Promise.all([one.address, two.address])
    expect((await post(first, '/api/auth/register', newcomer)).status).toBe(200)
    expect((await post(second, '/api/auth/login', credentials)).status).toBe(200)
    await stopWell(one)
    expect((await post(second, '/api/auth/login', credentials)).status).toBe(200)
    await stopWell(two)
    expect(await postgresIsAlive(folder)).toBe(false)
  },
)

test('R-APP-02 a PostgreSQL that exits while the server runs is restarted', { timeout: slow }, async () => {
  const folder = await dataFolder()
  const server = start({ DATA_DIR: folder })
  const address = await server.address
  expect((await post(address, '/api/auth/register', newcomer)).status).toBe(200)
  const pid = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
  // Whether a query hits the downtime is random; that it is detected is not.
  await expect.poll(() => server.output(), { timeout: 60_000 }).toContain('PostgreSQL stopped unexpectedly; restarting it')
  await expect.poll(async () => (await fetch(`${address}/api/health`)).status, { timeout: 60_000, interval: 200 }).toBe(200)
  expect((await post(address, '/api/auth/login', credentials)).status).toBe(200)
  await stopWell(server)
})

test('R-APP-02 DATABASE_URL replaces the bundled PostgreSQL, and the data folder holds only the key', { timeout: slow }, async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const folder = await dataFolder()
  const server = start({ DATA_DIR: folder, DATABASE_URL: database.url })
  expect((await post(await server.address, '/api/auth/register', newcomer)).status).toBe(200)
  expect(await database.db.sql`select email from users`).toEqual([{ email: newcomer.email }])
  expect(await postgresIsAlive(folder)).toBe(false)
  await stopWell(server)
})

/** Code run before the program that shifts its clock. */
const clockAhead = (ms: number) =>
  `--import=data:text/javascript,${encodeURIComponent(
    `const D=Date;globalThis.Date=class extends D{constructor(...a){if(a.length)super(...a);else super(D.now()+${ms})}static now(){return D.now()+${ms}}}`,
  )}`

test(
  'R-MON-04 a process whose clock is a day ahead uses the database’s time and reports its clock as wrong',
  { timeout: slow },
  async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.close())
    const env = { DATA_DIR: await dataFolder(), DATABASE_URL: database.url, NODE_OPTIONS: clockAhead(86_400_000) }
    const server = start(env)
    await server.address
    const { sql } = database.db
    expect(await sql`select role, abs(skew_ms - 86400000) < 60000 as right from process_clocks`).toEqual([{ role: 'all', right: true }])
    expect(server.output()).toContain('the clock of this process differs')
    await expect
      .poll(() => sql`select abs(extract(epoch from now() - seen_at)) < 300 as right from probes`, { timeout: slow })
      .toEqual([{ right: true }])
    await stopWell(server)
    expect(await sql`select 1 from process_clocks`).toEqual([])
  },
)

test('a stopping server finishes running requests, asks its streams to reconnect, and accepts nothing new', { timeout: slow }, async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const server = start({ DATA_DIR: await dataFolder(), DATABASE_URL: database.url })
  const address = await server.address
  const { token } = (await (await post(address, '/api/auth/register', newcomer)).json()) as { token: string }
  const stream = await fetch(`${address}/trpc/live.events`, { headers: { authorization: `Bearer ${token}` } })

  // Half of a body is sent before the signal, the rest after it.
  const body = JSON.stringify(credentials)
  const answer = Promise.withResolvers<number | undefined>()
  const slowCall = request(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  slowCall.on('response', (response) => answer.resolve(response.statusCode)).on('error', answer.reject)
  slowCall.flushHeaders()
  // The server logs when it has started the call.
  await once(slowCall, 'continue')
  slowCall.write(body.slice(0, 10))
  server.kill('SIGTERM')
  await expect.poll(() => server.output()).toContain('"msg":"stopping"')
  slowCall.end(body.slice(10))
  expect(await answer.promise).toBe(200)
  expect(await stream.text()).toContain('shutting_down')
  expect(await server.ended).toBe(0)
  await expect(fetch(`${address}/api/health`)).rejects.toThrow('fetch failed')
})

test('a signal repeated by npm counts once', { timeout: slow }, async () => {
  const folder = await dataFolder()
  const server = start({ DATA_DIR: folder })
  await server.address
  server.kill('SIGINT')
  server.kill('SIGINT')
  expect(await server.ended).toBe(0)
  expect(await postgresIsAlive(folder)).toBe(false)
})

test('invalid environment variables are reported one per line, and nothing starts', { timeout: slow }, async () => {
  const server = start({ PORT: 'http', ROLE: 'everything', SECRET_KEY: 'canary', DATABASE_URL: 'mysql://canary' })
  expect(await server.ended).toBe(1)
  const lines = server.output().trim().split('\n')
  expect(lines.map((line) => line.split(':')[0])).toEqual(['PORT', 'DATABASE_URL', 'SECRET_KEY', 'ROLE'])
  expect(server.output()).not.toContain('canary')
})

test('a port in use is reported in one sentence that names PORT, and the process stops its own PostgreSQL', { timeout: slow }, async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const one = start({ DATA_DIR: await dataFolder(), DATABASE_URL: database.url })
  const folder = await dataFolder()
  const two = start({ DATA_DIR: folder, PORT: new URL(await one.address).port })
  expect(await two.ended).toBe(1)
  expect(two.output()).toMatch(/^PORT: port \d+ is already in use; choose another one$/m)
  expect(two.output()).not.toContain('EADDRINUSE')
  expect(await stat(join(folder, 'postgres/PG_VERSION'))).toBeTruthy()
  expect(await postgresIsAlive(folder)).toBe(false)
})

test(
  'an operator creates a user, resets a password, which ends that person’s sessions, and disables and enables the user',
  { timeout: slow },
  async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.close())
    const env = { DATA_DIR: await dataFolder(), DATABASE_URL: database.url }
    const cli = async (...args: string[]) => {
      const run = start(env, 'cli.ts', args)
      return [await run.ended, run.output()] as const
    }
    expect((await cli('create-user', 'Op@Example.com', '--role', 'admin', '--password', 'first-one'))[1]).toBe(
      'created op@example.com (admin)\n',
    )
    expect(await cli('create-user', 'op@example.com')).toEqual([1, 'This email is already in use. Use another one.\n'])
    expect(await cli('create-user', 'op')).toEqual([1, 'email: Invalid email format\n'])
    const server = start(env)
    const address = await server.address
    const login = async (password: string) => post(address, '/api/auth/login', { email: 'op@example.com', password })
    const { token } = (await (await login('first-one')).json()) as { token: string }
    const [code, output] = await cli('reset-password', 'op@example.com')
    expect(code).toBe(0)
    const password = /password (\S+)\n$/.exec(output)?.[1] ?? ''
    expect((await login(password)).status).toBe(200)
    expect((await login('first-one')).status).toBe(401)
    expect((await fetch(`${address}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)

    expect(await cli('disable-user', 'op@example.com')).toEqual([1, expect.stringContaining('The last administrator cannot be')])
    await cli('create-user', 'second@example.com', '--role', 'admin')
    expect(await cli('disable-user', 'op@example.com')).toEqual([0, 'op@example.com is disabled\n'])
    expect((await login(password)).status).toBe(403)
    expect((await cli('reset-password', 'op@example.com', '--revoke-tokens', '--password', 'third one'))[1]).toContain('enable-user')
    expect(await cli('enable-user', 'op@example.com')).toEqual([0, 'op@example.com is enabled\n'])
    expect((await login('third one')).status).toBe(200)
  },
)
