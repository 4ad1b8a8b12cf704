import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { PublicStatus } from '#shared/features/monitoring/reports.ts'
import { ensurePartitions } from '../history/partitions.repo.ts'

const now = Date.parse('2026-11-20T10:30:00Z')
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const iso = (at: number) => new Date(at).toISOString()

describe('monitoring queries', () => {
  let t: TestApp
  let me: SignedIn
  let groupId: string
  let domainIds: string[]
  beforeAll(async () => {
    t = await createTestApp({ clock: createFakeClock(now) })
    me = await signIn(t.services)
    const { db } = t.services
    const { id: accountId } = await insertAccount(db, { ownerId: me.user.id, email: 'cf@people.example' })
    groupId = (await insertGroup(db, { ownerId: me.user.id, name: 'Shops' })).id
    const zones = await insertZones(db, { ownerId: me.user.id, accountId }, 4, (index) => ({
      name: ['down.example', 'warned.example', 'fine.example', 'xn--80ak6aa92e.example'][index] ?? '',
      groupId: index === 3 ? null : groupId,
    }))
    domainIds = zones.map(({ id }) => id)
    await db.sql`update zones set paid_until = ${iso(now + 3 * dayMs)} where id = ${domainIds[2] ?? ''}`
    await ensurePartitions(db, now - 95 * dayMs, now)
    const rows = zones.map(({ id }, index) => ({
      zone_id: id,
      health: ['critical', 'warnings', 'ok', 'unknown'][index],
      cert_expires_at: [iso(now - dayMs), iso(now + 5 * dayMs), iso(now + 60 * dayMs), null][index] ?? null,
    }))
    await db.sql`
      insert into zone_monitors (zone_id, owner_id, group_id, interval_seconds, slot, regions, health, cert_expires_at, certificate)
      select zone_id, ${me.user.id}, null, 300, 0, '{EUROPE,ASIA}', health::health, cert_expires_at::timestamptz,
        case when cert_expires_at is not null then '{"issuer":"R11","names":["a"],"notBefore":"2026-01-01","notAfter":"2026-12-01","trusted":true,"fingerprint":"00"}'::jsonb end
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (zone_id uuid, health text, cert_expires_at text)`
    await db.sql`
      insert into zone_views (zone_id, region, state, beats, checked_at, hour, checks, failed, sum_total_ms, max_total_ms)
      select zone_id, r::region, 'up', '\\x010203'::bytea, ${iso(now)}, ${iso(now - 30 * minuteMs)}, 6, 1, 500, 200
      from zone_monitors, unnest('{EUROPE,ASIA}'::text[]) r where owner_id = ${me.user.id}`
    const origin = (index: number, minutes: number) => ({
      zone_id: domainIds[index],
      name: zones[index]?.name,
      cause: 'origin:192.0.2.1',
      opened_at: iso(now - minutes * minuteMs),
      reasons: [{ code: 'connect_refused', params: { address: '192.0.2.1' }, regions: ['EUROPE'] }],
    })
    const incidents = [
      { ...origin(0, 40), health: 'critical', closed_at: null },
      { ...origin(1, 30), health: 'warnings', closed_at: null },
      { ...origin(2, 26 * 60), health: 'critical', closed_at: iso(now - 25 * hourMs) },
      {
        name: 'cf@people.example',
        cause: `account:${accountId}`,
        health: 'critical',
        opened_at: iso(now - minuteMs),
        reasons: [],
        closed_at: null,
      },
    ]
    await db.sql`
      insert into incidents (owner_id, zone_id, name, health, reasons, cause, opened_at, closed_at)
      select ${me.user.id}, zone_id, name, health, reasons, cause, opened_at, closed_at
      from json_to_recordset(${JSON.stringify(incidents)}::text::json)
        as i (zone_id uuid, name text, health health, reasons jsonb, cause text, opened_at timestamptz, closed_at timestamptz)`
  })
  afterAll(() => t.close())

  test('current problems are grouped by cause, the most severe and largest first, with the affected names', async () => {
    const overview = await me.call.monitoring.overview({})
    expect(overview).toMatchObject({ watched: 4, health: { ok: 1, warnings: 1, critical: 1, unknown: 1 }, openIncidents: 3 })
    expect(overview.causes.map(({ cause, health, incidents }) => [cause.split(':')[0], health, incidents])).toEqual([
      ['origin', 'critical', 2],
      ['account', 'critical', 1],
    ])
    expect(overview.causes[0]).toMatchObject({ name: '192.0.2.1', since: iso(now - 40 * minuteMs) })
    expect(overview.causes[0]?.names.map(({ name }) => name)).toEqual(['down.example', 'warned.example'])
    expect(overview.causes[1]?.name).toBe('cf@people.example')
    expect(overview.lastDay).toHaveLength(24)
    expect(overview.lastDay.map(({ opened }) => opened).reduce((sum, n) => sum + n)).toBe(3)
  })

  test('a region without a probe is reported, and one that falls behind shows its pace', async () => {
    const { db } = t.services
    await db.sql`
      insert into probes (id, region, started_at, seen_at, online, checks_per_second, lag_ms)
      values (gen_random_uuid(), 'EUROPE', ${iso(now)}, ${iso(now - 5_000)}, true, 40, 12000),
        (gen_random_uuid(), 'ASIA', ${iso(now)}, ${iso(now - 61_000)}, true, 40, 0)`
    await db.sql`insert into probe_cursors (region, interval_seconds, position, claimed_at, pace) values ('EUROPE', 300, ${iso(now)}, ${iso(now)}, 0.5)`
    const { regions } = await me.call.monitoring.overview({})
    expect(regions.map(({ region, probes, pace, reason }) => [region, probes, pace, reason])).toEqual([
      ['EUROPE', 1, 0.5, null],
      ['NORTH_AMERICA', 0, 1, 'no_probe'],
      ['ASIA', 0, 1, 'no_probe'],
    ])
    // The last domain is unknown and has no check from Asia; a paused domain is not waited for.
    expect(regions.map(({ unseen }) => unseen)).toEqual([0, 0, 0])
    const unseenNow = async () => (await me.call.monitoring.overview({})).regions.map(({ unseen }) => unseen)
    await db.sql`update zone_views set checked_at = null where region = 'ASIA'`
    expect(await unseenNow()).toEqual([0, 0, 1])
    await db.sql`update zone_monitors set paused_until = 'infinity' where health = 'unknown'`
    expect(await unseenNow()).toEqual([0, 0, 0])
    await db.sql`update zone_monitors set paused_until = null`
    await db.sql`update zone_views set checked_at = ${iso(now)}`
    // A region's result counts for ten minutes; after that the domain shows it too.
    const { watched: fresh } = await me.call.monitoring.ofDomain({ id: domainIds[3] ?? '' })
    expect(fresh?.views.map(({ findings }) => findings)).toEqual([[], []])
    await db.sql`update zone_views set checked_at = ${iso(now - 11 * minuteMs)}`
    const { watched: stale } = await me.call.monitoring.ofDomain({ id: domainIds[3] ?? '' })
    expect(stale?.views.map(({ region, findings }) => [region, findings])).toEqual([
      ['EUROPE', []],
      ['ASIA', [{ code: 'no_probe', params: {} }]],
    ])
    expect(stale?.reasons).toEqual([])
    await db.sql`update probes set seen_at = ${iso(now - 2 * minuteMs)}`
    const { watched: blind } = await me.call.monitoring.ofDomain({ id: domainIds[3] ?? '' })
    expect(blind?.reasons).toEqual([{ code: 'no_probe', params: {}, regions: ['EUROPE', 'ASIA'] }])
    await db.sql`update zone_views set checked_at = ${iso(now)}`
    await db.sql`update probes set seen_at = ${iso(now)} where region = 'EUROPE'`
  })

  test('incidents are filtered by cause, state, severity and name, page by page', async () => {
    const names = async (input: Parameters<typeof me.call.monitoring.incidents>[0]) =>
      (await me.call.monitoring.incidents(input)).incidents.map(({ name }) => name)
    expect(await names({ cause: 'origin:192.0.2.1', state: 'open' })).toEqual(['warned.example', 'down.example'])
    expect(await names({ state: 'closed' })).toEqual(['fine.example'])
    expect(await names({ health: 'warnings' })).toEqual(['warned.example'])
    expect(await names({ search: 'DOWN.' })).toEqual(['down.example'])
    expect(await names({ search: '%' })).toEqual([])
    const first = await me.call.monitoring.incidents({ limit: 2 })
    const second = await me.call.monitoring.incidents({ limit: 2, cursor: first.nextCursor ?? undefined })
    expect([...first.incidents, ...second.incidents]).toHaveLength(4)
    expect(second.nextCursor === null || second.incidents.length === 2).toBe(true)
  })

  test('R-MON-05 uptime over a day, a week, 30 and 90 days uses hours, days and the current hour, and counts each check once', async () => {
    const { db } = t.services
    const [domainId = ''] = domainIds
    const today = Math.floor(now / dayMs) * dayMs
    const hours = [
      // Yesterday within 24 hours, a day without a daily sum, and one that has both its sum and its hours.
      { at: now - 30 * minuteMs - 20 * hourMs, checks: 12, failed: 6 },
      { at: today - 3 * dayMs, checks: 10, failed: 0 },
      { at: today - 5 * dayMs, checks: 10, failed: 10 },
    ]
    for (const { at, checks, failed } of hours)
      await db.sql`insert into check_hours (zone_id, region, hour, checks, failed, total_ms, max_total_ms) values (${domainId}, 'EUROPE', ${iso(at)}, ${checks}, ${failed}, 100, 300)`
    for (const [daysAgo, failed] of [
      [5, 10],
      [40, 0],
    ] as const)
      await db.sql`insert into check_days (zone_id, region, day, checks, failed, total_ms, max_total_ms) values (${domainId}, 'EUROPE', ${iso(today - daysAgo * dayMs)}, 100, ${failed}, 50, 60)`
    const { watched } = await me.call.monitoring.ofDomain({ id: domainId })
    expect(watched?.views.map(({ region, beats }) => [region, beats])).toEqual([
      ['EUROPE', [1, 2, 3]],
      ['ASIA', [1, 2, 3]],
    ])
    // The current hour: 12 checks of two regions, 2 of them failed.
    expect(watched?.uptime.day).toBeCloseTo(1 - 8 / 24)
    expect(watched?.uptime.week).toBeCloseTo(1 - 18 / 44)
    expect(watched?.uptime.month).toBeCloseTo(1 - (2 + 6 + 0 + 10) / (12 + 12 + 10 + 100))
    expect(watched?.uptime.quarter).toBeCloseTo(1 - 18 / 234)
    // Every five minutes: 6 and 12 checks, 10 and 10, then days of 100.
    const five = 5 * minuteMs
    expect(watched?.observedMs).toEqual({ day: 18 * five, week: 38 * five, month: 128 * five, quarter: 228 * five })
    const quarter = await me.call.monitoring.history({ id: domainId, range: 'quarter' })
    const europe = quarter.points.filter(({ region }) => region === 'EUROPE')
    expect(europe.map(({ at, checks }) => [at.slice(0, 10), checks])).toEqual([
      [iso(today - 40 * dayMs).slice(0, 10), 100],
      [iso(today - 5 * dayMs).slice(0, 10), 100],
      [iso(today - 3 * dayMs).slice(0, 10), 10],
      ['2026-11-19', 12],
      ['2026-11-20', 6],
    ])
    const day = await me.call.monitoring.history({ id: domainId, range: 'day' })
    expect(day.points.at(-1)).toMatchObject({ checks: 6, failed: 1, timings: { totalMs: 100 }, maxTotalMs: 200 })
  })

  test('an unmonitored domain is reported as such, and another person’s is not found', async () => {
    const other = await signIn(t.services)
    const [domainId = ''] = domainIds
    for (const ask of [
      () => other.call.monitoring.ofDomain({ id: domainId }),
      () => other.call.monitoring.history({ id: domainId, range: 'day' }),
      () => other.call.monitoring.incidents({ zoneId: domainId }),
      () => other.call.monitoring.checkNow({ ids: [domainId] }),
      () => other.call.monitoring.pause({ ids: [domainId], minutes: 5 }),
      () => other.call.monitoring.mute({ ids: [domainId], minutes: 5 }),
    ])
      await expect(ask()).rejects.toMatchObject({ cause: { code: 'not_found' } })
    expect(await other.call.monitoring.overview({})).toMatchObject({ watched: 0, causes: [], openIncidents: 0 })
    expect((await other.call.monitoring.certificates({})).certificates).toEqual([])
  })

  test('many domains can be paused, muted or checked now; the log records it, and a paused domain is not checked', async () => {
    const { db } = t.services
    const [one = '', two = ''] = domainIds
    expect(await me.call.monitoring.pause({ ids: [one, one.toUpperCase()], minutes: 'forever' })).toEqual({ domains: 1 })
    expect(await me.call.monitoring.mute({ ids: [one, two], minutes: 60 })).toEqual({ domains: 2 })
    expect(await me.call.monitoring.overview({})).toMatchObject({ paused: 1, muted: 2 })
    expect(await me.call.monitoring.checkNow({ ids: [one, two] })).toEqual({ domains: 1 })
    const wanted = await db.sql`select distinct zone_id from zone_views where wanted_at is not null`
    expect(wanted.map((row) => String(row['domainId']))).toEqual([two])
    // A requested check is pending only in regions with a probe.
    const { views = [] } = (await me.call.monitoring.ofDomain({ id: two })).watched ?? {}
    expect(views.map(({ region, wanted: isWanted }) => [region, isWanted])).toEqual([
      ['EUROPE', true],
      ['ASIA', false],
    ])
    const { watched } = await me.call.monitoring.ofDomain({ id: one })
    expect(watched).toMatchObject({ pausedUntil: 'forever', mutedUntil: iso(now + hourMs) })
    await me.call.monitoring.pause({ ids: [one], minutes: null })
    expect((await me.call.monitoring.ofDomain({ id: one })).watched?.pausedUntil).toBe(null)
    const entries = await db.sql<{ entityType: string; details: object }[]>`
      select entity_type, details from activity where owner_id = ${me.user.id} order by id`
    expect(entries.map(({ entityType: type, details }) => [type, details])).toEqual([
      ['zone', { checksPaused: 'forever' }],
      ['settings', { muted: iso(now + hourMs), domains: 2 }],
      ['zone', { checksPaused: 'ended' }],
    ])
  })

  test('R-PRM-02 a user with a shared group sees its domains’ health and incidents, and mutes them only with the required level', async () => {
    const guest = await signIn(t.services)
    const [domainId = ''] = domainIds
    const { db } = t.services
    const share = (level: 'view' | 'operate') =>
      db.sql`insert into shares (owner_id, grantee_id, group_id, level) values (${me.user.id}, ${guest.user.id}, ${groupId}, ${level}::share_level)
        on conflict (group_id, grantee_id) where group_id is not null do update set level = excluded.level`
    await expect(guest.call.monitoring.ofDomain({ id: domainId })).rejects.toMatchObject({ cause: { code: 'not_found' } })
    await expect(guest.call.monitoring.incidents({ zoneId: domainId })).rejects.toMatchObject({ cause: { code: 'not_found' } })
    await share('view')
    expect((await guest.call.monitoring.ofDomain({ id: domainId })).watched?.health).toBe('critical')
    expect((await guest.call.monitoring.history({ id: domainId })).points.length).toBeGreaterThan(0)
    const { incidents } = await guest.call.monitoring.incidents({ zoneId: domainId })
    expect(incidents.map(({ name }) => name)).toEqual(['down.example'])
    const overview = await guest.call.monitoring.overview({})
    expect(overview).toMatchObject({ watched: 3, health: { ok: 1, warnings: 1, critical: 1, unknown: 0 }, openIncidents: 2 })
    expect(overview.causes.map(({ cause, incidents: n, names }) => [cause, n, names.map(({ name }) => name)])).toEqual([
      ['origin:192.0.2.1', 2, ['down.example', 'warned.example']],
    ])
    expect(overview.lastDay.reduce((sum, { opened }) => sum + opened, 0)).toBe(2)
    const all = await guest.call.monitoring.incidents({})
    expect(all.incidents.map(({ name, shared }) => [name, shared?.level])).toEqual([
      ['fine.example', 'view'],
      ['warned.example', 'view'],
      ['down.example', 'view'],
    ])
    expect((await guest.call.monitoring.incidents({ search: 'warned' })).incidents).toHaveLength(1)
    expect((await guest.call.monitoring.certificates({})).certificates.map(({ name }) => name)).toEqual([
      'down.example',
      'warned.example',
      'fine.example',
    ])
    const { certificates, days } = await guest.call.monitoring.expiries({})
    expect([certificates, days.reduce((sum, { domains }) => sum + domains, 0)]).toEqual([
      { ended: 1, week: 1, month: 0, later: 1, unknown: 0 },
      0,
    ])
    expect((await guest.call.monitoring.incidents({ ownerId: me.user.id })).incidents).toHaveLength(3)
    expect((await guest.call.monitoring.incidents({ ownerId: guest.user.id })).incidents).toEqual([])
    const id = incidents[0]?.id ?? ''
    const acts = [
      () => guest.call.monitoring.mute({ ids: [domainId], minutes: 60 }),
      () => guest.call.monitoring.pause({ ids: [domainId], minutes: 60 }),
      () => guest.call.monitoring.checkNow({ ids: [domainId] }),
      () => guest.call.alerts.acknowledge({ id }),
      () => guest.call.alerts.mute({ id }),
    ]
    for (const act of acts) await expect(act()).rejects.toMatchObject({ cause: { code: 'level_too_low' } })
    // By cause, the same: those that the actor sees but may not change are refused, and none are visible of another cause.
    const byCause = { cause: incidents[0]?.cause ?? '' }
    for (const act of [
      () => guest.call.alerts.acknowledgeMany(byCause),
      () => guest.call.alerts.acknowledgeMany({ ...byCause, ownerId: me.user.id }),
      () => guest.call.alerts.muteMany({ ...byCause, minutes: 60 }),
    ])
      await expect(act()).rejects.toMatchObject({ cause: { code: 'level_too_low' } })
    expect(await guest.call.alerts.acknowledgeMany({ cause: 'origin:198.51.100.99' })).toEqual({ incidents: 0 })
    expect(await guest.call.alerts.muteMany({ ...byCause, ownerId: guest.user.id, minutes: 60 })).toEqual({ incidents: 0, domains: 0 })
    await share('operate')
    // Sequential: both mutes set the same time, and the later one counts.
    for (const act of acts) await act()
    const { watched } = await me.call.monitoring.ofDomain({ id: domainId })
    expect(watched).toMatchObject({ pausedUntil: iso(now + hourMs), mutedUntil: iso(now + 2 * hourMs) })
    expect((await me.call.monitoring.incidents({ zoneId: domainId })).incidents[0]?.acknowledgedBy).toBe(guest.actor.name)
    await me.call.monitoring.pause({ ids: [domainId], minutes: null })
    await me.call.monitoring.mute({ ids: [domainId], minutes: null })
  })

  test('R-MON-04 incidents are acknowledged and muted in bulk, by ids or all open ones of a cause; the call is all or nothing', async () => {
    const owner = await signIn(t.services)
    const { db } = t.services
    const { id: accountId } = await insertAccount(db, { ownerId: owner.user.id })
    const zones = await insertZones(db, { ownerId: owner.user.id, accountId }, 4)
    for (const [index, { id, name }] of zones.entries()) {
      await db.sql`insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions) values (${id}, ${owner.user.id}, 300, 0, '{EUROPE}')`
      await db.sql`
        insert into incidents (owner_id, zone_id, name, health, reasons, cause, opened_at, closed_at)
        values (${owner.user.id}, ${id}, ${name}, 'critical', '[]', 'origin:192.0.2.7', ${iso(now)}, ${index === 3 ? iso(now) : null})`
    }
    const open = (await owner.call.monitoring.incidents({ state: 'open' })).incidents.map(({ id }) => id)
    const [mine] = (await me.call.monitoring.incidents({ state: 'open' })).incidents
    const marks = async () =>
      (await owner.call.monitoring.incidents({})).incidents.filter(({ acknowledgedBy }) => acknowledgedBy !== null).length
    await expect(owner.call.alerts.acknowledgeMany({ ids: [...open, mine?.id ?? ''] })).rejects.toMatchObject({
      cause: { code: 'not_found' },
    })
    expect(await marks()).toBe(0)
    expect(await owner.call.alerts.acknowledgeMany({ ids: open.slice(0, 2) })).toEqual({ incidents: 2 })
    expect(await owner.call.alerts.muteMany({ ids: open.slice(0, 1), minutes: 60 })).toEqual({ incidents: 1, domains: 1 })
    expect(await owner.call.alerts.acknowledgeMany({ cause: 'origin:192.0.2.7' })).toEqual({ incidents: 3 })
    expect(await owner.call.alerts.muteMany({ cause: 'origin:192.0.2.7', minutes: 60 })).toEqual({ incidents: 3, domains: 3 })
    expect(await marks()).toBe(3)
    expect(await me.call.alerts.muteMany({ cause: 'origin:192.0.2.7' })).toEqual({ incidents: 0, domains: 0 })
    for (const wrong of [{}, { ids: open, cause: 'origin:192.0.2.7' }])
      await expect(owner.call.alerts.acknowledgeMany(wrong)).rejects.toMatchObject({ cause: { name: 'ZodError' } })
  })

  test('certificates are listed by expiry, and upcoming expiries count certificates and domain registrations', async () => {
    const { certificates } = await me.call.monitoring.certificates({})
    expect(certificates.map(({ name }) => name)).toEqual(['down.example', 'warned.example', 'fine.example'])
    const soon = await me.call.monitoring.certificates({ from: '2026-11-20', to: '2026-11-25' })
    expect(soon.certificates.map(({ name, issuer }) => [name, issuer])).toEqual([['warned.example', 'R11']])
    expect(await me.call.monitoring.expiries({})).toEqual({
      certificates: { ended: 1, week: 1, month: 0, later: 1, unknown: 1 },
      days: [
        { day: '2026-11-23', certificates: 0, domains: 1 },
        { day: '2026-11-25', certificates: 1, domains: 0 },
        { day: '2027-01-19', certificates: 1, domains: 0 },
      ],
    })
  })

  test('R-MON-05 a domain in several accounts is counted once in upcoming expiries', async () => {
    const other = await signIn(t.services)
    for (const email of ['one@people.example', 'two@people.example']) {
      const { id } = await insertAccount(t.services.db, { ownerId: other.user.id, email })
      await insertZones(t.services.db, { ownerId: other.user.id, accountId: id }, 1, () => ({ name: 'twice.example' }))
    }
    await t.services.db.sql`update zones set paid_until = ${iso(now + 3 * dayMs)} where name = 'twice.example'`
    expect((await other.call.monitoring.expiries({})).days.map(({ domains }) => domains)).toEqual([1])
  })

  test('R-MON-05 an invalid cursor, date or time is refused and is not a server error', async () => {
    const refused = { cause: { code: 'validation_failed' } }
    const [domainId = ''] = domainIds
    const cursors = ['2026-01-01T00:00:00Z ------------------------------------', `1 ${domainId}`, `0000-01-01T00:00:00Z ${domainId}`, '']
    for (const cursor of cursors) await expect(me.call.monitoring.certificates({ cursor })).rejects.toMatchObject(refused)
    for (const days of [{ from: '0000-01-01' }, { to: '9999-12-31' }])
      await expect(me.call.monitoring.certificates(days)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const window = { name: 'Move', startsAt: '0000-01-01T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' }
    await expect(me.call.alerts.createWindow(window)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const page = await me.call.monitoring.certificates({ limit: 2 })
    const next = await me.call.monitoring.certificates({ cursor: page.nextCursor ?? undefined })
    expect(next.certificates.map(({ name }) => name)).toEqual(['fine.example'])
  })

  test('R-MON-05 when causes exceed the limit, critical ones are shown first and all open incidents are counted', async () => {
    const other = await signIn(t.services)
    await t.services.db.sql`
      insert into incidents (owner_id, name, health, reasons, cause, opened_at)
      select ${other.user.id}::uuid, 'a.example', 'warnings'::health, '[]'::jsonb, 'code:warned' || n % 120, ${iso(now)}::timestamptz from generate_series(1, 240) n
      union all select ${other.user.id}::uuid, 'b.example', 'critical'::health, '[]'::jsonb, 'origin:192.0.2.9', ${iso(now)}::timestamptz`
    const { causes, openIncidents } = await other.call.monitoring.overview({})
    expect([causes.length, openIncidents, causes[0]?.cause, causes[1]?.incidents]).toEqual([100, 241, 'origin:192.0.2.9', 2])
  })

  test('R-MON-05 a cause shared by domains of several owners is listed once with all its incidents', async () => {
    const owners = [await signIn(t.services), await signIn(t.services)]
    for (const { user } of owners)
      await t.services.db.sql`
        insert into incidents (owner_id, name, health, reasons, cause, opened_at)
        values (${user.id}::uuid, 'moved.example', 'critical'::health, '[]'::jsonb, 'code:zone_moved', ${iso(now)}::timestamptz)`
    const shared = async ({ call }: Pick<typeof me, 'call'>) =>
      (await call.monitoring.overview({})).causes
        .filter(({ cause }) => cause === 'code:zone_moved')
        .map(({ ownerId, incidents, names }) => [ownerId, incidents, names.length])
    expect(await shared(await signIn(t.services, { role: 'admin' }))).toEqual([[null, 2, 2]])
    for (const owner of owners) expect(await shared(owner)).toEqual([[owner.user.id, 1, 1]])
  })

  test('R-MON-05 incidents are found by part of a displayed name, in any script', async () => {
    const other = await signIn(t.services)
    const { db } = t.services
    const { id: accountId } = await insertAccount(db, { ownerId: other.user.id })
    const [zone] = await insertZones(db, { ownerId: other.user.id, accountId }, 1, () => ({
      name: 'xn--caf-bnus-d1a3s.example',
      search: 'xn--caf-bnus-d1a3s.example café-bónus.example',
    }))
    await db.sql`
      insert into incidents (owner_id, zone_id, name, health, reasons, cause, opened_at)
      values (${other.user.id}, ${zone?.id ?? ''}, ${zone?.name ?? ''}, 'critical', '[]', 'code:slow', ${iso(now)}),
        (${other.user.id}, null, 'xn--mnchen-3ya.example', 'critical', '[]', 'code:slow', ${iso(now)})`
    const found = async (search: string) =>
      (await other.call.monitoring.incidents({ search })).incidents.map(({ displayName }) => displayName.split('.')[0])
    expect(await found('xn--caf')).toHaveLength(1)
    expect(await found('CAFÉ-b')).toHaveLength(1)
    expect(await found('münchen.example')).toEqual(['münchen'])
    expect(await found('кафе')).toEqual([])
  })

  test('a public page shows names and states of its group without addresses and reasons, and only while it is enabled', async () => {
    const page = { groupId, slug: 'my-shops', title: 'My shops' }
    const guest = (slug: string) => t.app.inject({ method: 'GET', url: `/api/status/${slug}` })
    expect((await guest('my-shops')).statusCode).toBe(404)
    await me.call.monitoring.saveStatusPage(page)
    const answer = await guest('my-shops')
    expect(answer.json()).toMatchObject({
      title: 'My shops',
      domains: [
        { name: 'down.example', health: 'critical', observedMs: 228 * 5 * minuteMs },
        { name: 'warned.example', health: 'warnings', observedMs: 6 * 5 * minuteMs },
        { name: 'fine.example', health: 'ok' },
      ],
      more: 0,
    })
    expect(answer.body).not.toMatch(/192\.0\.2\.1|connect_refused/)
    const { db } = t.services
    // A zone that Cloudflare does not serve yet is not an outage.
    await db.sql`update zones set status = 'pending' where name = 'down.example'`
    await db.sql`update zone_monitors set reasons = '[{"code": "setting_up", "params": {}, "regions": []}]' where zone_id = ${domainIds[1] ?? ''}`
    await me.call.monitoring.saveStatusPage(page)
    const public_ = (await guest('my-shops')).json<PublicStatus>()
    expect([public_.domains.map(({ name }) => name), public_.incidents.map(({ name }) => name)]).toEqual([
      ['fine.example'],
      ['fine.example'],
    ])
    await db.sql`update zones set status = 'active' where name = 'down.example'`
    await db.sql`update zone_monitors set reasons = '[]' where zone_id = ${domainIds[1] ?? ''}`
    const other = await signIn(t.services)
    const theirs = await insertGroup(t.services.db, { ownerId: other.user.id })
    await expect(other.call.monitoring.saveStatusPage({ ...page, groupId: theirs.id })).rejects.toMatchObject({
      cause: { issues: [{ path: 'slug', message: 'slug_taken' }] },
    })
    await expect(other.call.monitoring.removeStatusPage({ groupId })).rejects.toMatchObject({ cause: { code: 'not_found' } })
    await me.call.monitoring.saveStatusPage({ ...page, enabled: false })
    expect((await guest('my-shops')).statusCode).toBe(404)
    await me.call.monitoring.removeStatusPage({ groupId })
    expect((await me.call.monitoring.statusPages({})).statusPages).toEqual([])
  })
})
