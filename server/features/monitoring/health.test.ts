import { afterEach, expect, test } from 'vitest'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring, TestMonitoringOptions } from '#server/testing/test-monitoring.ts'
import { followAccounts } from './account-incidents.ts'

let watched: TestMonitoring | null = null
afterEach(() => watched?.close())

async function watch(options: TestMonitoringOptions): Promise<TestMonitoring> {
  watched = await createTestMonitoring(options)
  return watched
}

const minute = 60_000

async function told({ services: { db } }: TestMonitoring) {
  const rows = await db.sql<{ name: string; health: string; listed: string; codes: string[] }[]>`
    select z.name, m.health, z.health as listed, array(select r->>'code' from jsonb_array_elements(m.reasons) r) as codes
    from zone_monitors m join zones z on z.id = m.zone_id order by z.name`
  return Object.fromEntries(
    rows.map(({ name, health, listed, codes }) => [name, [health, ...codes, ...(listed === health ? [] : [`listed ${listed}`])]]),
  )
}

interface Row {
  readonly name: string
  readonly health: string
  readonly cause: string
  readonly first: string | null
  readonly minutes: number | null
  readonly kinds: string[]
  readonly taken: boolean
}
const incidents = ({ services: { db } }: TestMonitoring): Promise<Row[]> => db.sql<Row[]>`
  select name, health, cause, reasons->0->>'code' as first, extract(epoch from closed_at - opened_at)::float8 / 60 as minutes,
    array(select t->>'kind' from jsonb_array_elements(timeline) t) as kinds, close_taken_at is not null as taken
  from incidents order by opened_at, id`

test('R-MON-03 each domain has a health, with the reasons for it, from what is seen of it and what the mirror says', async () => {
  const names = ['good', 'soon', 'expired', 'elsewhere', 'nowhere', 'teapot', 'phish', 'paused', 'pending', 'unpaid', 'moved'].map(
    (name) => `${name}.example`,
  )
  const panel = await watch({
    names,
    regions: ['EUROPE'],
    zone: (name) => ({
      ...(name === 'phish.example' ? { phishing: true } : {}),
      ...(name === 'paused.example' ? { paused: true } : {}),
      ...(name === 'pending.example' ? { status: 'pending', providerStatus: 'pending' } : {}),
      ...(name === 'moved.example' ? { status: 'error', providerStatus: 'moved' } : {}),
      ...(name === 'unpaid.example' ? { paidUntil: new Date(Date.parse('2026-11-18T10:30:00Z')) } : {}),
    }),
  })
  await panel.services.db.sql`update zones set paid_until = '2026-11-18T10:30:00Z' where name = 'unpaid.example'`
  panel.targets.set('soon.example', { handshake: 'expires-soon' })
  panel.targets.set('expired.example', { handshake: 'expired' })
  panel.targets.set('elsewhere.example', { nameServers: ['ns1.other.example', 'ns2.other.example'] })
  panel.targets.set('nowhere.example', { dns: 'no-name' })
  panel.targets.set('teapot.example', { page: { kind: 'page', status: 503 } })
  // What is wrong counts when it was seen twice.
  for (let round = 0; round < 2; round += 1) {
    await panel.look('EUROPE', names)
    await panel.clock.advance(30_000)
  }
  expect(await told(panel)).toEqual({
    'good.example': ['ok'],
    'soon.example': ['warnings', 'cert_expires_soon'],
    'expired.example': ['critical', 'cert_expired'],
    'elsewhere.example': ['warnings', 'name_servers_elsewhere'],
    'nowhere.example': ['critical', 'dns_no_such_name'],
    'teapot.example': ['critical', 'http_status'],
    'phish.example': ['critical', 'phishing'],
    'paused.example': ['warnings', 'zone_paused'],
    'pending.example': ['warnings', 'zone_pending'],
    'unpaid.example': ['critical', 'domain_expired'],
    'moved.example': ['critical', 'zone_moved'],
  })
})

test('R-MON-04 one failure alarms nobody; the second does, with one incident that ends when the domain has come up twice', async () => {
  const panel = await watch({ names: ['a.example', 'b.example'], regions: ['EUROPE'] })
  await panel.look('EUROPE', ['a.example', 'b.example'])
  panel.targets.set('a.example', { page: { kind: 'page', status: 502 } })
  await panel.clock.advance(minute)
  await panel.look('EUROPE', ['a.example'])
  expect([await told(panel), await incidents(panel)]).toEqual([{ 'a.example': ['ok'], 'b.example': ['ok'] }, []])
  // It is tried again half a minute later, and not before.
  await panel.clock.advance(29_000)
  await panel.services.db.sql`update probe_cursors set position = now() + interval '1 year'`
  expect(await panel.look('EUROPE')).toEqual([])
  await panel.clock.advance(1_000)
  expect(await panel.look('EUROPE')).toEqual(['a.example'])
  expect(await told(panel)).toMatchObject({ 'a.example': ['critical', 'http_status'] })
  expect(await incidents(panel)).toMatchObject([
    { name: 'a.example', health: 'critical', first: 'http_status', minutes: null, kinds: ['opened'] },
  ])

  panel.targets.set('a.example', { dns: 'no-name' })
  await panel.clock.advance(5 * minute)
  await panel.look('EUROPE', ['a.example'])
  panel.targets.mend('a.example')
  await panel.clock.advance(5 * minute)
  await panel.look('EUROPE', ['a.example'])
  expect(await told(panel)).toMatchObject({ 'a.example': ['critical', 'dns_no_such_name'] })
  await panel.clock.advance(30_000)
  expect(await panel.look('EUROPE')).toEqual(['a.example'])
  expect(await told(panel)).toMatchObject({ 'a.example': ['ok'] })
  expect(await incidents(panel)).toMatchObject([{ minutes: 10.5, kinds: ['opened', 'reasons', 'closed'], taken: false }])
})
