import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { readDueTraffic } from './read-traffic.ts'

const hourMs = 3_600_000
let panel: TestPanel
let anna: SignedIn
let sims: SimZone[]
let aheadMs = 0
let slept = 0
/** Its pauses take no time, and a test moves it forward. */
let services: Services
beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 25, accounts: 1 } })
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    sleep: async (ms: number) => {
      slept += ms
      aheadMs += ms
    },
  }
  services = { ...panel.services, clock }
  sims = [...panel.simulator.state.zonesById.values()]
})
afterAll(() => panel.close())
let accountId: string
beforeEach(async () => {
  await emptyTables(panel.services.db, 'users')
  anna = await signIn(panel.services)
  ;[aheadMs, slept] = [0, 0]
  accountId = await add(panel.credential(0).globalKey)
  panel.simulator.journal.reset()
})

async function add(apiKey: string, kind: 'global_key' | 'api_token' = 'global_key', zones = sims.length): Promise<string> {
  const { db, secrets } = panel.services
  const { email, userId } = panel.credential(0)
  const account = await insertAccount(
    db,
    { ownerId: anna.user.id, email, kind, providerUserId: userId, syncedAt: new Date() },
    { secrets, apiKey },
  )
  if (zones > 0)
    await insertZones(db, { ownerId: anna.user.id, accountId: account.id }, zones, (index) => ({
      providerZoneId: sims[index]?.id ?? '',
      name: sims[index]?.name ?? '',
    }))
  return account.id
}

const read = (signal = new AbortController().signal) => readDueTraffic(services, signal)
const queries = () => panel.simulator.journal.count({ path: '/graphql' })
const listed = async (input: Parameters<SignedIn['call']['domains']['list']>[0] = {}) =>
  (await anna.call.domains.list({ limit: 200, ...input })).domains
const dueInMs = async () => {
  const [row] = await panel.services.db.sql<{ at: Date }[]>`select traffic_due_at as at from accounts where id = ${accountId}`
  return new Date(row?.at ?? 0).getTime() - services.clock.now()
}

test('the traffic of 30 days of all domains is read ten domains a query, no faster than the limit of a user, and shown in the list', async () => {
  expect((await listed()).every(({ traffic }) => traffic === null)).toBe(true)
  const began = services.clock.now()
  expect(await read()).toBe(true)
  expect(services.clock.now() - began).toBeGreaterThanOrEqual(3_000)
  expect(queries()).toBe(3)
  expect(slept).toBeLessThanOrEqual(3_000)
  expect(await read()).toBe(false)

  const [first] = await listed()
  const { days } = await anna.call.zoneSettings.traffic({ id: first?.id ?? '' })
  const sum = (of: 'requests' | 'bytes' | 'threats' | 'clientErrors' | 'serverErrors') => days.reduce((total, day) => total + day[of], 0)
  const busiest = Math.max(...days.map(({ requests }) => requests))
  expect(first?.traffic).toEqual({
    requests: sum('requests'),
    bytes: sum('bytes'),
    threats: sum('threats'),
    clientErrors: sum('clientErrors'),
    serverErrors: sum('serverErrors'),
    trend: days.map(({ requests }) => Math.ceil((9 * requests) / busiest)).join(''),
  })
  expect(sum('clientErrors')).toBeGreaterThan(0)
  expect(sum('serverErrors')).toBeGreaterThan(0)
})

test('the list is sorted by requests, and domains without any in 30 days are found; unread ones match no amount', async () => {
  const [quiet, gone] = sims
  if (quiet === undefined || gone === undefined) throw new Error('the world is empty')
  const { status } = quiet
  quiet.status = 'pending'
  await panel.services.db.sql`update zones set gone_at = now() where zone_id = ${gone.id}`
  try {
    await read()
  } finally {
    quiet.status = status
  }
  expect((await listed({ filter: { traffic: 'none' } })).map(({ name, traffic }) => [name, traffic?.trend])).toEqual([
    [quiet.name, '0'.repeat(30)],
  ])
  const some = await listed({ filter: { traffic: 'some' }, sort: { by: 'requests', direction: 'desc' } })
  expect(some).toHaveLength(23)
  const requests = some.map(({ traffic }) => traffic?.requests ?? 0)
  expect(requests).toEqual(requests.toSorted((a, b) => b - a))
  expect((await listed({ sort: { by: 'requests', direction: 'asc' } })).slice(0, 2).map(({ name }) => name)).toEqual([
    gone.name,
    quiet.name,
  ])
  expect((await anna.call.domains.summary({ filter: { traffic: 'none' } })).matching).toBe(1)
})

