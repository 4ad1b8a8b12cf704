import { afterEach, expect, test } from 'vitest'
import { createGlobalping } from '#server/integrations/globalping/create-globalping.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import { startGlobalpingSimulator } from '#server/simulators/globalping/simulator.ts'
import type { GlobalpingOptions } from '#server/simulators/globalping/simulator.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring } from '#server/testing/test-monitoring.ts'
import { createSecondOpinions } from './second-opinions.ts'

let closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
  closers = []
})

const never = new AbortController().signal

/** A domain that is down as seen from Europe, where the only probe is, and others who may be asked. */
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

const told = async ({ services: { db } }: TestMonitoring) => {
  const [row] = await db.sql<{ health: string; codes: string[] }[]>`
    select health, array(select r->>'code' from jsonb_array_elements(reasons) r) as codes from zone_monitors`
  return [row?.health, ...(row?.codes ?? [])]
}

test('R-MON-04 where only one region has a probe others are asked first, and what they see counts: down in Europe only', async () => {
  const { panel, simulator, opinions } = await downInEurope({})
  expect(await told(panel)).toEqual(['ok'])
  await opinions.follow(never)
  expect(await told(panel)).toEqual(['warnings', 'down_in_some_regions', 'http_status'])
  // Their tests are few: nobody is asked twice.
  const asked = simulator.asked.length
  await opinions.follow(never)
  expect([asked > 0, simulator.asked.length === asked]).toEqual([true, true])
}, 60_000)

test('R-MON-04 others who see the same make it down; who cannot be asked holds the news up for a minute', async () => {
  const seen = await downInEurope({ see: () => ({ kind: 'answer', status: 502 }) })
  await seen.opinions.follow(never)
  expect(await told(seen.panel)).toEqual(['critical', 'http_status'])

  const { panel, opinions } = await downInEurope({ blocked: () => true })
  await opinions.follow(never)
  expect(await told(panel)).toEqual(['ok'])
  await panel.clock.advance(59_000)
  await panel.live('EUROPE')
  await opinions.follow(never)
  expect(await told(panel)).toEqual(['ok'])
  await panel.clock.advance(1_000)
  await opinions.follow(never)
  expect(await told(panel)).toEqual(['critical', 'http_status'])
}, 60_000)
