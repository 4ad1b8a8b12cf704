import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSecrets } from '#server/platform/secrets.ts'
import type { Services } from '#server/platform/context.ts'
import { createCells } from '#server/testing/access-cells.ts'
import type { Caller } from '#server/testing/malformed/send-malformed.ts'
import { startProcess } from '#server/testing/process.ts'
import type { ServerProcess } from '#server/testing/process.ts'

const nobody = 'http://127.0.0.1:9'
/** The memory of a small machine, which the largest bodies must not use up. */
const heapMb = 384

export interface Target {
  readonly origin: string
  readonly port: number
  readonly server: ServerProcess
  /** A person with objects, an administrator, and API tokens, all newly created. */
  callers(): Promise<readonly Caller[]>
  /** After garbage collection, in megabytes; `heap` includes buffers. */
  memory(): Promise<{ readonly rss: number; readonly heap: number }>
  /** Its computing time so far: unlike waiting time, it does not depend on what else the machine does. */
  cpuMs(): Promise<number>
  stop(): Promise<void>
}

/** A whole server in a separate process, whose providers are unreachable. */
export async function startTarget(databaseUrl: string, db: Services['db']): Promise<Target> {
  const key = randomBytes(32)
  const reportUsage = fileURLToPath(new URL('report-usage.ts', import.meta.url))
  const server = startProcess('main.ts', {
    // Free memory is returned to the system immediately, so that the rest is in use.
    MALLOC_ARENA_MAX: '1',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '131072',
    NODE_OPTIONS: `--expose-gc --max-old-space-size=${heapMb} --import=${reportUsage}`,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: key.toString('base64'),
    ROLE: 'web',
    LOG_LEVEL: 'error',
    ...Object.fromEntries(
      ['CLOUDFLARE', 'NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU', 'TELEGRAM', 'GLOBALPING'].map((name) => [`${name}_BASE_URL`, nobody]),
    ),
    RDAP_BOOTSTRAP_URL: `${nobody}/dns.json`,
  })
  const origin = await server.address
  const secrets = createSecrets(key)
  /** Sends the signal and returns the numbers that the server prints. */
  const ask = async (signal: NodeJS.Signals, answer: RegExp): Promise<number[]> => {
    const before = server.output().length
    server.kill(signal)
    for (let turn = 0; turn < 1_000; turn += 1) {
      const found = answer.exec(server.output().slice(before))
      if (found !== null) return found.slice(1).map(Number)
      await wait(10)
    }
    throw new Error(`the server does not answer ${signal}`)
  }
  return {
    origin,
    port: Number(new URL(origin).port),
    server,
    async callers() {
      const cells = await createCells({ db, secrets } as Services, ['owner', 'owner', 'admin', 'writeToken', 'readToken', 'manager'])
      return cells.map(({ headers, resources: { zoneName, accountEmail, userName, friendName, ...resources } }) => {
        const ids = Object.values(resources).filter((id) => id !== '')
        const texts = [zoneName, accountEmail, userName, friendName, 'www', 'A', '192.0.2.9', 'example.com', ...ids.slice(0, 3)]
        return { authorization: headers['authorization'] ?? '', named: { ids, texts } }
      })
    },
    async memory() {
      const [rss = 0, heap = 0] = await ask('SIGUSR2', /^memory (\d+) (\d+)$/m)
      return { rss, heap }
    },
    cpuMs: async () => (await ask('SIGWINCH', /^cpu (\d+)$/m))[0] ?? 0,
    async stop() {
      server.kill('SIGKILL')
      await server.ended
    },
  }
}
