import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callAs, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { DomainId } from '#shared/ids.ts'
import { followTrafficTotals } from './follow-totals.ts'
import { listOutdated } from './totals.repo.ts'
import { upsertTraffic } from './traffic.repo.ts'

let test_: TestServices
let anna: SignedIn
beforeAll(async () => {
  test_ = await createTestServices()
})
afterAll(() => test_.close())
beforeEach(async () => {
  await emptyTables(test_.services.db, 'users')
  anna = await signIn(test_.services)
})

const readAt = '2026-11-28T10:00:00.000Z'
const follow = () => followTrafficTotals(test_.services, new AbortController().signal)
/** 30 days whose requests are `requests`, except for today's, of which there are `today`. */
const trafficOf = (id: DomainId, requests: number, today = 1) => {
  const days = Array.from({ length: 30 }, (_, day) => (day === 29 ? today : requests))
  const sum = 29 * requests + today
  const none = days.map(() => 0)
  return {
    id,
    requests: sum,
    bytes: sum * 1_000,
    threats: 0,
    clientErrors: sum,
    serverErrors: 0,
    days,
    byteDays: days.map((each) => each * 1_000),
    threatDays: none,
    clientErrorDays: days,
    serverErrorDays: none,
    readAt,
  }
}

async function add(name: string, count: number, groupId: string | null = null) {
  const { db } = test_.services
  const account = await insertAccount(db, { ownerId: anna.user.id, name })
  const zones = await insertZones(db, { ownerId: anna.user.id, accountId: account.id }, count, (index) => ({
    name: `${name}-${index}.example`,
    groupId,
  }))
  return { id: account.id, zones: zones.map(({ id }) => id) }
}
const totals = async (by: 'account' | 'group', who = anna) =>
  (await who.call.traffic.totals({ by })).totals.map(({ name, domains, day, week, month }) => [
    name,
    domains,
    day.requests,
    week.requests,
    month.requests,
  ])

test('the traffic of accounts and groups is the sum of that of their domains, for the last whole day, seven and thirty', async () => {
  const { db } = test_.services
  const group = await insertGroup(db, { ownerId: anna.user.id, name: 'shops' })
  const [one, other] = [await add('one', 3), await add('other', 2, group.id)]
  const [first, second] = one.zones
  if (first === undefined || second === undefined) throw new Error('nothing was inserted')
  await upsertTraffic(db, [trafficOf(first, 10), trafficOf(second, 20, 5), ...other.zones.map((id) => trafficOf(id, 1))])
  expect(await totals('account')).toEqual([])
  await follow()
  expect(await totals('account')).toEqual([
    ['one', 2, 30, 210, 29 * 30 + 6],
    ['other', 2, 2, 14, 60],
  ])
  expect(await totals('group')).toEqual([
    [null, 2, 30, 210, 29 * 30 + 6],
    ['shops', 2, 2, 14, 60],
  ])
  const [total] = (await anna.call.traffic.totals({ by: 'account' })).totals
  expect(total).toEqual({
    id: one.id,
    name: 'one',
    domains: 2,
    day: { requests: 30, bytes: 30_000, threats: 0, clientErrors: 30, serverErrors: 0 },
    week: { requests: 210, bytes: 210_000, threats: 0, clientErrors: 210, serverErrors: 0 },
    month: { requests: 876, bytes: 876_000, threats: 0, clientErrors: 876, serverErrors: 0 },
    trend: `${'9'.repeat(29)}2`,
    readAt,
  })
})

test('they follow domains that move to another group or are deleted, and groups and accounts that are deleted', async () => {
  const { db } = test_.services
  const [shops, blogs] = [
    await insertGroup(db, { ownerId: anna.user.id, name: 'shops' }),
    await insertGroup(db, { ownerId: anna.user.id, name: 'blogs' }),
  ]
  const account = await add('one', 4, shops.id)
  const [first = '', second = ''] = account.zones
  await upsertTraffic(
    db,
    account.zones.map((id, index) => trafficOf(id, 10 + index)),
  )
  await follow()
  expect((await totals('group')).map(([name, domains]) => [name, domains])).toEqual([['shops', 4]])
  await db.sql`update zones set group_id = ${blogs.id} where id = ${first}`
  await db.sql`delete from zones where id = ${second}`
  await follow()
  expect((await totals('group')).map(([name, domains]) => [name, domains])).toEqual([
    ['shops', 2],
    ['blogs', 1],
  ])
  await anna.call.groups.remove({ id: blogs.id })
  // Its domains have no group from then on, also before the next sum.
  expect((await totals('group')).map(([name, domains]) => [name, domains])).toEqual([
    ['shops', 2],
    [null, 1],
  ])
  await follow()
  expect((await totals('group')).map(([name, domains]) => [name, domains])).toEqual([
    ['shops', 2],
    [null, 1],
  ])
  await db.sql`delete from accounts where id = ${account.id}`
  expect(await totals('group')).toEqual([])
  await follow()
  expect(await totals('account')).toEqual([])
})

test('accounts that were never summed are summed first, then those with the oldest figures, by one process at a time', async () => {
  const { db } = test_.services
  const accounts = [await add('one', 1), await add('two', 1), await add('three', 1)]
  const zones = accounts.flatMap((account) => account.zones)
  await upsertTraffic(
    db,
    zones.map((id, index) => ({ ...trafficOf(id, 10), readAt: `2026-11-2${8 - index}T10:00:00.000Z` })),
  )
  await follow()
  const added = await add('new', 1)
  await upsertTraffic(
    db,
    [...zones, ...added.zones].map((id) => trafficOf(id, 20)),
  )
  const order = [added, ...accounts.toReversed()].map(({ id }) => id)
  expect(await listOutdated(db.orm, 10)).toEqual(order)
  expect(await listOutdated(db.orm, 2)).toEqual(order.slice(0, 2))

  const other = openAdvisoryLocks(db)
  await other.tryLock(['traffic:totals'], 1)
  await follow()
  expect(await listOutdated(db.orm, 10)).toEqual(order)
  await other.close()
  await follow()
  expect(await listOutdated(db.orm, 10)).toEqual([])
})

test('others see the traffic of what is shared with them only, and an administrator that of all', async () => {
  const { db } = test_.services
  const group = await insertGroup(db, { ownerId: anna.user.id, name: 'shops' })
  const [one, other] = [await add('one', 1), await add('other', 1, group.id)]
  await upsertTraffic(
    db,
    [...one.zones, ...other.zones].map((id) => trafficOf(id, 10)),
  )
  await follow()
  const [bob, admin] = [await signIn(test_.services), await signIn(test_.services, { role: 'admin' })]
  expect([await totals('account', bob), await totals('group', bob)]).toEqual([[], []])
  await db.sql`insert into shares (owner_id, grantee_id, level, account_id) values (${anna.user.id}, ${bob.user.id}, 'view', ${one.id})`
  expect((await totals('account', bob)).map(([name]) => name)).toEqual(['one'])
  expect(await totals('group', bob)).toEqual([])
  await db.sql`insert into shares (owner_id, grantee_id, level, group_id) values (${anna.user.id}, ${bob.user.id}, 'view', ${group.id})`
  expect((await totals('group', bob)).map(([name]) => name)).toEqual(['shops'])
  expect((await totals('account', bob)).map(([name]) => name)).toEqual(['one'])
  expect((await totals('group', admin)).map(([name]) => name)).toEqual(['shops', null])
  expect((await admin.call.traffic.totals({ by: 'group', ownerId: admin.user.id })).totals).toEqual([])
  await expect(callAs(test_.services, null).traffic.totals({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
