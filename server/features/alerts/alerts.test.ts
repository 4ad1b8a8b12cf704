import { afterEach, expect, test } from 'vitest'
import { zoneMonitors } from '#server/db/schema/index.ts'
import { chatNumber, createTestAlerts, insertChannel, insertIncidents } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { notifyOwners } from './outbox/notify-owners.ts'

let t: TestAlerts
afterEach(() => t.close())

const texts = () => t.telegram.state.ledger.map(({ text }) => text)
const settled = async () => {
  const [row] = await t.services.db.sql<{ n: number }[]>`
    select (select count(*)::int from incidents where open_taken_at is null) + (select count(*)::int from outbox where state in ('pending', 'sending')) as n`
  return row?.n
}

test('R-MON-04 an outage is reported once with its reason and what to do, and its end with the duration', async () => {
  t = await createTestAlerts()
  const [incident] = await insertIncidents(t.services, t.owner.user.id, [
    { name: 'shop.example', openedAt: new Date(Date.now() - 240_000) },
  ])
  await t.start()
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toMatch(
    /^🔴 shop\.example is down\nThe site returns an error \(HTTP 503\)\nDetected from: Europe\nSince .+\nWhat to do: Check the site/,
  )
  await t.services.db.sql`update incidents set closed_at = opened_at + interval '3 minutes' where id = ${incident?.id ?? ''}`
  await expect.poll(() => texts().length).toBe(2)
  expect(texts()[1]).toBe('🟢 shop.example is up again\nThe site returns an error (HTTP 503)\nDuration: 3 min')
  await expect.poll(settled).toBe(0)
  expect(texts()).toHaveLength(2)
})

test('R-MON-04 many incidents with one cause are one message with their number and the first names', async () => {
  t = await createTestAlerts()
  await insertIncidents(
    t.services,
    t.owner.user.id,
    Array.from({ length: 37 }, (_, at) => ({ name: `site${at}.example`, cause: 'origin:192.0.2.7' })),
  )
  await t.start()
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toMatch(/^🔴 37 domains are down\nAll on server 192\.0\.2\.7\n/)
  expect(texts()[0]).toContain('site0.example, site1.example')
  expect(texts()[0]).toContain('and 27 more')
})

test('R-MON-04 a failing account is one message with the number of its domains and their first names', async () => {
  t = await createTestAlerts()
  const ownerId = t.owner.user.id
  const { id: accountId } = await insertAccount(t.services.db, { ownerId, email: 'cf@people.example' })
  await insertZones(t.services.db, { ownerId, accountId }, 13, (at) => ({
    name: at === 0 ? 'xn--e1afmkfd.example' : `site${10 + at}.example`,
    goneAt: at === 1 ? new Date() : null,
  }))
  const [incident] = await insertIncidents(t.services, ownerId, [
    { name: 'cf@people.example', domainId: null, cause: `account:${accountId}`, openedAt: new Date(Date.now() - 240_000) },
  ])
  await t.start()
  await expect.poll(() => texts().length).toBe(1)
  const lines = texts()[0]?.split('\n') ?? []
  expect(lines[0]).toContain('cf@people.example')
  expect(lines).toContain('Domains in this account: 12')
  expect(lines).toContain(`${Array.from({ length: 10 }, (_, at) => `site${12 + at}.example`).join(', ')} and 2 more`)
  await t.services.db.sql`update incidents set closed_at = opened_at + interval '3 minutes' where id = ${incident?.id ?? ''}`
  await expect.poll(() => texts().length).toBe(2)
  expect(texts()[1]).toContain('site12.example, site13.example')
})

test('R-MON-04 more than five messages waiting for a chat become one digest, the most severe first', async () => {
  t = await createTestAlerts()
  const opened = (name: string, health: 'critical' | 'warnings') => ({ name, health, cause: `origin:${name}` })
  await insertIncidents(t.services, t.owner.user.id, [
    opened('w.example', 'warnings'),
    ...['a', 'b', 'c', 'd', 'e'].map((name) => opened(`${name}.example`, 'critical')),
  ])
  await t.start()
  await expect.poll(() => texts().length).toBe(1)
  await expect.poll(settled).toBe(0)
  expect(texts()).toHaveLength(1)
  const lines = (texts()[0] ?? '').split('\n')
  expect([lines[0], lines[1], lines.at(-1)]).toEqual([
    'Summary: 6 messages',
    '🔴 a.example is down · The site returns an error (HTTP 503)',
    '🟡 w.example is degraded · The site returns an error (HTTP 503)',
  ])
})

