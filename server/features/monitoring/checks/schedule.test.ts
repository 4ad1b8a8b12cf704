import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring } from '#server/testing/test-monitoring.ts'
import { wantChecks } from '../watching.repo.ts'
import { claimChecks, deleteClaims, ensureCursors, returnClaims } from './schedule.repo.ts'

let watched: TestMonitoring | null = null
afterEach(() => watched?.close())

const second = 1_000
const domains = 1_500
const interval = 300
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}.example`)
const probes = [randomUUID(), randomUUID()]

/** Domains that have already had their first check. */
async function watchMany(count: number, intervalMinutes = 5): Promise<TestMonitoring> {
  watched = await createTestMonitoring({ names: names(count), regions: ['EUROPE'], intervalMinutes })
  await watched.services.db.sql`update zone_views set retry_at = null`
  await ensureCursors(watched.services.db.orm, 'EUROPE', watched.clock.now())
  return watched
}

interface Taken {
  readonly at: number
  readonly ids: readonly string[]
}

/** Claims like probes, one after the other, each second or less often. */
async function takeFor(panel: TestMonitoring, seconds: number, limit = 1_000, everySeconds = 1): Promise<Taken[]> {
  const { db } = panel.services
  const taken: Taken[] = []
  for (let index = 0; index < seconds / everySeconds; index += 1) {
    await panel.clock.advance(everySeconds * second)
    const now = panel.clock.now()
    const claim = await claimChecks(db, { region: 'EUROPE', probeId: probes[index % 2] ?? '', now, limit, leaseMs: 90_000 })
    taken.push({ at: now, ids: claim?.jobs.map(({ domainId }) => domainId) ?? [] })
    if (claim !== null) await deleteClaims(db.orm, [claim.id])
  }
  return taken
}
const timesOf = (taken: readonly Taken[]) => {
  const times = new Map<string, number[]>()
  for (const { at, ids } of taken) for (const id of ids) times.set(id, [...(times.get(id) ?? []), at])
  return times
}
const maxPerCall = (taken: readonly Taken[]) => Math.max(...taken.map(({ ids }) => ids.length))
const paceOf = async ({ services }: TestMonitoring) => {
  const [row] = await services.db.sql<{ pace: number }[]>`select pace::float8 as pace from probe_cursors`
  return row?.pace ?? Number.NaN
}

test('R-MON-03 two processes check each domain once per interval between them, evenly spread', async () => {
  const panel = await watchMany(domains)
  const taken = await takeFor(panel, 2 * interval)
  const times = timesOf(taken)
  expect([...times.values()].filter((at) => at.length !== 2 || (at[1] ?? 0) - (at[0] ?? 0) !== interval * second)).toEqual([])
  expect(times.size).toBe(domains)
  // Five per second on average; the chance of 18 in any of 300 seconds is one in 30,000.
  expect(maxPerCall(taken)).toBeLessThan(18)
  expect(await paceOf(panel)).toBeCloseTo(1, 2)
}, 60_000)

test('R-MON-03 checks do not bunch up after an outage: short gaps are caught up at twice the pace, long ones restart within one interval', async () => {
  const panel = await watchMany(domains)
  await takeFor(panel, 10)
  await panel.clock.advance(100 * second)
  const caughtUp = await takeFor(panel, 110)
  // The first claim afterwards covers at most ten seconds.
  expect(caughtUp[0]?.ids.length).toBeLessThan(100)
  expect(maxPerCall(caughtUp.slice(1))).toBeLessThan(36)
  expect(timesOf(caughtUp).size / domains).toBeCloseTo(210 / interval, 1)
  await panel.clock.advance(3_600 * second)
  const retaken = await takeFor(panel, interval + 1)
  expect([timesOf(retaken).size, maxPerCall(retaken) < 18]).toEqual([domains, true])
}, 60_000)

test('R-MON-03 when probes cannot keep up, all intervals stretch equally and the pace shows by how much', async () => {
  const panel = await watchMany(domains, 1)
  // One second's domains every three seconds.
  const taken = await takeFor(panel, 900, 1, 3)
  const each = [...timesOf(taken.slice(60)).values()]
  expect(await paceOf(panel)).toBeCloseTo(1 / 3, 1)
  expect(each.length).toBe(domains)
  const gaps = each.flatMap((at) => at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / second))
  expect([Math.min(...gaps) >= 177, Math.max(...gaps) <= 183]).toEqual([true, true])
}, 60_000)

test('R-MON-03 new domains are checked soon, about a hundred per second', async () => {
  watched = await createTestMonitoring({ names: names(500), regions: ['EUROPE'], intervalMinutes: 1_440 })
  const taken = await takeFor(watched, 6)
  expect(
    taken
      .map(({ ids }) => ids.length)
      .slice(0, 4)
      .every((count) => count > 95 && count < 120),
  ).toBe(true)
  expect(timesOf(taken).size).toBe(500)
})

test('R-MON-03 checks claimed and not reported are claimed by another probe when the lease expires, or immediately when the probe shuts down', async () => {
  const panel = await watchMany(20)
  const { db } = panel.services
  await db.sql`update zone_views set wanted_at = now()`
  const [one = '', other = ''] = probes
  const claim = (probeId: string) => claimChecks(db, { region: 'EUROPE', probeId, now: panel.clock.now(), limit: 1_000, leaseMs: 90_000 })
  const first = await claim(one)
  expect(first?.jobs).toHaveLength(20)
  expect(await claim(other)).toBeNull()
  await panel.clock.advance(89_000)
  await db.sql`update probe_cursors set position = now() + interval '10 years'`
  expect(await claim(other)).toBeNull()
  await panel.clock.advance(1_000)
  expect((await claim(other))?.jobs.map(({ domainId }) => domainId).toSorted()).toEqual(
    first?.jobs.map(({ domainId }) => domainId).toSorted(),
  )
  await returnClaims(db.orm, other, panel.clock.now())
  const last = await claim(one)
  expect(last?.jobs).toHaveLength(20)
  // Late results of the former attempt do not count.
  expect(last?.id).not.toBe(first?.id)
})

test('R-MON-04 of checks that processes died with, only the one that ends every process is given up until its next turn', async () => {
  const panel = await watchMany(20)
  const { db } = panel.services
  await db.sql`update zone_views set wanted_at = now()`
  await db.sql`update probe_cursors set position = now() + interval '10 years'`
  const claim = () => claimChecks(db, { region: 'EUROPE', probeId: probes[0] ?? '', now: panel.clock.now(), limit: 1_000, leaseMs: 90_000 })
  const checked: string[] = []
  let crashes = 0
  const isOver = async () => (await db.sql`select 1 from probe_claims`).length === 0
  for (let claimed = await claim(); claimed !== null || !(await isOver()); claimed = await claim()) {
    const names = claimed?.jobs.map(({ name }) => name) ?? []
    if (claimed === null || names.includes('n7.example')) {
      crashes += 1
      await panel.clock.advance(90_000)
      continue
    }
    checked.push(...names)
    await deleteClaims(db.orm, [claimed.id])
  }
  expect(checked.toSorted()).toEqual(
    names(20)
      .filter((name) => name !== 'n7.example')
      .toSorted(),
  )
  // Three with all of them, and one with each half that has it: 10, 5, 3, 2 and 1.
  expect(crashes).toBeLessThanOrEqual(8)
})

test('a check requested a second after a thousand others does not wait for them', async () => {
  const panel = await watchMany(300)
  const { db } = panel.services
  await db.sql`update probe_cursors set position = now() + interval '10 years'`
  const ids = (await db.sql<{ id: string }[]>`select zone_id as id from zone_views order by zone_id`).map(({ id }) => id)
  const one = ids[299] ?? ''
  const claim = async () => {
    const now = panel.clock.now()
    const taken = await claimChecks(db, { region: 'EUROPE', probeId: probes[0] ?? '', now, limit: 100, leaseMs: 90_000 })
    return taken?.jobs.map(({ domainId }) => domainId) ?? []
  }
  expect(await wantChecks(db.orm, ids.slice(0, 299), new Date(panel.clock.now()))).toBe(299)
  await panel.clock.advance(second)
  expect(await wantChecks(db.orm, [one], new Date(panel.clock.now()))).toBe(1)
  const taken = [await claim(), await claim(), await claim(), await claim(), await claim()]
  expect(taken.findIndex((each) => each.includes(one))).toBe(0)
  // Requested checks do not wait for their time: each is claimed as soon as a probe is free.
  expect(new Set(taken.flat()).size).toBe(300)
})
