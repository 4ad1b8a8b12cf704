import { afterEach, expect, test } from 'vitest'
import { originSoonAtMs } from '#shared/features/domains/origin-certificates/choices.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring, TestMonitoringOptions } from '#server/testing/test-monitoring.ts'
import { followAccounts } from '../incidents/account-incidents.ts'

let watched: TestMonitoring | null = null
afterEach(() => watched?.close())

async function watch(options: TestMonitoringOptions): Promise<TestMonitoring> {
  watched = await createTestMonitoring(options)
  return watched
}

const minute = 60_000

async function readState({ services: { db } }: TestMonitoring) {
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

test('R-MON-03 each domain has a health with reasons, from check results and the mirror', async () => {
  const names = ['good', 'soon', 'expired', 'elsewhere', 'nowhere', 'teapot', 'phish', 'paused', 'pending', 'unpaid', 'moved'].map(
    (name) => `${name}.example`,
  )
  const longAgo = new Date('2026-01-01T00:00:00Z')
  const panel = await watch({
    names,
    regions: ['EUROPE'],
    zone: (name) => ({
      ...(name === 'phish.example' ? { phishing: true } : {}),
      ...(name === 'paused.example' ? { paused: true } : {}),
      ...(name === 'pending.example' ? { status: 'pending', providerStatus: 'pending', providerCreatedAt: longAgo } : {}),
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
  // A failure counts after the second check.
  for (let round = 0; round < 2; round += 1) {
    await panel.look('EUROPE', names)
    await panel.clock.advance(30_000)
  }
  expect(await readState(panel)).toEqual({
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

test('R-MON-04 a newly created domain has no incident until it has worked or its first day is over', async () => {
  const created = new Date('2026-11-20T10:00:00Z')
  const panel = await watch({
    names: ['bought.example', 'stuck.example', 'phish.example', 'old.example'],
    regions: ['EUROPE'],
    zone: (name) => ({
      status: 'pending',
      providerStatus: 'pending',
      phishing: name === 'phish.example',
      providerCreatedAt: name === 'old.example' ? new Date('2026-11-19T10:00:00Z') : created,
    }),
  })
  const names = ['bought.example', 'stuck.example', 'phish.example', 'old.example']
  for (const name of names) panel.targets.set(name, { dns: 'no-name' })
  const lookTwice = async () => {
    for (let round = 0; round < 2; round += 1) {
      await panel.look('EUROPE', names)
      await panel.clock.advance(minute)
    }
  }
  await lookTwice()
  expect(await readState(panel)).toEqual({
    'bought.example': ['unknown', 'setting_up'],
    'stuck.example': ['unknown', 'setting_up'],
    'phish.example': ['critical', 'phishing', 'setting_up'],
    'old.example': ['critical', 'dns_no_such_name', 'zone_pending'],
  })
  expect((await incidents(panel)).map(({ name, first }) => `${name} ${String(first)}`).toSorted()).toEqual([
    'old.example dns_no_such_name',
    'old.example zone_pending',
    'phish.example phishing',
  ])

  // Once activated and working, any failure is an outage, however new the domain is.
  panel.targets.repair('bought.example')
  await panel.services.db
    .sql`update zones set status = 'active', provider_status = 'active', activated_at = ${new Date(panel.clock.now()).toISOString()} where name = 'bought.example'`
  await lookTwice()
  expect(await readState(panel)).toMatchObject({ 'bought.example': ['ok'] })
  panel.targets.set('bought.example', { page: { kind: 'page', status: 502 } })
  await lookTwice()
  expect(await readState(panel)).toMatchObject({
    'bought.example': ['critical', 'http_status'],
    'stuck.example': ['unknown', 'setting_up'],
  })

  await panel.clock.advance(Date.parse('2026-11-21T10:00:00Z') - panel.clock.now())
  await panel.live('EUROPE')
  await panel.reconcile()
  expect(await readState(panel)).toMatchObject({ 'stuck.example': ['critical', 'dns_no_such_name', 'zone_pending'] })
})

test('R-MON-04 a changed threshold applies from then on, and a group’s override takes precedence', async () => {
  const panel = await watch({ names: ['mine.example', 'grouped.example'], regions: ['EUROPE', 'ASIA', 'AFRICA'] })
  const { db } = panel.services
  const [group] = await db.sql<
    { id: string }[]
  >`insert into groups (owner_id, name, color) values (${panel.owner.id}, 'Shops', '#123456') returning id`
  await db.sql`update zones set group_id = ${group?.id ?? ''} where name = 'grouped.example'`
  await db.sql`update zones set paid_until = '2026-12-30T10:30:00Z'`
  await panel.reconcile()
  for (const region of ['EUROPE', 'ASIA', 'AFRICA'] as const) await panel.look(region, ['mine.example', 'grouped.example'])
  expect(await readState(panel)).toEqual({ 'mine.example': ['ok'], 'grouped.example': ['ok'] })

  await db.sql`insert into monitor_overrides (group_id, override) values (${group?.id ?? ''}, '{"expiryDays": 60}')`
  await panel.reconcile()
  expect(await readState(panel)).toEqual({ 'mine.example': ['ok'], 'grouped.example': ['warnings', 'domain_expires_soon'] })
  await db.sql`update monitor_settings set options = options || '{"expiryDays": 60}'`
  await db.sql`update monitor_overrides set override = '{"expiryDays": 30}'`
  await panel.reconcile()
  expect(await readState(panel)).toEqual({ 'mine.example': ['warnings', 'domain_expires_soon'], 'grouped.example': ['ok'] })
  // Unchanged domains are not evaluated again.
  expect([...(await panel.reconcile())]).toEqual([])

  // The number of remaining days is updated daily.
  const left = async () =>
    (await db.sql<{ days: number }[]>`select (reasons->0->'params'->>'days')::int as days from zone_monitors where reasons <> '[]'`).map(
      ({ days }) => days,
    )
  expect(await left()).toEqual([40])
  await panel.clock.advance(24 * 60 * minute)
  for (const region of ['EUROPE', 'ASIA', 'AFRICA'] as const) await panel.live(region)
  await panel.reconcile()
  expect(await left()).toEqual([39])
})

/** As a reading writes the expiry of a domain's only certificate. */
function expire(panel: TestMonitoring, name: string, at: string, validityDays = 5_475) {
  const soonAt = new Date(originSoonAtMs(Date.parse(at), validityDays)).toISOString()
  return panel.services.db.sql`update zones set origin_expires_at = ${at}, origin_soon_at = ${soonAt} where name = ${name}`
}

test('R-MON-04 a certificate of Origin CA opens an incident when it expires soon and another one when it has expired, which end with its renewal', async () => {
  const names = ['soon.example', 'later.example', 'none.example', 'unread.example']
  const panel = await watch({ names, regions: ['EUROPE'] })
  const { sql } = panel.services.db
  await expire(panel, 'soon.example', '2026-12-21T10:00:00Z')
  await expire(panel, 'later.example', '2041-11-20T10:00:00Z')
  await sql`update zones set origin_expires_at = 'infinity', origin_soon_at = 'infinity' where name = 'none.example'`
  await panel.look('EUROPE', names)
  await panel.reconcile()
  const well = Object.fromEntries(names.map((name) => [name, ['ok']]))
  expect(await readState(panel)).toEqual(well)
  const days = async () =>
    (await sql<{ days: number | null }[]>`select (reasons->0->'params'->>'days')::int as days from zone_monitors where reasons <> '[]'`)[0]
      ?.days
  const pass = async (passedDays: number) => {
    await panel.clock.advance(passedDays * 24 * 60 * minute)
    await panel.look('EUROPE', names)
    await panel.reconcile()
  }
  await pass(1)
  expect(await readState(panel)).toEqual({ ...well, 'soon.example': ['warnings', 'origin_cert_expires_soon'] })
  expect(await days()).toBe(29)
  expect([...(await panel.reconcile())]).toEqual([])
  await pass(1)
  expect(await days()).toBe(28)
  await pass(29)
  expect(await readState(panel)).toEqual({ ...well, 'soon.example': ['warnings', 'origin_cert_expired'] })
  const of = (first: string) => ({ name: 'soon.example', health: 'warnings', first, cause: `code:${first}` })
  const soon = { ...of('origin_cert_expires_soon'), minutes: 30 * 24 * 60, kinds: ['opened', 'closed'] }
  const expired = of('origin_cert_expired')
  expect(await incidents(panel)).toMatchObject([soon, { ...expired, minutes: null, kinds: ['opened'] }])

  await expire(panel, 'soon.example', '2027-12-21T10:00:00Z')
  await panel.reconcile()
  expect(await readState(panel)).toEqual(well)
  expect(await incidents(panel)).toMatchObject([soon, { ...expired, minutes: 0, kinds: ['opened', 'closed'], taken: false }])
})

test('R-MON-04 a certificate of Origin CA that is valid for seven days opens an incident in its last third, which the next one closes', async () => {
  const panel = await watch({ names: ['week.example'], regions: ['EUROPE'] })
  const issue = () => expire(panel, 'week.example', new Date(panel.clock.now() + 7 * 24 * 60 * minute).toISOString(), 7)
  const pass = async (passedMinutes: number) => {
    await panel.clock.advance(passedMinutes * minute)
    await panel.live('EUROPE')
    await panel.reconcile()
    return readState(panel)
  }
  await issue()
  await panel.look('EUROPE', ['week.example'])
  expect(await pass(1)).toEqual({ 'week.example': ['ok'] })
  expect(await pass(4 * 24 * 60)).toEqual({ 'week.example': ['ok'] })
  const soon = { 'week.example': ['warnings', 'origin_cert_expires_soon'] }
  expect(await pass(24 * 60)).toEqual(soon)
  const incident = { name: 'week.example', health: 'warnings', first: 'origin_cert_expires_soon' }
  expect(await incidents(panel)).toMatchObject([{ ...incident, minutes: null, kinds: ['opened'] }])
  await issue()
  expect(await pass(5)).toEqual({ 'week.example': ['ok'] })
  expect(await incidents(panel)).toMatchObject([{ ...incident, minutes: 5, kinds: ['opened', 'closed'] }])
})

test('R-MON-04 unusual traffic opens an incident for each problem, which ends when it is usual again, and none for paused domains', async () => {
  const names = ['dropped.example', 'attacked.example', 'paused.example', 'usual.example']
  const panel = await watch({ names, regions: ['EUROPE'] })
  const { sql } = panel.services.db
  await panel.look('EUROPE', names)
  await sql`update zone_monitors set paused_until = 'infinity' where zone_id = ${panel.zone('paused.example').id}`
  await panel.reconcile()
  const well = { ...Object.fromEntries(names.map((name) => [name, ['ok']])), 'paused.example': ['unknown'] }
  expect(await readState(panel)).toEqual(well)
  const dropped = { code: 'traffic_dropped', params: { date: '2026-11-19', before: 4_000 } }
  const failing = { code: 'traffic_server_errors', params: { date: '2026-11-19', percent: 40 } }
  const attacked = { code: 'traffic_threats', params: { date: '2026-11-19', threats: 9_000, usual: 12 } }
  /** As a reading writes it. */
  const find = async (name: string, bits: number, problems: readonly unknown[]) => {
    const { id } = panel.zone(name)
    await sql`
      insert into zone_traffic (zone_id, bytes, threats, client_errors, server_errors, days, problems, read_at)
      values (${id}, 0, 0, 0, 0, '{}', ${JSON.stringify(problems)}::text::jsonb, now())
      on conflict (zone_id) do update set problems = excluded.problems`
    await sql`update zones set traffic_problems = ${bits}, requests = 1 where id = ${id}`
  }
  await find('dropped.example', 3, [dropped, failing])
  await find('attacked.example', 4, [attacked])
  await find('paused.example', 1, [dropped])
  await panel.reconcile()
  const bad = {
    ...well,
    'dropped.example': ['warnings', 'traffic_dropped', 'traffic_server_errors'],
    'attacked.example': ['warnings', 'traffic_threats'],
  }
  expect(await readState(panel)).toEqual(bad)
  const of = ({ code }: { readonly code: string }) => ({ first: code, health: 'warnings', cause: `code:${code}` })
  const byFirst = async () => (await incidents(panel)).toSorted((one, other) => String(one.first).localeCompare(String(other.first)))
  expect(await byFirst()).toMatchObject([of(dropped), of(failing), of(attacked)].map((each) => ({ ...each, minutes: null })))
  expect([...(await panel.reconcile())]).toEqual([])

  await find('dropped.example', 1, [dropped])
  await find('attacked.example', 0, [])
  await panel.reconcile()
  expect(await readState(panel)).toEqual({ ...well, 'dropped.example': ['warnings', 'traffic_dropped'] })
  expect((await byFirst()).map(({ minutes }) => minutes)).toEqual([null, 0, 0])
})

test('R-MON-04 an incident of traffic ends without a recovery when the figures are deleted', async () => {
  const names = ['dropped.example', 'usual-again.example']
  const panel = await watch({ names, regions: ['EUROPE'] })
  const { sql } = panel.services.db
  await panel.look('EUROPE', names)
  const problems = JSON.stringify([{ code: 'traffic_dropped', params: { date: '2026-11-19', before: 4_000 } }])
  await sql`
    insert into zone_traffic (zone_id, bytes, threats, client_errors, server_errors, days, problems, read_at)
    select id, 0, 0, 0, 0, '{}', ${problems}::text::jsonb, now() from zones`
  await sql`update zones set traffic_problems = 1, requests = 7`
  await panel.reconcile()
  expect((await incidents(panel)).map(({ minutes }) => minutes)).toEqual([null, null])
  await sql`update zones set traffic_problems = 0, requests = case when name = 'usual-again.example' then 8 end`
  await panel.reconcile()
  const ends =
    await sql`select name, close_taken_at is not null as silent, timeline -> -1 ->> 'unwatched' as unwatched from incidents order by name`
  expect([...ends]).toEqual([
    { name: 'dropped.example', silent: true, unwatched: 'true' },
    { name: 'usual-again.example', silent: false, unwatched: null },
  ])
})

test('R-MON-04 one failure raises no alert; the second opens one incident, which ends after two successes', async () => {
  const panel = await watch({ names: ['a.example', 'b.example'], regions: ['EUROPE'] })
  await panel.look('EUROPE', ['a.example', 'b.example'])
  panel.targets.set('a.example', { page: { kind: 'page', status: 502 } })
  await panel.clock.advance(minute)
  await panel.look('EUROPE', ['a.example'])
  expect([await readState(panel), await incidents(panel)]).toEqual([{ 'a.example': ['ok'], 'b.example': ['ok'] }, []])
  // It is retried after half a minute, not earlier.
  await panel.clock.advance(29_000)
  await panel.services.db.sql`update probe_cursors set position = now() + interval '1 year'`
  expect(await panel.look('EUROPE')).toEqual([])
  await panel.clock.advance(1_000)
  expect(await panel.look('EUROPE')).toEqual(['a.example'])
  expect(await readState(panel)).toMatchObject({ 'a.example': ['critical', 'http_status'] })
  expect(await incidents(panel)).toMatchObject([
    { name: 'a.example', health: 'critical', first: 'http_status', minutes: null, kinds: ['opened'] },
  ])

  panel.targets.set('a.example', { dns: 'no-name' })
  await panel.clock.advance(5 * minute)
  await panel.look('EUROPE', ['a.example'])
  panel.targets.repair('a.example')
  await panel.clock.advance(5 * minute)
  await panel.look('EUROPE', ['a.example'])
  expect(await readState(panel)).toMatchObject({ 'a.example': ['critical', 'dns_no_such_name'] })
  await panel.clock.advance(30_000)
  expect(await panel.look('EUROPE')).toEqual(['a.example'])
  expect(await readState(panel)).toMatchObject({ 'a.example': ['ok'] })
  expect(await incidents(panel)).toMatchObject([{ minutes: 10.5, kinds: ['opened', 'reasons', 'closed'], taken: false }])
})

test('R-MON-04 a domain down in one of three regions is checked from the others immediately and reported as such; down in most regions, it ignores quiet hours', async () => {
  const panel = await watch({ names: ['a.example'] })
  const all = ['EUROPE', 'NORTH_AMERICA', 'ASIA'] as const
  for (const region of all) await panel.look(region, ['a.example'])
  await panel.clock.advance(minute)
  panel.targets.set('a.example', { handshake: 'closed' })
  await panel.look('ASIA', ['a.example'])
  await panel.clock.advance(30_000)
  for (const region of all) await panel.live(region)
  await panel.look('ASIA', ['a.example'])
  // The other regions have not reported yet.
  expect([await readState(panel), await incidents(panel)]).toEqual([{ 'a.example': ['ok'] }, []])
  panel.targets.repair('a.example')
  await panel.services.db.sql`update probe_cursors set position = now() + interval '1 year'`
  expect(await panel.look('EUROPE')).toEqual(['a.example'])
  expect(await panel.look('NORTH_AMERICA')).toEqual(['a.example'])
  const [, code = ''] = (await readState(panel))['a.example']?.slice(1) ?? []
  expect(await readState(panel)).toEqual({ 'a.example': ['warnings', 'down_in_some_regions', code] })
  expect(await incidents(panel)).toMatchObject([{ health: 'warnings', first: 'down_in_some_regions', kinds: ['opened'] }])

  // It escalates: the same incident is reported again, immediately.
  await panel.services.db.sql`update incidents set open_taken_at = now(), told = true, held_until = now() + interval '8 hours'`
  panel.targets.set('a.example', { handshake: 'closed' })
  for (let round = 0; round < 2; round += 1) {
    await panel.look('EUROPE', ['a.example'])
    await panel.clock.advance(30_000)
  }
  expect(await readState(panel)).toMatchObject({ 'a.example': ['critical', code] })
  expect(await panel.services.db.sql`select health, open_taken_at, held_until, closed_at from incidents`).toEqual([
    { health: 'critical', openTakenAt: null, heldUntil: null, closedAt: null },
  ])
})

test('R-MON-04 four changes in an hour are flapping: one incident, until it is stable for a quarter of an hour', async () => {
  const panel = await watch({ names: ['a.example'], regions: ['EUROPE'], options: { failuresToDown: 1, successesToUp: 1 } })
  await panel.look('EUROPE', ['a.example'])
  for (let change = 0; change < 9; change += 1) {
    await panel.clock.advance(5 * minute)
    if (change % 2 === 0) panel.targets.set('a.example', { page: { kind: 'page', status: 500 } })
    else panel.targets.repair('a.example')
    await panel.look('EUROPE', ['a.example'])
  }
  expect(await readState(panel)).toEqual({ 'a.example': ['critical', 'http_status', 'flapping'] })
  panel.targets.repair('a.example')
  await panel.clock.advance(5 * minute)
  await panel.look('EUROPE', ['a.example'])
  expect(await readState(panel)).toEqual({ 'a.example': ['warnings', 'flapping'] })
  // The first short outage ended normally; from the fourth change on, all belong to one incident.
  expect(await incidents(panel)).toMatchObject([{ minutes: 5 }, { minutes: null }])
  for (const minutes of [5, 5, 4]) {
    await panel.clock.advance(minutes * minute)
    await panel.look('EUROPE', ['a.example'])
  }
  await panel.reconcile()
  expect(await incidents(panel)).toMatchObject([{}, { minutes: null }])
  await panel.clock.advance(minute)
  await panel.look('EUROPE', ['a.example'])
  await panel.reconcile()
  expect(await readState(panel)).toEqual({ 'a.example': ['ok'] })
  expect(await incidents(panel)).toMatchObject([{}, { minutes: 50 }])
})

test('R-MON-04 a panel restored from a three-day-old backup counts that time as neither up nor stable, and opens and closes no incident for it', async () => {
  const names = ['good.example', 'flapping.example']
  const panel = await watch({ names, regions: ['EUROPE'], options: { failuresToDown: 1, successesToUp: 1 } })
  await panel.look('EUROPE', names)
  for (let change = 0; change < 5; change += 1) {
    await panel.clock.advance(5 * minute)
    if (change % 2 === 0) panel.targets.set('flapping.example', { page: { kind: 'page', status: 500 } })
    else panel.targets.repair('flapping.example')
    await panel.look('EUROPE', names)
  }
  panel.targets.repair('flapping.example')
  await panel.clock.advance(5 * minute)
  await panel.look('EUROPE', names)
  const flapping = { 'good.example': ['ok'], 'flapping.example': ['warnings', 'flapping'] }
  expect(await readState(panel)).toEqual(flapping)
  const before = await incidents(panel)
  // A restored database holds the old state, while the clock has moved on.
  await panel.clock.advance(3 * 24 * 60 * minute)
  await panel.live('EUROPE')
  await panel.reconcile()
  expect(await readState(panel)).toEqual(flapping)
  await panel.look('EUROPE', names)
  await panel.reconcile()
  expect(await readState(panel)).toEqual(flapping)
  expect(await incidents(panel)).toEqual(before)
  const since = new Date(panel.clock.now()).toISOString()
  expect(
    await panel.services.db.sql`
      select z.name, m.since = ${since}::timestamptz and v.since = ${since}::timestamptz as since, encode(v.beats, 'hex') ~ '^(00)+01$' as unobserved
      from zone_monitors m join zone_views v using (zone_id) join zones z on z.id = m.zone_id order by 1`,
  ).toEqual(names.toSorted().map((name) => ({ name, since: true, unobserved: true })))
  for (let round = 0; round < 3; round += 1) {
    await panel.clock.advance(5 * minute)
    await panel.look('EUROPE', names)
  }
  await panel.reconcile()
  expect(await readState(panel)).toEqual({ 'good.example': ['ok'], 'flapping.example': ['ok'] })
})

test('R-MON-04 domains down for one reason share their cause; a refused account has one incident for all its domains', async () => {
  const names = ['a.example', 'b.example', 'c.example', 'd.example']
  const panel = await watch({ names, regions: ['EUROPE'], options: { failuresToDown: 1 }, zone: () => ({ originIps: ['198.51.100.7'] }) })
  for (const name of names.slice(0, 3)) panel.targets.set(name, { page: { kind: 'page', status: 522 } })
  panel.targets.set('d.example', { page: { kind: 'page', status: 404 } })
  await panel.look('EUROPE', names)
  const causes = async () => (await incidents(panel)).map(({ cause }) => cause)
  expect(await causes()).toEqual([...Array.from({ length: 3 }, () => 'origin:198.51.100.7'), 'code:http_status'])
  const { sql } = panel.services.db
  await sql`update accounts set health = 'auth_error'`
  // A process that lost the lock without noticing overlaps with its successor.
  await Promise.all([1, 2, 3].map(() => followAccounts(panel.services)))
  await followAccounts(panel.services)
  expect((await causes()).slice(4)).toEqual([`account:${panel.accountId}`])
  await sql`update accounts set health = 'working'`
  await panel.clock.advance(minute)
  await followAccounts(panel.services)
  expect(
    await sql`select extract(epoch from closed_at - opened_at)::int as seconds, close_taken_at from incidents where zone_id is null`,
  ).toEqual([{ seconds: 60, closeTakenAt: null }])
})

test('R-MON-04 no recovery is sent for a domain that is no longer monitored: paused, disabled or deleted', async () => {
  const names = ['a.example', 'b.example', 'c.example']
  const panel = await watch({ names, regions: ['EUROPE'], options: { failuresToDown: 1 } })
  for (const name of names) panel.targets.set(name, { page: { kind: 'page', status: 500 } })
  await panel.look('EUROPE', names)
  const { sql } = panel.services.db
  await sql`update zone_monitors set paused_until = 'infinity' where zone_id = ${panel.zone('a.example').id}`
  await sql`delete from zones where name = 'b.example'`
  await panel.reconcile()
  const ended = () => sql`select name, close_taken_at is not null as silent from incidents where closed_at is not null order by name`
  expect(await ended()).toEqual([
    { name: 'a.example', silent: true },
    { name: 'b.example', silent: true },
  ])
  expect(await readState(panel)).toMatchObject({ 'a.example': ['unknown'], 'c.example': ['critical', 'http_status'] })
  await sql`update monitor_settings set enabled = false`
  await panel.reconcile()
  expect(await ended()).toHaveLength(3)
  expect(await sql`select distinct health from zones`).toEqual([{ health: 'unknown' }])
  expect(await sql`select 1 from zone_views`).toEqual([])
})
