import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seedZones } from '#server/testing/seed-zones.ts'
import type { Bench } from './bench.ts'
import { percentile } from './bench.ts'
import { load } from './load.ts'
import { insertOwner, startChild, startDatabase, startPanel } from './panel.ts'
import { rssMb } from './processes.ts'

export const serverRest: Bench = {
  about: 'the server at rest with 100,000 domains, and its start on an existing database',
  async run(report) {
    const database = await startDatabase()
    const owner = await insertOwner(database.db)
    await seedZones(database.db, { ownerId: owner.id, count: 100_000 })
    // No job is due, so an idle server makes no requests.
    await database.db.sql`update accounts set next_sync_at = now() + interval '1 day'`
    const starts: number[] = []
    try {
      for (let turn = 0; turn < 5; turn += 1) {
        const began = performance.now()
        const panel = await startPanel(database)
        const answer = await fetch(`${panel.url}/api/health`)
        if (!answer.ok) throw new Error(`health answered ${answer.status}`)
        starts.push(performance.now() - began)
        if (turn === 4) {
          const headers = { authorization: `Bearer ${owner.token}` }
          await load(`${panel.url}/trpc/domains.rows?input=%7B%7D`, headers, 4, 1_000)
          await load(`${panel.url}/trpc/domains.summary?input=%7B%7D`, headers, 4, 1_000)
          await wait(20_000)
          report({
            name: 'memory at rest, after some use',
            value: await rssMb(panel.process.pid),
            unit: 'MB',
            against: { kind: 'at most', value: 250, what: 'without PostgreSQL' },
          })
        }
        await panel.stop()
      }
      report({
        name: 'start to first answer, PostgreSQL running: median of 5',
        value: percentile(starts, 0.5) / 1000,
        unit: 's',
        against: { kind: 'at most', value: 2, what: 'the database exists' },
      })
    } finally {
      await database.close()
    }
    await coldStart(report)
  },
}

/** Runs with its own PostgreSQL, which the server stops and must be able to start again. */
async function coldStart(report: Parameters<Bench['run']>[0]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonedeck-bench-'))
  await chmod(dataDir, 0o711)
  const starts: number[] = []
  try {
    for (let turn = 0; turn < 4; turn += 1) {
      const began = performance.now()
      const panel = await startChild('server/entrypoints/main.ts', [], {
        PORT: '0',
        DATABASE_URL: '',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
      })
      await fetch(`${panel.url}/api/health`)
      // The first start creates the database.
      if (turn > 0) starts.push(performance.now() - began)
      await panel.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  report({
    name: 'start to first answer, PostgreSQL stopped: median of 3',
    value: percentile(starts, 0.5) / 1000,
    unit: 's',
    against: { kind: 'at most', value: 2, what: 'the database exists' },
  })
}
