import { afterEach, expect, test } from 'vitest'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring } from '#server/testing/test-monitoring.ts'
import { maintainHistory } from './maintain-history.ts'
import { ensurePartitions } from './partitions.repo.ts'

let watched: TestMonitoring | null = null
afterEach(() => watched?.close())

const hour = 3_600_000
const day = 24 * hour
const never = new AbortController().signal

test('R-MON-05 each hour is stored with its failures and mean times, each day as the sum of its hours, whenever it is aggregated', async () => {
  const panel = await createTestMonitoring({ names: ['a.example'], regions: ['EUROPE'], options: { failuresToDown: 1, successesToUp: 1 } })
  watched = panel
  const { sql } = panel.services.db
  const { id } = panel.zone('a.example')
  // From half past ten: two successes, one failure; one in the next hour, and one on the next day.
  await panel.look('EUROPE', ['a.example'])
  await panel.clock.advance(5 * 60_000)
  await panel.look('EUROPE', ['a.example'])
  await panel.clock.advance(5 * 60_000)
  panel.targets.set('a.example', { page: { kind: 'page', status: 500 } })
  await panel.look('EUROPE', ['a.example'])
  panel.targets.repair('a.example')
  expect(await sql`select 1 from check_hours`).toEqual([])
  await panel.clock.advance(hour)
  await panel.look('EUROPE', ['a.example'])
  const hours = () => sql`
    select extract(hour from hour at time zone 'UTC')::int as hour, checks, failed, total_ms is not null and max_total_ms >= total_ms as timed from check_hours order by 1`
  expect(await hours()).toEqual([{ hour: 10, checks: 3, failed: 1, timed: true }])

  await panel.clock.advance(14 * hour)
  await maintainHistory(panel.services, never)
  const days = () => sql`select to_char(day at time zone 'UTC', 'DD') as day, region, checks, failed from check_days order by day`
  expect(await days()).toEqual([{ day: '20', region: 'EUROPE', checks: 3, failed: 1 }])
  // The hour of eleven is written by the first later check, after its day was aggregated.
  await panel.look('EUROPE', ['a.example'])
  expect(await hours()).toHaveLength(2)
  await panel.clock.advance(day)
  await maintainHistory(panel.services, never)
  await maintainHistory(panel.services, never)
  expect(await days()).toEqual([{ day: '20', region: 'EUROPE', checks: 4, failed: 1 }])
  // Hours without checks are in between.
  expect(await sql`select length(beats) as beats, encode(substr(beats, 89), 'hex') as told from zone_views where zone_id = ${id}`).toEqual([
    { beats: 90, told: '0001' },
  ])
})

test('R-MON-05 daily means weight each hour by its successful checks', async () => {
  const panel = await createTestMonitoring({ names: ['a.example'], regions: ['EUROPE'] })
  watched = panel
  const { sql } = panel.services.db
  const { id } = panel.zone('a.example')
  await sql`
    insert into check_hours (zone_id, region, hour, checks, failed, dns_ms, total_ms, max_total_ms) values
      (${id}, 'EUROPE', '2026-11-19T00:00:00Z', 12, 2, 10, 100, 900), (${id}, 'EUROPE', '2026-11-19T23:00:00Z', 30, 0, 50, 300, 400),
      (${id}, 'EUROPE', '2026-11-19T12:00:00Z', 12, 12, null, null, null), (${id}, 'ASIA', '2026-11-19T12:00:00Z', 1, 0, 7, 7, 7),
      (${id}, 'EUROPE', '2026-11-20T00:00:00Z', 9, 9, null, null, null)`
  await maintainHistory(panel.services, never)
  expect(
    await sql`select region::text, checks, failed, dns_ms, total_ms, max_total_ms, tls_ms from check_days order by checks desc`,
  ).toEqual([
    { region: 'EUROPE', checks: 54, failed: 14, dnsMs: 40, totalMs: 250, maxTotalMs: 900, tlsMs: null },
    { region: 'ASIA', checks: 1, failed: 0, dnsMs: 7, totalMs: 7, maxTotalMs: 7, tlsMs: null },
  ])
})

test('R-MON-05 hours are dropped after two weeks and days after 400 days, a partition at a time, and partitions are created ahead', async () => {
  const panel = await createTestMonitoring({ names: ['a.example'], regions: ['EUROPE'] })
  watched = panel
  const { db } = panel.services
  const { id } = panel.zone('a.example')
  const now = panel.clock.now()
  await ensurePartitions(db, now - 500 * day, now)
  const at = (days: number) => new Date(now - days * day).toISOString()
  for (const age of [13, 16])
    await db.sql`insert into check_hours (zone_id, region, hour, checks, failed) values (${id}, 'EUROPE', ${at(age)}, 1, 0)`
  for (const age of [390, 450])
    await db.sql`insert into check_days (zone_id, region, day, checks, failed) values (${id}, 'EUROPE', ${at(age)}, 1, 0)`
  await maintainHistory(panel.services, never)
  const ages = (table: 'check_hours' | 'check_days', column: string) =>
    db.sql.unsafe(
      `select (extract(epoch from to_timestamp(${now / 1000}) - ${column}) / 86400)::int as age from ${table} where zone_id = '${id}' order by 1`,
    )
  expect(await ages('check_hours', 'hour')).toEqual([{ age: 13 }])
  expect((await ages('check_days', 'day')).map((row) => row['age'] as number).filter((age) => age > 20)).toEqual([390])
  const [room] = await db.sql<{ hours: number }[]>`select count(*)::int as hours from pg_inherits where inhparent = 'check_hours'::regclass`
  expect(room?.hours).toBe(14 + 1 + 3)
})