test('what was read is read again after a day, and what a stopped process did not read, next', async () => {
  const stopping = new AbortController()
  const stopped: Services = {
    ...services,
    clock: { ...services.clock, sleep: async () => (queries() === 2 ? stopping.abort(new Error('stopped')) : undefined) },
  }
  await readDueTraffic(stopped, stopping.signal)
  expect((await listed({ filter: { traffic: 'some' } })).length).toBe(20)
  expect(await read()).toBe(true)
  expect(queries()).toBe(3)
  expect((await listed({ filter: { traffic: 'some' } })).length).toBe(25)

  aheadMs = 7 * hourMs
  expect(await read()).toBe(true)
  expect(queries()).toBe(3)
  aheadMs = 23 * hourMs
  expect(await read()).toBe(true)
  expect(queries()).toBe(6)
})

test('a process that was killed leaves an account that another one takes over after ten minutes', async () => {
  await panel.services.db.sql`update accounts set traffic_due_at = now() + interval '10 minutes'`
  expect(await read()).toBe(false)
  aheadMs = 11 * 60_000
  expect(await read()).toBe(true)
  expect(queries()).toBe(3)
})

test('a domain whose traffic may not be read does not hide that of others', async () => {
  const hidden = sims[3]
  if (hidden === undefined) throw new Error('the world is empty')
  await panel.services.db.sql`update zones set zone_id = ${'0'.repeat(32)} where zone_id = ${hidden.id}`
  await read()
  expect((await listed()).filter(({ traffic }) => traffic === null).map(({ name }) => name)).toEqual([hidden.name])
  // One batch again domain by domain, no faster.
  expect(queries()).toBe(3 + 10)
  expect(slept).toBeGreaterThan(10_000)
})

test('of ten domains that are read together, nine are stored if one of them fails, and that one is read later', async () => {
  const [failing] = sims
  if (failing === undefined) throw new Error('the world is empty')
  const { analyticsFailing } = panel.simulator.state
  analyticsFailing.add(failing.id)
  try {
    await read()
    expect((await listed()).filter(({ traffic }) => traffic === null).map(({ name }) => name)).toEqual([failing.name])
    expect(queries()).toBe(3)
  } finally {
    analyticsFailing.delete(failing.id)
  }
  aheadMs = 7 * hourMs
  await read()
  expect(queries()).toBe(4)
  expect((await listed()).every(({ traffic }) => traffic !== null)).toBe(true)
})

test('if all domains of a query fail, the domains of the other queries are stored', async () => {
  const { analyticsFailing } = panel.simulator.state
  const [first] = await panel.services.db.sql<{ ids: string[] }[]>`
    select array(select zone_id from zones where account_id = ${accountId} order by id limit 10) as ids`
  for (const id of first?.ids ?? []) analyticsFailing.add(id)
  try {
    await read()
  } finally {
    analyticsFailing.clear()
  }
  expect((await listed()).filter(({ traffic }) => traffic !== null)).toHaveLength(15)
})

test('a credential that may not read traffic is asked four times a day, until it is replaced', async () => {
  await emptyTables(panel.services.db, 'accounts')
  accountId = await add(panel.credential(0).readOnlyToken, 'api_token')
  await read()
  expect(queries()).toBe(4)
  expect(await dueInMs()).toBeGreaterThan(23 * hourMs)
  expect((await listed()).every(({ traffic }) => traffic === null)).toBe(true)
  await anna.call.accounts.update({ id: accountId, kind: 'global_key', apiKey: panel.credential(0).globalKey })
  expect(await dueInMs()).toBeLessThanOrEqual(0)
})

test('the accounts of one user are read one after another, because they share its limit', async () => {
  await add(panel.credential(0).readOnlyToken, 'api_token', 0)
  expect(await Promise.all([read(), read()])).toContain(false)
  expect(await read()).toBe(true)
  expect(await read()).toBe(false)
})

test('beyond the limit of a user nothing more is asked for ten minutes', async () => {
  const { analytics } = panel.simulator.state
  const user = panel.credential(0).userId
  let left = 1
  analytics.set(user, { take: () => ({ allowed: left-- > 0, remaining: 0, resetMs: 300_000 }) })
  try {
    await read()
  } finally {
    analytics.delete(user)
  }
  expect(queries()).toBe(2)
  expect((await dueInMs()) / 60_000).toBeGreaterThan(9)
  expect((await listed()).filter(({ traffic }) => traffic !== null)).toHaveLength(10)
})

test('a failure that names no domain ends the reading for ten minutes, without a query for each domain', async () => {
  const { state } = panel.simulator
  const unwell = [null, ['viewer', 'zones']].map((path) => ({ data: null, errors: [{ message: 'internal server error', path }] }))
  const limited = { data: null, errors: [{ message: 'quota exceeded, please repeat your request in the next minute' }] }
  try {
    for (const answer of [...unwell, limited]) {
      state.analyticsAnswer = answer
      panel.simulator.journal.reset()
      expect(await read()).toBe(true)
      expect(queries()).toBe(1)
      expect((await dueInMs()) / 60_000).toBeGreaterThan(9)
      aheadMs += 11 * 60_000
    }
  } finally {
    state.analyticsAnswer = null
  }
  expect(await read()).toBe(true)
  expect((await listed()).every(({ traffic }) => traffic !== null)).toBe(true)
})

