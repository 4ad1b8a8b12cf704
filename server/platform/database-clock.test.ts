import { afterEach, beforeEach, expect, test } from 'vitest'
import { readNow } from '#server/platform/process-clocks.repo.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createDatabaseClock } from '#server/platform/database-clock.ts'
import { createLog } from '#server/platform/log.ts'
import { watchClock } from '#server/platform/watch-clock.ts'
import { followAccounts } from '#server/features/monitoring/incidents/account-incidents.ts'
import { readFigures } from '#server/features/metrics/index.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'

let t: TestServices
beforeEach(async () => {
  t = await createTestServices()
})
afterEach(() => t.close())

/** The error of a process's clock. */
function wrongClock(aheadMs: number): Clock & { set(aheadMs: number): void } {
  let ahead = aheadMs
  return { ...systemClock, now: () => systemClock.now() + ahead, set: (ms) => (ahead = ms) }
}

test.each([90_000_000, -3_600_000, 120_000])(
  'R-MON-04 a system clock that is %i ms wrong, or changed at run time, does not affect the process time',
  async (ms) => {
    const own = wrongClock(ms)
    const clock = await createDatabaseClock(t.services.db, own)
    const before = (await readNow(t.services.db.orm)).getTime()
    const now = clock.now()
    const after = (await readNow(t.services.db.orm)).getTime()
    // The duration of one query limits the accuracy.
    expect(now).toBeGreaterThan(before - 5_000)
    expect(now).toBeLessThan(after + 5_000)
    own.set(-ms)
    expect(Math.abs(clock.now() - now)).toBeLessThan(5_000)
    expect(Math.abs(clock.skewMs() - ms)).toBeLessThan(5_000)
    await clock.measure()
    expect(Math.abs(clock.skewMs() + ms)).toBeLessThan(5_000)
  },
)

test('R-MON-04 a clock more than 5 seconds wrong is logged once, shown to administrators and measured until it is corrected', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const own = wrongClock(0)
  const clock = await createDatabaseClock(t.services.db, own)
  const watch = await watchClock({ db: t.services.db, log, loops: new Map() }, clock, { host: 'one', role: 'worker' })
  const admin = await signIn(t.services, { role: 'admin' })
  const shown = async () => (await admin.call.settings.system()).panel?.clocks
  const measured = async () => (await readFigures(t.services))['zonedeck_clock_skew_seconds']
  expect(await shown()).toEqual([])
  expect(lines).toEqual([])

  own.set(-3_600_000)
  await watch.look()
  await watch.look()
  expect(lines.filter((line) => line.includes('differs from the database'))).toHaveLength(1)
  expect(await shown()).toEqual([
    { host: 'one', role: 'worker', skewMs: expect.closeTo(-3_600_000, -4) as number, measuredAt: expect.any(String) as string },
  ])
  expect(await measured()).toEqual([{ labels: { host: 'one', role: 'worker' }, value: expect.closeTo(-3_600, -1) as number }])

  own.set(0)
  await watch.look()
  expect(await shown()).toEqual([])
  expect(lines.at(-1)).toContain('matches the database')
  // Processes that no longer measure are not reported.
  own.set(90_000_000)
  await watch.look()
  await t.services.db.sql`update process_clocks set measured_at = now() - interval '4 minutes'`
  expect(await shown()).toEqual([])
  await watch.stop()
  expect(await t.services.db.sql`select 1 from process_clocks`).toEqual([])
})

test('R-MON-04 administrators are notified when a server’s clock is more than 5 seconds wrong, and when it is right again', async () => {
  const { db, log } = t.services
  const own = wrongClock(3_600_000)
  const clock = await createDatabaseClock(db, own)
  const watch = await watchClock({ db, log, loops: new Map() }, clock, { host: 'one', role: 'worker' })
  const admin = await signIn(t.services, { role: 'admin' })
  const user = await signIn(t.services)
  for (const id of [admin.user.id, user.user.id])
    await db.sql`insert into monitor_settings (owner_id, options, notices, enabled) values (${id}, '{}', '{}', true)`
  const incidents = async () => {
    await followAccounts(t.services)
    return db.sql`select owner_id, name, health, cause, reasons -> 0 ->> 'code' as code, closed_at is not null as closed from incidents order by id`
  }
  const incident = { ownerId: admin.user.id, name: 'one', health: 'warnings', cause: 'code:clock_wrong', code: 'clock_wrong' }
  expect(await incidents()).toEqual([{ ...incident, closed: false }])
  expect(await incidents()).toEqual([{ ...incident, closed: false }])
  own.set(0)
  await watch.look()
  expect(await incidents()).toEqual([{ ...incident, closed: true }])
  await watch.stop()
})
