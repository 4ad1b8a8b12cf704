import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { emptyTables } from '#server/testing/empty-tables.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const startLimitMs = 90_000

export interface Panel {
  readonly url: string
  readonly process: ChildProcess
  /** The log output so far. */
  log(): string
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Starts a server process on a free port. `env` overrides the defaults of the tests. */
export async function startPanel(env: Readonly<Record<string, string>>): Promise<Panel> {
  const child = spawn('node', ['server/entrypoints/main.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not start in time:\n${output}`)), startLimitMs)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /^Zonedeck is running at (http\S+)$/m.exec(output)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the server ended with ${String(code)}:\n${output}`))
    })
  })
  return {
    url,
    process: child,
    log: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
  }
}

/** Clones an empty database from the template of the run. */
export async function cloneDatabase(): Promise<{
  readonly url: string
  run(statement: string): Promise<void>
  clear(): Promise<void>
  drop(): Promise<void>
}> {
  const template = new URL(process.env['E2E_TEMPLATE_URL'] ?? '')
  const name = `e2e_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const at = (database: string) => Object.assign(new URL(template), { pathname: `/${database}` }).href
  const run = async (url: string, ...statements: readonly string[]) => {
    const admin = postgres(url, { max: 1, onnotice: () => undefined })
    try {
      for (const statement of statements) await admin.unsafe(statement)
    } finally {
      await admin.end()
    }
  }
  await run(at('postgres'), `create database ${name} template e2e_template`)
  return {
    url: at(name),
    run: (statement) => run(at(name), statement),
    clear: async () => {
      for (let left = 10; ; left -= 1) {
        try {
          return await empty(at(name))
        } catch (error) {
          // A running server locks the same tables in the opposite order; usually it is the one that is aborted.
          if (left === 0 || !(error instanceof postgres.PostgresError) || error.code !== deadlock) throw error
        }
      }
    },
    drop: () => run(at('postgres'), `drop database if exists ${name} with (force)`),
  }
}

const deadlock = '40P01'
async function empty(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql`set deadlock_timeout = '5s'`
    const tables = await sql<{ tablename: string }[]>`select tablename from pg_tables where schemaname = 'public'`
    await emptyTables({ sql }, ...tables.map(({ tablename }) => tablename))
  } finally {
    await sql.end()
  }
}

/** Creates a temporary directory that is removed later; the database user can traverse it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'zonedeck-e2e-'))
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
