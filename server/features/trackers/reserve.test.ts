import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { operationItems, operations, registryNames, trackerBindings, trackers } from '#server/db/schema/index.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZone } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createTestServices } from '#server/testing/services.ts'
import { pickReserve } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const dayMs = 86_400_000

async function stage() {
  const clock = createFakeClock(Date.now())
  const test = await createTestServices({ clock })
  closers.push(() => test.close())
  const { db } = test.services
  const me = await signIn(test.services)
  const ownerId = me.user.id
  const account = await insertAccount(db, { ownerId })
  const now = new Date(clock.now())
  return {
    ...test,
    ...me,
    db,
    clock,
    ownerId,
    account,
    /** Ready in all respects except those given. */
    zone: (name: string, given: object = {}) =>
      insertZone(db, { ownerId, accountId: account.id, name, recordsReadAt: now, settingsReadAt: now, health: 'ok', ...given }),
    pick: async (groupId: string | null, count: number) =>
      (await pickReserve(test.services, { ownerId, groupId, count })).map(({ name }) => name),
  }
}

test('a reserve domain lists the reasons why it cannot be used as a replacement now', async () => {
  const s = await stage()
  const trackerId = randomUUID()
  await s.db.orm.insert(trackers).values({ id: trackerId, ownerId: s.ownerId, kind: 'KEITARO', name: 'Main' })
  const inDays = (days: number) => new Date(s.clock.now() + days * dayMs)
  const ends = async (name: string, expiresAt: Date) =>
    s.db.orm.insert(registryNames).values({ name, state: 'found', expiresAt, readAt: inDays(0), dueAt: inDays(1) })
  await ends('ready.com', inDays(31))
  await ends('ending.com', inDays(29))
  const zones = [
    await s.zone('ready.com'),
    await s.zone('pending.com', { status: 'pending' }),
    await s.zone('paused.com', { paused: true }),
    await s.zone('gone.com', { goneAt: inDays(0) }),
    await s.zone('phishing.com', { phishing: true, health: 'critical' }),
    await s.zone('bound.com'),
    await s.zone('ending.com'),
    await s.zone('unread.com', { settingsReadAt: null }),
  ]
  const bound = zones.find(({ name }) => name === 'bound.com')
  await s.db.orm.insert(trackerBindings).values({ domainId: bound?.id ?? '', trackerId })
  await s.call.trackers.addReserve({ zoneIds: zones.map(({ id }) => id), note: '  for a rainy day ' })
  const { domains } = await s.call.trackers.reserve({})
  expect(Object.fromEntries(domains.map(({ name, problems }) => [name, problems]))).toEqual({
    'ready.com': [],
    'pending.com': ['not_active'],
    'paused.com': ['paused'],
    'gone.com': ['gone'],
    'phishing.com': ['phishing', 'unhealthy'],
    'bound.com': ['bound'],
    'ending.com': ['paid_soon'],
    'unread.com': ['unread'],
  })
  expect(domains[0]).toMatchObject({ account: s.account.email, note: 'for a rainy day', group: null })
  expect(await s.pick(null, 10)).toEqual(['ready.com'])
})

test('domains reserved for the group come first, then those for any group, oldest first; never those of another group', async () => {
  const s = await stage()
  const [mine, other] = [await insertGroup(s.db, { ownerId: s.ownerId }), await insertGroup(s.db, { ownerId: s.ownerId })]
  const add = async (name: string, groupId: string | null) => {
    await s.call.trackers.addReserve({ zoneIds: [(await s.zone(name)).id], groupId })
    await s.clock.advance(1_000)
  }
  await add('any-1.com', null)
  await add('other.com', other.id)
  await add('mine-1.com', mine.id)
  await add('mine-2.com', mine.id)
  await add('any-2.com', null)
  expect(await s.pick(mine.id, 10)).toEqual(['mine-1.com', 'mine-2.com', 'any-1.com', 'any-2.com'])
  expect(await s.pick(mine.id, 3)).toEqual(['mine-1.com', 'mine-2.com', 'any-1.com'])
  expect(await s.pick(null, 10)).toEqual(['any-1.com', 'any-2.com'])
})

