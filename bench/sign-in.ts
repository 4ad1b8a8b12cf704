import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { verify } from '@node-rs/argon2'
import { hashPassword } from '#server/platform/passwords.ts'
import { insertUser } from '#server/testing/factories.ts'
import type { Bench } from './bench.ts'
import { percentile } from './bench.ts'
import { startDatabase, startPanel } from './panel.ts'

const password = 'correct horse battery'
const people = 200
const forMs = 10_000

const rssMb = async (pid: number) => Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Runs the given number of concurrent sign-ins repeatedly and returns the rate per second. */
async function rate(sideBySide: number, work: (index: number) => Promise<void>): Promise<number> {
  let done = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      while (performance.now() - began < forMs) await work(done++)
    }),
  )
  return done / ((performance.now() - began) / 1000)
}

export const signIn: Bench = {
  about: 'sign-ins a second, and two hundred concurrently',
  async run(report) {
    const database = await startDatabase()
    const panel = await startPanel(database, { TRUST_PROXY: '127.0.0.1' })
    try {
      const passwordHash = await hashPassword(password)
      for (let index = 0; index < people; index += 1) await insertUser(database.db, { email: `p${index}@example.com`, passwordHash })
      let host = 0
      const enter = async (index: number) => {
        host += 1
        const answer = await fetch(`${panel.url}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}` },
          body: JSON.stringify({ email: `p${index % people}@example.com`, password }),
        })
        if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`)
        await answer.arrayBuffer()
      }
      await Promise.all(Array.from({ length: 10 }, (_, index) => enter(index)))

      const cores = availableParallelism()
      const plain = await rate(cores, async () => {
        if (!(await verify(passwordHash, password))) throw new Error('the password did not match')
      })
      const signIns = await rate(20, enter)
      report({
        name: 'sign-ins a second, 20 at a time',
        value: signIns,
        unit: '/s',
        against: {
          kind: 'at least',
          value: plain * 0.6,
          what: `60 % of argon2id without the server, ${cores} at a time, on an idle machine`,
        },
        more: { argon2idPerSecond: plain },
      })

      const pid = panel.process.pid ?? 0
      const before = await rssMb(pid)
      let most = before
      let bursting = true
      const health: number[] = []
      const watch = (async () => {
        while (bursting) {
          const began = performance.now()
          await (await fetch(`${panel.url}/api/health`)).arrayBuffer()
          health.push(performance.now() - began)
          most = Math.max(most, await rssMb(pid))
          await wait(10)
        }
      })()
      const began = performance.now()
      await Promise.all(Array.from({ length: people }, (_, index) => enter(index)))
      const tookMs = performance.now() - began
      bursting = false
      await watch
      report({
        name: '200 concurrent sign-ins: additional memory',
        value: most - before,
        unit: 'MB',
        against: {
          kind: 'at most',
          value: 4 * 19 + 50,
          what: 'four hashes of 19 MB and 50 MB of requests; 3.8 GB if all ran concurrently',
        },
        more: { seconds: tookMs / 1000 },
      })
      report({
        name: '200 concurrent sign-ins: any other answer, p95',
        value: percentile(health, 0.95),
        unit: 'ms',
        against: { kind: 'at most', value: 100, what: 'not noticeable' },
      })
    } finally {
      await panel.stop()
      await database.close()
    }
  },
}
