import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'

const now = Date.parse('2026-11-20T10:30:00Z')
/** Minutes before now. */
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const cause = 'origin:192.0.2.1'

let t: TestApp
let me: SignedIn
let guest: SignedIn
let stranger: SignedIn
/** The first is in a group that the guest may see. */
let ids: string[]
let names: string[]

beforeAll(async () => {
  t = await createTestApp({ clock: createFakeClock(now) })
  ;[me, guest, stranger] = await Promise.all([signIn(t.services), signIn(t.services), signIn(t.services)])
  const { db } = t.services
  const ownerId = me.user.id
  const accountId = (await insertAccount(db, { ownerId })).id
  const groupId = (await insertGroup(db, { ownerId, name: 'Shops' })).id
  names = ['xn--e1afmkfd.example', 'b.example', 'c.example', 'd.example']
  const zones = await insertZones(db, { ownerId, accountId }, names.length, (at) => ({
    name: names[at] ?? '',
    accountId,
    groupId: at === 0 ? groupId : null,
  }))
  ids = zones.map(({ id }) => id)
  await db.sql`insert into shares (owner_id, grantee_id, group_id, level) values (${ownerId}, ${guest.user.id}, ${groupId}, 'view')`
})
afterAll(() => t.close())
beforeEach(() => t.services.db.sql`truncate incidents, operations, zone_monitors cascade`)

const fails = (index: number, opened: number, given: { readonly closed?: number; readonly cause?: string } = {}) =>
  t.services.db.sql`
    insert into incidents (id, owner_id, zone_id, name, health, reasons, cause, opened_at, closed_at)
    select (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7000-8000-' || right(gen_random_uuid()::text, 12))::uuid,
      ${me.user.id}, id, name, 'critical', '[{"code":"connect_refused","params":{},"regions":["EUROPE"]}]', ${given.cause ?? cause},
      ${ago(opened)}, ${given.closed === undefined ? null : ago(given.closed)}
    from zones, (select lpad(to_hex(${Date.parse(ago(opened))}::bigint), 12, '0') as hex) h where zones.id = ${ids[index] ?? ''}`

/** An operation that ended, `seconds` after its start. */
const ends = (who: SignedIn, endedAgo: number, seconds: number, counts: object) =>
  t.services.db.sql`
    insert into operations (owner_id, actor_id, actor_name, kind, input, state, total, counts, started_at, finished_at)
    values (${who.user.id}, ${who.user.id}, 'Ann', 'cache', '{}', 'done', 3, ${JSON.stringify(counts)}::text::jsonb,
      ${new Date(Date.parse(ago(endedAgo)) - seconds * 1_000).toISOString()}, ${ago(endedAgo)})`

test('domains that failed for the same cause at the same time are one notification, and later ones another', async () => {
  await fails(0, 60, { closed: 50 })
  await fails(1, 59, { closed: 40 })
  await fails(2, 58, { closed: 45 })
  await fails(3, 5)
  await fails(1, 4, { cause: 'code:dns_no_such_name' })
  const { notifications, unread } = await me.call.notifications.list()
  expect(notifications).toMatchObject([
    { kind: 'incident', cause: 'code:dns_no_such_name', count: 1, at: ago(4), endedAt: null },
    { kind: 'incident', cause, count: 1, names: ['d.example'], at: ago(5), endedAt: null },
    { kind: 'incident', cause, count: 3, names: ['пример.example', 'b.example', 'c.example'], at: ago(58), endedAt: ago(40) },
  ])
  expect(unread).toBe(3)
})

test('incidents of a week ago, and those of muted domains, are left out', async () => {
  await fails(0, 7 * 24 * 60 + 1)
  await fails(1, 10)
  await t.services.db.sql`
    insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions, muted_until)
    values (${ids[1] ?? ''}, ${me.user.id}, 300, 0, '{EUROPE}', ${ago(-60)})`
  expect(await me.call.notifications.list()).toEqual({ notifications: [], unread: 0 })
})

test('operations that took long or failed in part are notifications of the person who started them', async () => {
  await ends(me, 3, 5, { done: 3 })
  await ends(me, 2, 31, { done: 3 })
  await ends(me, 1, 1, { done: 2, failed: 1 })
  await ends(stranger, 1, 600, { done: 3 })
  const { notifications } = await me.call.notifications.list()
  expect(notifications).toMatchObject([
    { kind: 'operation', done: 2, failed: 1, at: ago(1) },
    { kind: 'operation', done: 3, failed: 0, at: ago(2) },
  ])
})

test('R-PRM-02 others see only the incidents of domains that are shared with them', async () => {
  await fails(0, 10)
  await fails(1, 9)
  expect((await guest.call.notifications.list()).notifications).toMatchObject([{ count: 1, names: ['пример.example'] }])
  expect((await stranger.call.notifications.list()).notifications).toEqual([])
})

test('what was seen is read, for one person, and stays so', async () => {
  await fails(0, 10)
  await fails(1, 5, { cause: 'code:dns_no_such_name' })
  await me.call.notifications.read({ until: ago(10) })
  const states = async (who: SignedIn) => (await who.call.notifications.list()).notifications.map(({ isRead }) => isRead)
  expect(await states(me)).toEqual([false, true])
  expect(await states(guest)).toEqual([false])
  await me.call.notifications.read({ until: ago(5) })
  await me.call.notifications.read({ until: ago(20) })
  expect(await states(me)).toEqual([true, true])
  // What is to come cannot have been seen.
  await me.call.notifications.read({ until: '2031-01-01T00:00:00.000Z' })
  await fails(2, -1, { cause: 'code:flapping' })
  expect((await me.call.notifications.list()).unread).toBe(1)
})
