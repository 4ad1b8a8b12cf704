import { setTimeout as wait } from 'node:timers/promises'
import { brokenRequests, openSlowClients, sendBytes } from '#server/testing/malformed/broken-connections.ts'
import { listEntryPoints } from '#server/testing/malformed/malformed-request.ts'
import { describeFaults, sendMalformed } from '#server/testing/malformed/send-malformed.ts'
import { startTarget } from '#server/testing/malformed/start-target.ts'
import type { Bench } from './bench.ts'
import { startDatabase } from './panel.ts'

const rounds = 5
const roundOf = 20_000
/** A request may take 60 s, and overdue requests are looked for every 30 s. */
const cutOffMs = 100_000
/** Six concurrent requests on an otherwise idle machine. */
const patienceMs = 10_000

export const malformed: Bench = {
  about: `${rounds * roundOf} malformed requests over every route and procedure, another seed each round`,
  async run(report) {
    const database = await startDatabase()
    const target = await startTarget(database.url, database.db)
    try {
      const entryPoints = listEntryPoints()
      const slow = openSlowClients(target.port, 500)
      const slowSince = performance.now()
      const faults: string[] = []
      const memory: { readonly rss: number; readonly heap: number }[] = []
      let slowestMs = 0
      const began = performance.now()
      for (let round = 0; round < rounds; round += 1) {
        const run = await sendMalformed(target.origin, entryPoints, { seed: 1_000 + round, count: roundOf, callers: target.callers })
        faults.push(...describeFaults(run.faults))
        slowestMs = Math.max(slowestMs, run.slowestMs)
        memory.push(await target.memory())
        process.stderr.write(`round ${round + 1} of ${rounds}: ${JSON.stringify(memory.at(-1))}\n`)
      }
      const perSecond = (rounds * roundOf * 1_000) / (performance.now() - began)
      for (const bytes of Object.values(brokenRequests)) {
        const { statuses, closed } = await sendBytes(target.port, bytes, patienceMs)
        if (!closed || statuses.some((status) => status >= 500)) faults.push(`a broken connection was answered ${statuses.join()}`)
      }
      await wait(Math.max(0, cutOffMs - (performance.now() - slowSince)))
      for (const fault of faults) process.stderr.write(`${fault}\n`)
      const grown = (of: 'rss' | 'heap') => (memory.at(-1)?.[of] ?? 0) - (memory[0]?.[of] ?? 0)
      const none = { kind: 'at most', value: 0, what: 'none' } as const
      report({
        name: 'internal errors, stack traces and missing responses',
        value: faults.length,
        unit: '',
        against: none,
        more: { perSecond },
      })
      report({ name: 'slow clients that were not disconnected', value: slow.open(), unit: '', against: { ...none, what: 'after 100 s' } })
      const patience = { kind: 'at most', value: patienceMs / 1_000, what: 'six concurrent' } as const
      report({ name: 'the slowest answer', value: slowestMs / 1_000, unit: 's', against: patience })
      const growth = (value: number) => ({ kind: 'at most', value, what: 'after garbage collection, since the first round' }) as const
      report({ name: 'growth of the heap', value: grown('heap'), unit: 'MB', against: growth(20) })
      report({ name: 'growth of the process', value: grown('rss'), unit: 'MB', against: growth(60) })
      slow.close()
    } finally {
      await target.stop()
      await database.close()
    }
  },
}
