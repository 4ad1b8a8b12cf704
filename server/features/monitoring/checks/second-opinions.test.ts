import { afterEach, expect, test } from 'vitest'
import { createGlobalping } from '#server/integrations/globalping/adapter.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import { startGlobalpingSimulator } from '#server/simulators/globalping/simulator.ts'
import type { GlobalpingOptions } from '#server/simulators/globalping/simulator.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring } from '#server/testing/test-monitoring.ts'
import { followRegions } from './follow-regions.ts'
import { createSecondOpinions } from './second-opinions.ts'

let closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
  closers = []
})

const never = new AbortController().signal

/** A domain that is down from Europe, the only region with a probe, and external checkers. */
async function downInEurope(options: GlobalpingOptions) {
  const panel = await createTestMonitoring({ names: ['a.example'], options: { failuresToDown: 1 } })
  closers.push(panel.close)
  const simulator = await startGlobalpingSimulator(options)
  closers.push(simulator.close)
  const globalping = createGlobalping({
    baseUrl: simulator.url,
    token: undefined,
    userAgent: 'test',
    clock: systemClock,
    log: createLog('silent'),
  })
  closers.push(globalping.close)
  await panel.services.db.sql`update monitor_settings set second_opinion = true`
  await panel.look('EUROPE', ['a.example'])
  await panel.clock.advance(300_000)
  panel.targets.set('a.example', { page: { kind: 'page', status: 502 } })
  await panel.look('EUROPE', ['a.example'])
  return { panel, simulator, opinions: createSecondOpinions(panel.services, globalping) }
}

const readState = async ({ services: { db } }: TestMonitoring) => {
  const [row] = await db.sql<{ health: string; codes: string[] }[]>`
    select health, array(select r->>'code' from jsonb_array_elements(reasons) r) as codes from zone_monitors`
  return [row?.health, ...(row?.codes ?? [])]
}

test('R-MON-04 when only one region has a probe, external checkers are asked first and their result counts: down in Europe only', async () => {
  const { panel, simulator, opinions } = await downInEurope({})
  expect(await readState(panel)).toEqual(['ok'])
  await opinions.follow(never)
  expect(await readState(panel)).toEqual(['warnings', 'down_in_some_regions', 'http_status'])
  // External tests are limited, so nothing is requested twice.
  const asked = simulator.asked.length
  await opinions.follow(never)
  expect([asked > 0, simulator.asked.length === asked]).toEqual([true, true])
}, 60_000)

test('R-MON-04 external checkers that agree confirm the outage; if they cannot be asked, alerts are delayed by a minute', async () => {
  const seen = await downInEurope({ see: () => ({ kind: 'answer', status: 502 }) })
  await seen.opinions.follow(never)
  expect(await readState(seen.panel)).toEqual(['critical', 'http_status'])

  const { panel, opinions } = await downInEurope({ blocked: () => true })
  await opinions.follow(never)
  expect(await readState(panel)).toEqual(['ok'])
  await panel.clock.advance(59_000)
  await panel.live('EUROPE')
  await opinions.follow(never)
  expect(await readState(panel)).toEqual(['ok'])
  await panel.clock.advance(1_000)
  await opinions.follow(never)
  expect(await readState(panel)).toEqual(['critical', 'http_status'])
}, 60_000)

test('R-MON-04 an outage seen by external checkers ends when their result expires and our own probe finds the domain up', async () => {
  const { panel, opinions } = await downInEurope({ see: () => ({ kind: 'answer', status: 502 }) })
  const regions = followRegions(panel.services)
  const pass = async (minutes: number) => {
    for (let gone = 0; gone < minutes; gone += 1) {
      await panel.clock.advance(60_000)
      await panel.live('EUROPE')
      await regions.follow(never)
    }
  }
  // The other regions have had no check for longer than a result counts.
  await pass(11)
  await panel.look('EUROPE', ['a.example'])
  await panel.services.db.sql`update zone_views set since = ${new Date(panel.clock.now()).toISOString()} where state = 'down'`
  await opinions.follow(never)
  panel.targets.repair('a.example')
  for (let round = 0; round < 2; round += 1) {
    await panel.clock.advance(60_000)
    await panel.look('EUROPE', ['a.example'])
  }
  expect(await readState(panel)).toEqual(['critical', 'http_status'])
  await pass(7)
  expect(await readState(panel)).toEqual(['critical', 'http_status'])
  await pass(1)
  expect(await readState(panel)).toEqual(['ok'])
  expect(await panel.services.db.sql`select from incidents where closed_at is null`).toEqual([])
}, 60_000)

/** After this many minutes our own probe checks, and external checks are requested if due. */
async function after(minutes: number, { panel, opinions }: Pick<Awaited<ReturnType<typeof downInEurope>>, 'panel' | 'opinions'>) {
  await panel.clock.advance(minutes * 60_000)
  await panel.live('EUROPE')
  await panel.look('EUROPE', ['a.example'])
  await opinions.follow(never)
}

test('R-MON-04 a domain reachable by external checkers and not by us stays down in some regions; they are asked again just before their result expires', async () => {
  const seen = { status: 200 }
  const { simulator, ...world } = await downInEurope({ see: () => ({ kind: 'answer', status: seen.status }) })
  await world.opinions.follow(never)
  const asked = simulator.asked.length
  await after(7, world)
  expect(simulator.asked.length).toBe(asked)
  await after(1, world)
  expect(simulator.asked.length).toBe(2 * asked)
  await after(7, world)
  expect(await readState(world.panel)).toEqual(['warnings', 'down_in_some_regions', 'http_status'])
  // Once they see the outage too, the domain is down and nothing more is requested.
  seen.status = 502
  await after(1, world)
  expect(await readState(world.panel)).toEqual(['critical', 'http_status'])
  await after(9, world)
  expect(await readState(world.panel)).toEqual(['critical', 'http_status'])
  expect(simulator.asked.length).toBe(3 * asked)
}, 60_000)

test('R-MON-04 an external result that cannot be refreshed counts for ten minutes, then only our own counts', async () => {
  let isAway = false
  const world = await downInEurope({ blocked: () => isAway })
  await world.opinions.follow(never)
  isAway = true
  await after(9, world)
  expect(await readState(world.panel)).toEqual(['warnings', 'down_in_some_regions', 'http_status'])
  await after(1, world)
  expect(await readState(world.panel)).toEqual(['critical', 'http_status'])
}, 60_000)
