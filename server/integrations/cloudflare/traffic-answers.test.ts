import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { DnsHost, HostConnection } from '#server/ports/dns-host.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { createCloudflare } from './adapter.ts'

const world = buildWorld({ zones: 3, accounts: 1, seed: 5, plain: true })
const [owner] = world.credentials as readonly [AccountCredentials]

let database: TestDatabase
let simulator: CloudflareSimulator
let host: DnsHost
let connection: HostConnection
let zones: SimZone[]
beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null })
  host = createCloudflare({
    baseUrl: simulator.url,
    budget: { limit: 100_000, windowMs: 300_000 },
    sql: database.db.sql,
    clock: systemClock,
    log: createLog('silent'),
    addressLimitPerSecond: null,
    userAgent: 'zonedeck-test',
    installation: 'f00d',
  })
  connection = host.connect({ kind: 'global_key', email: owner.email, apiKey: owner.globalKey }, owner.userId)
})
beforeEach(() => {
  simulator.reset()
  zones = [...simulator.state.zonesById.values()]
})
afterAll(async () => {
  await host.close()
  await simulator.close()
  await database.close()
})

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
/** The names of the zones whose traffic was read, or the code of the error. */
async function read(): Promise<unknown> {
  const range = { from: dateOf(Date.now() - 86_400_000), to: dateOf(Date.now()) }
  const ids = zones.map(({ id }) => id)
  try {
    const traffic = await connection.traffic(ids, range, { priority: 'sync' })
    return zones.filter(({ id }) => traffic.has(id)).map(({ name }) => name)
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
const dayOf = (requests: number) => ({ dimensions: { date: dateOf(Date.now()) }, sum: { requests }, uniq: {} })
const answer = (answered: readonly unknown[], ...errors: readonly unknown[]) => {
  simulator.state.analyticsAnswer = { data: { viewer: { zones: answered } }, errors: errors.length === 0 ? null : errors }
}
const refuse = (message: string, path: readonly unknown[] | null = null) => {
  simulator.state.analyticsAnswer = { data: null, errors: [{ message, path, extensions: { timestamp: '2026-11-28T21:27:19Z' } }] }
}

test.each([0, '0'])('a zone that an error names by its index %j is not read, the others are', async (index) => {
  const [first, second, third] = zones
  answer(
    [first, second, third].map((zone) => ({ zoneTag: zone?.id, httpRequests1dGroups: [] })),
    { message: 'internal server error', path: ['viewer', 'zones', index, 'httpRequests1dGroups'] },
  )
  expect(await read()).toEqual([second?.name, third?.name])
})

test('a zone that is null, or has figures that cannot be read, does not hide the others', async () => {
  const [, second, third] = zones
  answer([null, { zoneTag: second?.id, httpRequests1dGroups: [{}] }, { zoneTag: third?.id, httpRequests1dGroups: [dayOf(5)] }])
  expect(await read()).toEqual([third?.name])
})

test('an answer of which nothing can be read, without an error, is unreadable', async () => {
  answer(zones.map(({ id }) => ({ zoneTag: id, httpRequests1dGroups: [{ dimensions: {}, sum: {}, uniq: {} }] })))
  expect(await read()).toBe('provider_unreadable')
  simulator.state.analyticsAnswer = { data: null, errors: null }
  expect(await read()).toBe('provider_unreadable')
  // A zone that has no figures at all is no such answer.
  answer([])
  expect(await read()).toEqual([])
})

test.each([
  'Rate limiter budget depleted. Please try again after 5 minutes.',
  'quota exceeded, please repeat your request in the next minute',
  'limit reached, please try reduced time period',
  'too many queries in progress, please try again later',
])('"%s" is a limit, also if it names a zone', async (message) => {
  refuse(message)
  expect(await read()).toBe('provider_rate_limited')
  refuse(message, ['viewer', 'zones', '0', 'httpRequests1dGroups'])
  expect(await read()).toBe('provider_rate_limited')
})

test('an error is a refusal of single zones only if it names one', async () => {
  refuse('cannot request data older than 2678400s', ['viewer', 'zones', '1', 'httpRequests1dGroups'])
  expect(await read()).toBe('provider_rejected')
  refuse('internal server error', ['viewer', 'zones'])
  expect(await read()).toBe('provider_unavailable')
  refuse('internal server error')
  expect(await read()).toBe('provider_unavailable')
})

test('amounts are whole numbers', async () => {
  const [first] = zones
  answer([{ zoneTag: first?.id, httpRequests1dGroups: [dayOf(1.6)] }])
  const range = { from: dateOf(Date.now()), to: dateOf(Date.now()) }
  const traffic = await connection.traffic(first === undefined ? [] : [first.id], range, { priority: 'sync' })
  expect([...traffic.values()]).toMatchObject([[{ requests: 2, bytes: 0 }]])
})