test('a domain selected by an unfinished operation is not selected by another', async () => {
  const s = await stage()
  const zone = await s.zone('promised.com')
  await s.call.trackers.addReserve({ zoneIds: [zone.id, (await s.zone('free.com')).id] })
  const id = randomUUID()
  const row = { id, ownerId: s.ownerId, actorName: 'me', kind: 'replace', input: {}, total: 1, state: 'queued' as const }
  await s.db.orm.insert(operations).values(row)
  const plan = { before: {}, after: { reserveZoneId: zone.id }, dangers: [], calls: 1 }
  const item = { operationId: id, position: 0, accountId: s.account.id, accountEmail: '', lane: 'x', name: 'failing.com', plan }
  await s.db.orm.insert(operationItems).values(item)
  expect(await s.pick(null, 10)).toEqual(['free.com'])
  // Previews and finished operations reserve nothing.
  for (const state of ['draft', 'done', 'cancelled']) {
    await s.db.sql`update operations set state = ${state} where id = ${id}`
    expect((await s.pick(null, 10)).toSorted()).toEqual(['free.com', 'promised.com'])
  }
})

test('a domain is in the reserve once; adding it again updates group and note and keeps its position', async () => {
  const s = await stage()
  const group = await insertGroup(s.db, { ownerId: s.ownerId, name: 'Shops' })
  const zone = await s.zone('one.com')
  const add = (given: object) => s.call.trackers.addReserve({ zoneIds: [zone.id, zone.id], ...given })
  await add({ note: 'first' })
  const [before] = (await s.call.trackers.reserve({})).domains
  await s.clock.advance(dayMs)
  await add({ groupId: group.id })
  expect((await s.call.trackers.reserve({})).domains).toEqual([{ ...before, note: null, group: { id: group.id, name: 'Shops' } }])
  await s.call.trackers.removeReserve({ zoneIds: [zone.id] })
  await s.call.trackers.removeReserve({ zoneIds: [zone.id] })
  expect((await s.call.trackers.reserve({})).domains).toEqual([])
  const entries = await s.db.sql`select entity_type, entity_name, details ->> 'reserve' as reserve from activity order by id`
  const of = (reserve: string) => ({ entityType: 'zone', entityName: 'one.com', reserve })
  expect(entries).toEqual([of('added'), of('changed'), of('removed')])
})

test('R-PRM-02 users cannot reserve other users’ domains, or their own for other users’ groups; the call is all or nothing', async () => {
  const s = await stage()
  const stranger = await signIn(s.services)
  const account = await insertAccount(s.db, { ownerId: stranger.user.id })
  const theirs = await insertZone(s.db, { ownerId: stranger.user.id, accountId: account.id })
  const theirGroup = await insertGroup(s.db, { ownerId: stranger.user.id })
  const mine = await s.zone('mine.com')
  for (const input of [
    { zoneIds: [mine.id, theirs.id] },
    { zoneIds: [mine.id], groupId: theirGroup.id },
    { zoneIds: [mine.id, randomUUID()] },
  ]) {
    await expect(s.call.trackers.addReserve(input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  const admin = await signIn(s.services, { role: 'admin' })
  expect((await admin.call.trackers.reserve({})).domains).toEqual([])
  await admin.call.trackers.addReserve({ zoneIds: [mine.id, theirs.id] })
  expect((await s.call.trackers.reserve({ ownerId: stranger.user.id })).domains).toMatchObject([{ name: 'mine.com', ownerId: s.ownerId }])
  expect((await admin.call.trackers.reserve({ ownerId: stranger.user.id })).domains).toMatchObject([{ zoneId: theirs.id }])
  await expect(s.call.trackers.removeReserve({ zoneIds: [theirs.id] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await admin.call.trackers.reserve({})).domains).toHaveLength(2)
})
