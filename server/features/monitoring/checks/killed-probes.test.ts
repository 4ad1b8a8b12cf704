import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { between, randomFrom } from '#server/simulators/random.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring } from '#server/testing/test-monitoring.ts'

const script = fileURLToPath(new URL('../../../testing/probe-worker.ts', import.meta.url))
const domains = 400
const kills = 6
const leaseMs = 6_000

let watched: TestMonitoring | null = null
let workers: ChildProcess[] = []
afterEach(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  workers = []
  await watched?.close()
})

test('R-MON-04 probes killed at any moment lose no domain and no alert: each domain is checked, and each one down has one incident', async () => {
  const names = Array.from({ length: domains }, (_, index) => `n${index}.example`)
  const isDown = (name: string) => name.endsWith('7.example')
  // Checked once a day, so that checks lost with a dead probe would not be repeated during the test.
  const panel = await createTestMonitoring({
    names,
    regions: ['EUROPE'],
    intervalMinutes: 1_440,
    sites: (name) => ({ page: { kind: 'page', status: isDown(name) ? 500 : 200, delayMs: 300 } }),
  })
  watched = panel
  const { db } = panel.services
  // The test's clock is in a different time than the database's.
  await db.sql`update zone_views set retry_at = now() + interval '1 second' * (extract(epoch from retry_at - ${new Date(panel.clock.now()).toISOString()}::timestamptz))`
  const [, httpPort = '', httpsPort = ''] = /:(\d+)\/(\d+)$/.exec(panel.targets.viaText) ?? []
  const begin = () => {
    const worker = fork(
      script,
      [panel.databaseUrl, panel.targets.dnsServer, httpPort, httpsPort, panel.targets.root, 'EUROPE', String(leaseMs)],
      { stdio: 'inherit' },
    )
    workers.push(worker)
    return worker
  }
  const looked = () => names.reduce((sum, name) => sum + panel.targets.requests(name), 0)
  const random = randomFrom(20261122)
  begin()
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = begin()
    const until = looked() + between(random, 1, 50)
    await vi.waitFor(() => expect(looked()).toBeGreaterThanOrEqual(until), { timeout: 240_000, interval: 1 })
    // Kill either one; the other continues.
    const [oldest = killed] = workers.splice(0, 1)
    oldest.kill('SIGKILL')
    await once(oldest, 'exit')
  }
  begin()
  const left = async () => {
    const [row] = await db.sql<{ views: number; claims: number }[]>`
      select (select count(*)::int from zone_views where checked_at is null or retry_at is not null) as views,
        (select count(*)::int from probe_claims) as claims`
    return row
  }
  await expect.poll(left, { timeout: 300_000, interval: 200 }).toEqual({ views: 0, claims: 0 })
  const wrong = await db.sql`
    select z.name, m.health from zone_monitors m join zones z on z.id = m.zone_id
    where m.health::text <> case when z.name like '%7.example' then 'critical' else 'ok' end or z.health <> m.health`
  expect([...wrong]).toEqual([])
  const incidents = await db.sql<
    { name: string }[]
  >`select name from incidents where closed_at is null and health = 'critical' order by name`
  expect(incidents.map(({ name }) => name)).toEqual(names.filter(isDown).toSorted())
  expect(await db.sql`select 1 from incidents where closed_at is not null`).toEqual([])

  // A graceful stop leaves nothing behind.
  for (const worker of workers) {
    worker.send('stop')
    await once(worker, 'exit')
  }
  workers = []
  expect(await db.sql`select count(*)::int as n from probes where seen_at > now() - interval '2 seconds' and region = 'EUROPE'`).toEqual([
    { n: 0 },
  ])
}, 900_000)
