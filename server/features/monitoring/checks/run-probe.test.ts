import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createDatabaseClock } from '#server/platform/database-clock.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring } from '#server/testing/test-monitoring.ts'
import { listLiveRegions } from '../health/evaluation.repo.ts'
import { startProbe } from './run-probe.ts'
import type { RunningProbe } from './run-probe.ts'
import { wakeMonitoring } from './schedule.repo.ts'

let watched: TestMonitoring | null = null
let running: RunningProbe | null = null
afterEach(async () => {
  await running?.stop()
  running = null
  await watched?.close()
})

const names = Array.from({ length: 12 }, (_, index) => `n${index}.example`)

/** Runs a probe in the background on the real clock. */
async function run({ timeoutSeconds = 10, ...options }: { timeoutSeconds?: number; leaseMs?: number } = {}): Promise<TestMonitoring> {
  const panel = await createTestMonitoring({ names, regions: ['EUROPE'], options: { timeoutSeconds } })
  watched = panel
  await panel.services.db.sql`update zone_views set retry_at = null`
  running = await startProbe({ ...panel.services, clock: systemClock }, { region: 'EUROPE', probe: panel.probe, pollMs: 50, ...options })
  return panel
}

async function checkNow({ services: { db } }: TestMonitoring): Promise<void> {
  await db.sql`update zone_views set wanted_at = now()`
  await wakeMonitoring(db.orm, 'wanted')
}
/** The lowest number of checks of any domain. */
const rounds = async ({ services: { db } }: TestMonitoring) => {
  const [row] = await db.sql<{ n: number }[]>`select min(length(beats)) as n from zone_views`
  return row?.n ?? 0
}
const states = ({ services: { db } }: TestMonitoring) => db.sql`select distinct state::text, failures from zone_views`
const isUp = [{ state: 'up', failures: 0 }]

test('R-MON-04 a probe that lost its own connection reports nothing down and reports itself offline', async () => {
  const panel = await run()
  const { sql } = panel.services.db
  await checkNow(panel)
  await expect.poll(() => states(panel), { timeout: 40_000 }).toEqual(isUp)
  expect(running?.checked()).toBeGreaterThanOrEqual(names.length)
  panel.targets.setOffline(true)
  for (let round = 0; round < 2; round += 1) {
    const before = await rounds(panel)
    await checkNow(panel)
    await expect.poll(() => rounds(panel), { timeout: 40_000 }).toBeGreaterThan(before)
  }
  // Nothing can be concluded, so the states are unchanged.
  expect(await states(panel)).toEqual(isUp)
  expect(await sql`select distinct right(encode(beats, 'hex'), 4) as last from zone_views`).toEqual([{ last: '0000' }])
  await expect.poll(() => sql`select online from probes`, { timeout: 20_000 }).toEqual([{ online: false }])
  panel.targets.setOffline(false)
  await checkNow(panel)
  await expect.poll(() => sql`select 1 from zone_views where right(encode(beats, 'hex'), 2) = '00'`, { timeout: 40_000 }).toEqual([])
  expect(await sql`select 1 from incidents`).toEqual([])
}, 120_000)

test('R-MON-03 a stopping probe releases its checks to others and leaves nothing behind', async () => {
  const panel = await run()
  const { sql } = panel.services.db
  for (const name of names) panel.targets.set(name, { page: { kind: 'silent' } })
  await checkNow(panel)
  await expect.poll(() => names.filter((name) => panel.targets.requests(name) > 0).length, { timeout: 20_000 }).toBe(names.length)
  await running?.stop()
  running = null
  expect(await sql`select distinct state::text, failures from zone_views`).toEqual([{ state: 'unknown', failures: 0 }])
  expect(await sql`select 1 from probes`).toEqual([])
  const [claim] = await sql<
    { zones: number; over: boolean }[]
  >`select cardinality(zone_ids) as zones, expires_at <= now() as over from probe_claims`
  expect(claim).toEqual({ zones: names.length, over: true })
}, 60_000)

test('R-MON-04 results reported after a check’s lease expired, as after a stalled process, are ignored because others have the checks', async () => {
  const panel = await run({ timeoutSeconds: 2, leaseMs: 500 })
  for (const name of names) panel.targets.set(name, { page: { kind: 'silent' } })
  await checkNow(panel)
  await expect.poll(() => running?.checked(), { timeout: 40_000 }).toBeGreaterThanOrEqual(names.length)
  await running?.stop()
  running = null
  expect(await states(panel)).toEqual([{ state: 'unknown', failures: 0 }])
}, 60_000)

test.each([-120_000, 120_000])('R-MON-04 a region counts even if its probe’s clock is %i ms off', async (ms) => {
  const panel = await createTestMonitoring({ names: ['one.example'], regions: ['EUROPE'] })
  watched = panel
  const { db } = panel.services
  const clock = await createDatabaseClock(db, { ...systemClock, now: () => systemClock.now() + ms })
  running = await startProbe({ ...panel.services, clock }, { region: 'EUROPE', probe: panel.probe, pollMs: 50 })
  const evaluating = await createDatabaseClock(db)
  await expect.poll(async () => [...(await listLiveRegions(db.orm, evaluating.now()))], { timeout: 20_000 }).toEqual(['EUROPE'])
  const [row] = await db.sql<{ off: number }[]>`select abs(extract(epoch from now() - seen_at))::float8 as off from probes`
  expect(row?.off).toBeLessThan(60)
})
