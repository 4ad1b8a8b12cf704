import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { porkbunKeys } from '#server/testing/test-registrars.ts'
import { syncDueRegistrars } from '../index.ts'
import { toCalendar } from './to-calendar.ts'

const dayMs = 86_400_000
const names = ['in-may-1.com', 'in-may-2.com', 'in-june.net', 'over.org', 'endless.xyz']
let panel: TestPanel
let app: Awaited<ReturnType<typeof buildApp>>
beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 2, accounts: 1, recordsPerZone: 1 }, registrarNames: names })
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

async function stage() {
  const { services } = panel
  const me = await signIn(services)
  const { registrar } = await me.call.registrars.create({ name: 'Pork', type: 'API_ENABLED', provider: 'PORKBUN', ...porkbunKeys })
  await syncDueRegistrars(services, new AbortController().signal)
  const now = new Date(services.clock.now())
  // Mid-month, so that no time zone crosses a month boundary.
  const inMonth = (ahead: number, day = 15) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, day, 12)).toISOString()
  const end = (name: string, at: string | null) => services.db.sql`
    update registrar_names set expires_at = ${at}::text::timestamptz where name = ${name} and registrar_id = ${registrar.id}`
  await end('in-may-1.com', inMonth(2))
  await end('in-may-2.com', inMonth(2, 16))
  await end('in-june.net', inMonth(3))
  await end('over.org', new Date(now.getTime() - 5 * dayMs).toISOString())
  await end('endless.xyz', null)
  return { ...me, services, registrarId: registrar.id, inMonth }
}

test('R-REG-05 renewals are totalled by month and currency, names without a price are counted, and the balance shows how many it covers', async () => {
  const { call, services, registrarId, inMonth } = await stage()
  const yearly = (name: string) => panel.registrars?.market.price({ provider: 'PORKBUN', currency: 'USD' }, name)?.renewMinor ?? 0
  const { sql } = services.db
  await sql`update registrars set balance_minor = ${yearly('over.org') + yearly('in-may-1.com')} where id = ${registrarId}`
  const overview = await call.registrars.renewals({ months: 12 })
  expect(overview.months).toHaveLength(12)
  expect(overview.months[2]).toEqual({
    month: `${inMonth(2).slice(0, 7)}-01`,
    names: 2,
    costs: [{ currency: 'USD', minor: 2 * yearly('in-may-1.com') }],
    unpriced: 0,
  })
  expect(overview).toMatchObject({ ended: 1, unknown: 1 })
  expect(overview.days.map(({ day, names: some }) => [day, some])).toEqual([
    [inMonth(2).slice(0, 10), 1],
    [inMonth(2, 16).slice(0, 10), 1],
    [inMonth(3).slice(0, 10), 1],
  ])
  // The next to expire are renewed first: expired names, then the first of the month.
  expect(overview.balances).toMatchObject([{ registrarId, enoughFor: 2, names: 5 }])

  await sql`update registrar_names set renewal_currency = 'EUR', renewal_minor = 900 where name = 'in-may-2.com' and registrar_id = ${registrarId}`
  await sql`update registrar_names set renewal_currency = null, renewal_minor = null where name = 'in-june.net' and registrar_id = ${registrarId}`
  const mixed = await call.registrars.renewals({})
  expect(mixed.months[2]?.costs).toEqual([
    { currency: 'EUR', minor: 900 },
    { currency: 'USD', minor: yearly('in-may-1.com') },
  ])
  expect(mixed.months[3]).toMatchObject({ names: 1, costs: [], unpriced: 1 })
  const stranger = await signIn(services)
  expect(await stranger.call.registrars.renewals({})).toMatchObject({ balances: [], ended: 0, unknown: 0 })
})