test('R-MON-04 quiet hours, maintenance and a mute hold alerts back; critical ones pass quiet hours', async () => {
  const quietHours = { from: '00:00', to: '23:59', timeZone: 'UTC' }
  t = await createTestAlerts({ settings: { quietHours } })
  const ownerId = t.owner.user.id
  const group = await insertGroup(t.services.db, { ownerId })
  const [startsAt, endsAt] = [-60_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const { window } = await t.owner.call.alerts.createWindow({
    name: 'Move',
    groupId: group.id,
    startsAt: startsAt ?? '',
    endsAt: endsAt ?? '',
  })
  await insertIncidents(t.services, ownerId, [
    { name: 'quiet.example', health: 'warnings', cause: 'code:slow' },
    { name: 'moving.example', groupId: group.id, cause: 'code:not_http' },
    { name: 'grave.example' },
  ])
  await t.start()
  await expect.poll(() => texts().map((text) => text.split('\n')[0])).toEqual(['🔴 grave.example is down'])
  const held = await t.services.db.sql`select name from incidents where open_taken_at is null and held_until > now() order by name`
  expect(held.map((row) => String(row['name']))).toEqual(['moving.example', 'quiet.example'])
  await t.owner.call.alerts.removeWindow({ id: window.id })
  await expect.poll(() => texts().map((text) => text.split('\n')[0])).toEqual(['🔴 grave.example is down', '🔴 moving.example is down'])
})

test('R-MON-04 a repeating window mutes each occurrence, and an incident that began in an earlier one stays muted', async () => {
  t = await createTestAlerts()
  const ownerId = t.owner.user.id
  const group = await insertGroup(t.services.db, { ownerId })
  const hour = 3_600_000
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const repeat = { every: 'day', timeZone: 'UTC' } as const
  const { window } = await t.owner.call.alerts.createWindow({
    name: 'Nightly',
    groupId: group.id,
    startsAt: at(-30 * 24 * hour - hour),
    endsAt: at(-30 * 24 * hour + hour),
    repeat,
  })
  expect([window.repeat, Date.parse(window.next?.endsAt ?? '') > Date.now()]).toEqual([{ ...repeat, until: null }, true])
  await insertIncidents(t.services, ownerId, [
    { name: 'nightly.example', groupId: group.id, cause: 'code:not_http' },
    { name: 'over.example', groupId: group.id, openedAt: new Date(Date.now() - 48 * hour), closedAt: new Date(Date.now() - 47 * hour) },
    { name: 'other.example' },
  ])
  await t.start()
  await expect.poll(() => texts().map((text) => text.split('\n')[0])).toEqual(['🔴 other.example is down'])
  const held = await t.services.db.sql<
    { name: string; until: boolean }[]
  >`select name, held_until = ${window.next?.endsAt ?? ''}::timestamptz as until from incidents where open_taken_at is null`
  expect(held.map(({ name, until }) => [name, until])).toEqual([['nightly.example', true]])
  // Its repetition ended a week ago, so it mutes nothing.
  await t.owner.call.alerts.updateWindow({ ...window, repeat: { ...repeat, until: at(-7 * 24 * hour) } })
  await expect.poll(() => texts().map((text) => text.split('\n')[0])).toEqual(['🔴 other.example is down', '🔴 nightly.example is down'])
})

test('R-MON-04 a message that a chat refuses is kept, the reason is shown, and it is sent once the problem is fixed', async () => {
  t = await createTestAlerts()
  t.chat.blocked = true
  await insertIncidents(t.services, t.owner.user.id, [{ name: 'shop.example' }])
  await t.start()
  const channel = async () => (await t.owner.call.alerts.listChannels({})).channels[0]
  await expect.poll(async () => (await channel())?.failure?.code).toBe('blocked')
  expect((await channel())?.waiting).toBe(1)
  expect((await t.owner.call.alerts.testChannel({ id: t.channelId })).failure).toMatchObject({ code: 'blocked' })
  t.chat.blocked = false
  expect(await t.owner.call.alerts.testChannel({ id: t.channelId })).toEqual({ failure: null })
  await expect.poll(() => texts().length).toBe(2)
  expect(texts()[0]).toBe('Test message: Zonedeck alerts arrive here.')
  expect(texts()[1]).toMatch(/^🔴 shop\.example is down/)
  await expect.poll(async () => [(await channel())?.failure, (await channel())?.waiting]).toEqual([null, 0])
})

test('R-MON-02 a test message arrives immediately, or its failure, such as a missing token, is reported', async () => {
  t = await createTestAlerts()
  expect(await t.owner.call.alerts.testChannel({ id: t.channelId })).toEqual({ failure: null })
  expect(texts()).toEqual(['Test message: Zonedeck alerts arrive here.'])
  await t.services.db.sql`update monitor_settings set bot_token_sealed = null`
  expect((await t.owner.call.alerts.testChannel({ id: t.channelId })).failure).toMatchObject({ code: 'no_token' })
})

test('R-MON-04 a group’s channel receives only its domains, and domain names and responses are sent as plain text', async () => {
  t = await createTestAlerts({ settings: { language: 'ru' } })
  const ownerId = t.owner.user.id
  const group = await insertGroup(t.services.db, { ownerId })
  t.telegram.state.addChat(7, 'private')
  await insertChannel(t.services, { ownerId, chatId: '7', groupIds: [group.id], criticalOnly: true })
  const keyword = '{{count}} $t(test) <b>&amp;</b> %s ${x}'
  const reasons = [{ code: 'keyword_missing' as const, params: { keyword }, regions: [] }]
  await insertIncidents(t.services, ownerId, [
    { name: 'xn--e1afmkfd.example', groupId: group.id, reasons },
    { name: 'other.example', cause: 'code:x' },
  ])
  await t.start()
  await expect.poll(settled).toBe(0)
  const heard = t.telegram.state.messagesIn(7).map(({ text }) => text)
  expect(heard).toHaveLength(1)
  expect(heard[0]).toContain('🔴 пример.example: не работает')
  expect(heard[0]).toContain(`(${keyword})`)
  expect(t.telegram.state.messagesIn(chatNumber)).toHaveLength(2)
})

test('R-MON-04 incidents held back by a mute are reported once when it ends or is removed, if still open', async () => {
  const minuteMs = 60_000
  const clock = createFakeClock(Date.now())
  t = await createTestAlerts({ clock, telegram: { now: () => clock.now() } })
  const ownerId = t.owner.user.id
  const { id: accountId } = await insertAccount(t.services.db, { ownerId })
  const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.example`)
  const zones = await insertZones(t.services.db, { ownerId, accountId }, names.length, (at) => ({ name: names[at] ?? '' }))
  const ids = zones.map(({ id }) => id)
  await t.services.db.orm
    .insert(zoneMonitors)
    .values(ids.map((domainId) => ({ domainId, ownerId, intervalSeconds: 300, slot: 0, regions: ['EUROPE' as const] })))
  await t.owner.call.monitoring.mute({ ids, minutes: 120 })
  const openedAt = new Date(clock.now() + 60_000)
  const made = await insertIncidents(
    t.services,
    ownerId,
    zones.map(({ id, name }) => ({ name, domainId: id, cause: 'origin:192.0.2.7', openedAt })),
  )
  const [, , , resolved] = made
  await t.start({ pollMs: 5 * minuteMs, notifyEveryMs: 5 * minuteMs })
  const resting = () => expect.poll(() => clock.sleeping, { interval: 2 }).toBeGreaterThanOrEqual(2)
  const pass = async (minutes: number) => {
    for (let gone = 0; gone < minutes; gone += 5) {
      await resting()
      await clock.advance(5 * minuteMs)
    }
    await resting()
  }
  const held = async () =>
    (await t.services.db.sql`select from incidents where open_taken_at is null and held_until > ${new Date(clock.now()).toISOString()}`)
      .length
  await pass(5)
  await expect.poll(held).toBe(4)
  expect(texts()).toEqual([])
  // Unmuting one domain reports it now, and not the others.
  await t.owner.call.monitoring.mute({ ids: ids.slice(0, 1), minutes: null })
  await pass(5)
  await expect.poll(() => texts().map((text) => text.split('\n')[0])).toEqual(['🔴 a.example is down'])
  await expect.poll(held).toBe(3)
  await t.services.db.sql`update incidents set closed_at = ${new Date(clock.now()).toISOString()} where id = ${resolved?.id ?? ''}`
  await pass(100)
  expect(texts()).toHaveLength(1)
  await pass(20)
  await expect.poll(() => texts()).toHaveLength(2)
  expect(texts()[1]).toMatch(/^🔴 .*2 /)
  expect(texts()[1]).toContain('b.example, c.example')
  await expect.poll(settled).toBe(0)
  expect(texts()).toHaveLength(2)
}, 30_000)

test('R-MON-04 removing a mute loses no outage held for grouping, and reports none that ended while muted', async () => {
  const clock = createFakeClock(Date.now())
  t = await createTestAlerts({ clock })
  const ownerId = t.owner.user.id
  const { id: accountId } = await insertAccount(t.services.db, { ownerId })
  const [zone] = await insertZones(t.services.db, { ownerId, accountId }, 1)
  const domainId = zone?.id ?? ''
  await t.services.db.orm.insert(zoneMonitors).values({ domainId, ownerId, intervalSeconds: 300, slot: 0, regions: ['EUROPE'] })
  const ago = (minutes: number) => new Date(clock.now() - minutes * 60_000)
  const ended = { openedAt: ago(8), closedAt: ago(1) }
  await insertIncidents(t.services, ownerId, [
    { name: 'gathered.example', ...ended, heldUntil: ago(-2) },
    { name: 'muted.example', ...ended, heldUntil: ago(-60) },
  ])
  await t.owner.call.monitoring.mute({ ids: [domainId], minutes: null })
  await clock.advance(3 * 60_000)
  const now = { groupDelayMs: 0, groupChecksMs: 0, groupEndsDelayMs: 0, groupMoreDelayMs: 0 }
  expect(await notifyOwners(t.services, now)).toBe(1)
  const rows = await t.services.db.sql<{ name: string; told: boolean }[]>`
    select name, told from incidents where close_taken_at is not null order by name`
  expect(rows.map(({ name, told }) => [name, told])).toEqual([
    ['gathered.example', true],
    ['muted.example', false],
  ])
})
