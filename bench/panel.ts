import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { connect } from '#server/db/client.ts'
import type { Database } from '#server/db/client.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/platform/log.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { insertUser } from '#server/testing/factories.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface BenchDatabase {
  readonly url: string
  readonly dataDir: string
  readonly db: Database
  close(): Promise<void>
}

/** A migrated PostgreSQL in a temporary directory, or in one that is kept for the next run. */
export async function startDatabase(keptIn?: string): Promise<BenchDatabase> {
  const dataDir = keptIn ?? (await mkdtemp(join(tmpdir(), 'zonedeck-bench-')))
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o711)
  const embedded = await startEmbedded(dataDir, createLog('warn'))
  await migrate(embedded.url)
  const db = connect(embedded.url, { name: 'zonedeck-bench' })
  return {
    url: embedded.url,
    dataDir,
    db,
    async close() {
      await db.close()
      await embedded.stop()
      if (keptIn === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates a user who owns the zones, with a token. */
export async function insertOwner(db: Database, role: 'admin' | 'user' = 'user'): Promise<{ readonly id: string; readonly token: string }> {
  const user = await insertUser(db, { role })
  return { id: user.id, token: await createSessions(db).create(db.orm, user.id, { address: null, userAgent: 'bench' }) }
}

export interface Child {
  readonly process: ChildProcess
  readonly url: string
  /** The time from the start of the process to the line that reports its address. */
  readonly startedMs: number
  stop(): Promise<void>
}

/** Starts a script as a separate process and waits for the line with its address. */
export async function startChild(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Child> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /https?:\/\/\S+/.exec(line)?.[0]
      if (found !== undefined) resolve(found)
      // Its errors are reported beside the figures.
      if (line.includes('"level":50')) process.stderr.write(`${line}\n`)
    })
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  return {
    process: child,
    url,
    startedMs: performance.now() - began,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export const startPanel = (database: BenchDatabase, env: Readonly<Record<string, string>> = {}): Promise<Child> =>
  startChild('server/entrypoints/main.ts', [], {
    PORT: '0',
    DATABASE_URL: database.url,
    DATA_DIR: database.dataDir,
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    // Unreachable on purpose: the measured code queries no registry.
    RDAP_BOOTSTRAP_URL: 'http://127.0.0.1:9/dns.json',
    ...env,
  })