test('a rejected credential is not tried, and traffic that could not be read for a week is deleted', async () => {
  await read()
  panel.simulator.journal.reset()
  await panel.services.db.sql`update accounts set health = 'auth_error'`
  aheadMs = 24 * hourMs
  await read()
  expect((await listed({ filter: { traffic: 'some' } })).length).toBe(25)
  aheadMs = 8 * 24 * hourMs
  await read()
  expect(queries()).toBe(0)
  expect((await listed()).every(({ traffic }) => traffic === null)).toBe(true)
  expect(await listed({ filter: { traffic: 'some' } })).toEqual([])
})

/** The last whole day that is compared, as seen by the reading. */
const comparedDate = () => new Date(services.clock.now() - 27 * hourMs).toISOString().slice(0, 10)
const problems = async () =>
  Object.fromEntries(
    (
      await panel.services.db.sql<{ name: string; packed: number; codes: string[] }[]>`
        select z.name, z.traffic_problems as packed, array(select p->>'code' from jsonb_array_elements(t.problems) p) as codes
        from zones z join zone_traffic t on t.zone_id = z.id where z.traffic_problems <> 0 or t.problems <> '[]' order by z.name`
    ).map(({ name, packed, codes }) => [name, [packed, ...codes]]),
  )
const usual = { requests: 5_000, threats: 10, serverErrors: 0 }

test('domains whose requests stop, fail or are threats are found by the last whole day, and no longer when that day is normal again', async () => {
  const [dropped, failing, attacked, starting] = sims
  if (dropped === undefined || failing === undefined || attacked === undefined || starting === undefined)
    throw new Error('the world is empty')
  const { state } = panel.simulator
  // In the past, because the provider has no figures of days after today.
  aheadMs = -31 * hourMs
  await panel.services.db.sql`update accounts set traffic_due_at = ${new Date(services.clock.now()).toISOString()}`
  let bad = comparedDate()
  const given = new Map([
    [dropped.id, { ...usual, requests: 0 }],
    [failing.id, { ...usual, serverErrors: 1_000 }],
    [attacked.id, { ...usual, threats: 4_000 }],
  ])
  state.analyticsOf = (zone, date) => {
    // Today has only begun, and this domain was quiet before.
    if (date > bad || (zone === starting && date <= bad)) return { requests: 0 }
    return date === bad ? (given.get(zone.id) ?? usual) : usual
  }
  try {
    await read()
    const found = {
      [dropped.name]: [1, 'traffic_dropped'],
      [failing.name]: [2, 'traffic_server_errors'],
      [attacked.name]: [4, 'traffic_threats'],
    }
    expect(await problems()).toEqual(found)
    // Figures that cannot be read are not zero, and what was found stays.
    aheadMs = -7 * hourMs
    for (const { id } of sims) state.analyticsFailing.add(id)
    await read()
    expect(await problems()).toEqual(found)
    state.analyticsFailing.clear()
    aheadMs = 0
    given.clear()
    bad = comparedDate()
    await read()
    expect(await problems()).toEqual({})
  } finally {
    state.analyticsOf = null
    state.analyticsFailing.clear()
  }
})

test('a day without figures of any domain of the account is late, not a drop of all of them', async () => {
  const { state } = panel.simulator
  state.analyticsOf = (_, date) => (date < comparedDate() ? usual : { requests: 0 })
  try {
    await read()
    expect(await problems()).toEqual({})
  } finally {
    state.analyticsOf = null
  }
})

test('what was found is forgotten with traffic that could not be read for a week', async () => {
  const [dropped] = sims
  const { state } = panel.simulator
  state.analyticsOf = (zone, date) => (zone === dropped && date >= comparedDate() ? { requests: 0 } : usual)
  try {
    await read()
  } finally {
    state.analyticsOf = null
  }
  expect(Object.keys(await problems())).toEqual([dropped?.name])
  await panel.services.db.sql`update accounts set health = 'auth_error'`
  aheadMs = 8 * 24 * hourMs
  await read()
  expect(await problems()).toEqual({})
  expect(await panel.services.db.sql`select from zones where traffic_problems <> 0`).toHaveLength(0)
})

test('a credential that is replaced during a reading is tried next', async () => {
  const replaced: Services = {
    ...services,
    clock: {
      ...services.clock,
      sleep: async () => {
        await panel.services.db.sql`update accounts set traffic_due_at = now()`
      },
    },
  }
  await readDueTraffic(replaced, new AbortController().signal)
  expect(await dueInMs()).toBeLessThanOrEqual(0)
})

test('an unavailable provider is asked again in ten minutes, and a removed account is no error', async () => {
  const heal = panel.simulator.faults.add({ path: '/graphql', effect: { kind: 'rate-limited' } })
  try {
    await read()
    expect((await dueInMs()) / 60_000).toBeGreaterThan(9)
    expect((await dueInMs()) / 60_000).toBeLessThanOrEqual(10)
  } finally {
    heal()
  }
  await emptyTables(panel.services.db, 'accounts')
  aheadMs = hourMs
  expect(await read()).toBe(false)
})