test('R-REG-05 names are listed by expiry with its source and age', async () => {
  const { call, services, registrarId, inMonth, user } = await stage()
  const account = await insertAccount(services.db, { ownerId: user.id })
  const zone = await insertZone(services.db, { ownerId: user.id, accountId: account.id, name: 'in-june.net' })
  const first = await call.registrars.expiries({ limit: 2 })
  expect(first.expiries.map(({ name }) => name)).toEqual(['over.org', 'in-may-1.com'])
  const rest = await call.registrars.expiries({ limit: 2, cursor: first.nextCursor ?? '' })
  expect(rest.expiries.map(({ name }) => name)).toEqual(['in-may-2.com', 'in-june.net'])
  expect(rest.expiries[1]).toMatchObject({ zoneId: zone.id, registrar: { id: registrarId }, renewal: { currency: 'USD' } })
  expect(Date.parse(rest.expiries[1]?.readAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  const day = inMonth(2, 16).slice(0, 10)
  expect((await call.registrars.expiries({ from: day, to: day })).expiries.map(({ name }) => name)).toEqual(['in-may-2.com'])
})

test('R-REG-05 names whose expiry no registrar reports are listed once in renewals with the registry’s expiry, source and age', async () => {
  const { call, services, registrarId, inMonth, user } = await stage()
  const account = await insertAccount(services.db, { ownerId: user.id })
  const { registrar: hand } = await call.registrars.create({ name: 'By hand', username: 'anna', password: 'long-secret-word' })
  const add = (name: string, at: string | null = null) =>
    insertZone(services.db, { ownerId: user.id, accountId: account.id, name, registrarId: at })
  const overview = async (name: string, end: string | null) => {
    await services.db.sql`
      insert into registry_names (name, state, expires_at, registrar, read_at, due_at)
      values (${name}, 'found', ${end}::text::timestamptz, 'Some Shop, LLC', ${inMonth(-1)}::text::timestamptz, now()) on conflict do nothing`
  }
  await overview('endless.xyz', inMonth(4, 3))
  await overview('by-hand.com', inMonth(4, 4))
  await overview('nowhere.com', inMonth(4, 5))
  await overview('silent.com', null)
  // In two accounts and at the registrar with another expiry: each name is listed once.
  await add('endless.xyz', registrarId)
  const [manual] = [await add('by-hand.com', hand.id), await add('by-hand.com'), await add('nowhere.com'), await add('silent.com')]
  await add('in-june.net')
  await overview('in-june.net', inMonth(9))

  const { expiries } = await call.registrars.expiries({ from: inMonth(3, 1).slice(0, 10), limit: 10 })
  expect(expiries.map(({ name, source, registrar, heldBy }) => [name, source, registrar?.name ?? null, heldBy])).toEqual([
    ['in-june.net', 'registrar', 'Pork', null],
    ['endless.xyz', 'registry', 'Pork', 'Some Shop, LLC'],
    ['by-hand.com', 'registry', 'By hand', 'Some Shop, LLC'],
    ['nowhere.com', 'registry', null, 'Some Shop, LLC'],
  ])
  expect(expiries[2]).toMatchObject({ zoneId: manual?.id, readAt: inMonth(-1), renewal: null, autoRenew: null })
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await call.registrars.expiries({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    names.push(...page.expiries.map(({ name }) => name))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(names).toEqual(['over.org', 'in-may-1.com', 'in-may-2.com', 'in-june.net', 'endless.xyz', 'by-hand.com', 'nowhere.com'])
  const renewals = await call.registrars.renewals({})
  expect(renewals).toMatchObject({ ended: 1, unknown: 1 })
  expect(renewals.months[4]).toMatchObject({ names: 3 })
  const { name } = await call.registrars.ofDomain({ id: (await add('endless.xyz', registrarId)).id })
  expect(name).toMatchObject({ source: 'registry', expiresAt: inMonth(4, 3), readAt: inMonth(-1) })
  const feed = await app.inject({ url: (await call.registrars.createCalendarFeed()).path })
  expect(feed.body).toContain('SUMMARY:nowhere.com')
  const stranger = await signIn(services)
  expect((await stranger.call.registrars.expiries({})).expiries).toEqual([])
})

test('R-REG-05 a name appears once in renewals and the calendar, as the registrar reports it, regardless of who owns its domains', async () => {
  const { call, services, inMonth, user } = await stage()
  const admin = await signIn(services, { role: 'admin' })
  const account = await insertAccount(services.db, { ownerId: admin.user.id })
  await insertZone(services.db, { ownerId: admin.user.id, accountId: account.id, name: 'in-june.net' })
  await insertZone(services.db, {
    ownerId: user.id,
    accountId: (await insertAccount(services.db, { ownerId: user.id })).id,
    name: 'in-june.net',
  })
  await services.db.sql`
    insert into registry_names (name, state, expires_at, registrar, read_at, due_at)
    values ('in-june.net', 'found', ${inMonth(5)}::text::timestamptz, 'Some Shop, LLC', now(), now()) on conflict do nothing`
  await services.db.sql`update zones set paid_until = ${inMonth(5)}::text::timestamptz, paid_by_registry = true where name = 'in-june.net'`
  // Two lists of one person have it; the old registrar has not noticed the transfer yet.
  const { registrar: old } = await call.registrars.create({ name: 'Old', username: 'anna', password: 'long-secret-word' })
  await services.db.sql`
    insert into registrar_names (id, registrar_id, name, expires_at, seen_at) values (gen_random_uuid(), ${old.id}, 'in-june.net', ${inMonth(1)}::text::timestamptz, now())`
  for (const each of [call, admin.call]) {
    const { expiries } = await each.registrars.expiries({ limit: 100 })
    expect(expiries.filter(({ name }) => name === 'in-june.net').map(({ source }) => source)).toEqual(['registrar'])
  }
  expect((await call.registrars.renewals({})).months[1]).toMatchObject({ names: 0 })
  const feed = await app.inject({ url: (await call.registrars.createCalendarFeed()).path })
  expect(feed.body.split('SUMMARY:in-june.net')).toHaveLength(2)
})

test('R-REG-05 the calendar has a private address that works until it is replaced or revoked', async () => {
  const { call, inMonth } = await stage()
  const read = async (path: string) => app.inject({ url: path })
  expect(await call.registrars.calendarFeed()).toEqual({ createdAt: null })
  const feed = await call.registrars.createCalendarFeed()
  const answer = await read(feed.path)
  expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/calendar; charset=utf-8' } })
  expect(answer.body).toContain(`DTSTART;VALUE=DATE:${inMonth(2).slice(0, 10).replaceAll('-', '')}`)
  expect(answer.body).toContain('SUMMARY:in-may-1.com')
  const stranger = await stage()
  const theirs = await stranger.call.registrars.createCalendarFeed()
  expect((await read(theirs.path)).statusCode).toBe(200)

  const next = await call.registrars.createCalendarFeed()
  expect((await read(feed.path)).statusCode).toBe(404)
  expect((await read(next.path)).statusCode).toBe(200)
  await call.registrars.removeCalendarFeed()
  expect((await read(next.path)).statusCode).toBe(404)
  expect((await read('/api/renewals.ics')).statusCode).toBe(404)
  expect((await read(theirs.path)).statusCode).toBe(200)
})

test('the calendar follows RFC 5545: folded lines, escaped text, one event per day', () => {
  const ending = (name: string, day = '2027-01-31') => ({ name, day, registrar: 'Shop; of, names' })
  const content = toCalendar(
    [...['a.com', 'b.com', 'c.com', 'd.com'].map((name) => ending(name)), ending(`${'я'.repeat(60)}.рф`, '2027-02-01')],
    new Date('2026-11-22T01:02:03.456Z'),
  )
  const lines = content.split('\r\n')
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  expect(content.replaceAll('\r\n ', '').split('\r\n').slice(4, 13)).toEqual([
    'BEGIN:VEVENT',
    'UID:2027-01-31@renewals.zonedeck',
    'DTSTAMP:20261122T010203Z',
    'DTSTART;VALUE=DATE:20270131',
    'DTEND;VALUE=DATE:20270201',
    String.raw`SUMMARY:a.com\, b.com\, c.com +1`,
    String.raw`DESCRIPTION:a.com · Shop\; of\, names\nb.com · Shop\; of\, names\nc.com · Shop\; of\, names\nd.com · Shop\; of\, names`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  expect(content.endsWith('END:VCALENDAR\r\n')).toBe(true)
})
