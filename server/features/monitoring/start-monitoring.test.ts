import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import { wakeMonitoring } from './checks/schedule.repo.ts'
import { startMonitoring } from './start-monitoring.ts'

const nobody = { ask: () => Promise.resolve(new Map()), close: () => Promise.resolve() }

test('R-MON-01 a settings change is applied immediately, by exactly one of any number of processes', async () => {
  const panel = await createTestMonitoring({ names: ['a.example', 'b.example'], regions: ['EUROPE'] })
  onTestFinished(panel.close)
  const { db } = panel.services
  const services = { ...panel.services, clock: systemClock }
  const running = await Promise.all([1, 2].map(() => startMonitoring(services, { secondOpinion: nobody })))
  onTestFinished(async () => void (await Promise.all(running.map((each) => each.stop()))))
  const views = async () => {
    const rows = await db.sql<
      { region: string; n: number }[]
    >`select region::text as region, count(*)::int as n from zone_views group by 1 order by 1`
    return rows.map(({ region, n }) => `${region} ${n}`)
  }
  expect(await views()).toEqual(['EUROPE 2'])
  for (const regions of ['{EUROPE,ASIA}', '{ASIA}', '{}']) {
    await db.sql`update monitor_settings set regions = ${regions}::text::region[], enabled = ${regions !== '{}'}`
    await wakeMonitoring(db.orm, 'settings')
    const wanted =
      regions === '{}'
        ? []
        : regions
            .slice(1, -1)
            .split(',')
            .toSorted()
            .map((region) => `${region} 2`)
    await expect.poll(views, { timeout: 12_000 }).toEqual(wanted)
  }
}, 60_000)
