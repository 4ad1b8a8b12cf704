import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Credential, DnsHost, HostConnection } from '#server/ports/dns-host.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { FaultEffect } from '#server/simulators/faults.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { createCloudflare } from './adapter.ts'
import type { CloudflareOptions } from './adapter.ts'

const person = { priority: 'person' } as const
const sync = { priority: 'sync' } as const
const plenty = { limit: 100_000, windowMs: 300_000 }
/** Real time, but with short pauses between attempts. */
const hasty: Clock = { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms > 100 ? ms / 50 : ms, signal) }

const world = buildWorld({ zones: 120, accounts: 2, seed: 5, plain: true })
const [first, second] = world.credentials as readonly [AccountCredentials, AccountCredentials]
const zonesOf = (accountId: string) => world.content().zones.filter((zone) => zone.account.id === accountId)
const globalKey = (credentials: AccountCredentials): Credential => ({
  kind: 'global_key',
  email: credentials.email,
  apiKey: credentials.globalKey,
})
const token = (value: string): Credential => ({ kind: 'api_token', token: value })

let database: TestDatabase
let simulator: CloudflareSimulator
const hosts: DnsHost[] = []

function connect(change: Partial<CloudflareOptions> = {}): DnsHost {
  const host = createCloudflare({
    baseUrl: simulator.url,
    budget: plenty,
    sql: database.db.sql,
    clock: hasty,
    log: createLog('silent'),
    addressLimitPerSecond: null,
    userAgent: 'zonedeck-test',
    ...change,
  })
  hosts.push(host)
  return host
}

beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null })
})
afterEach(async () => {
  simulator.reset()
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  await database.db.sql`delete from call_budgets`
})
afterAll(async () => {
  await simulator.close()
  await database.close()
})

describe('the owner of a credential', () => {
  test('R-ACC-02 a global key reports its user and accounts', async () => {
    expect(await connect().connect(globalKey(first), null).identify(person)).toEqual({
      userId: first.userId,
      email: first.email,
      accounts: [{ id: first.accountId, name: first.accountName }],
    })
  })

  test('R-ACC-02 an API token reports its user if permitted', async () => {
    const host = connect()
    expect(await host.connect(token(first.apiToken), null).identify(person)).toMatchObject({ userId: first.userId, email: first.email })
    expect(await host.connect(token(first.readOnlyToken), null).identify(person)).toMatchObject({ userId: null, email: null })
  })

  test('R-ACC-02 an account-owned token is verified at its account', async () => {
    const identity = await connect().connect(token(first.accountToken), null).identify(person)
    expect(identity).toEqual({ userId: null, email: null, accounts: [{ id: first.accountId, name: first.accountName }] })
  })

  test.each([
    ['a key of another shape', { kind: 'global_key', email: 'a@example.com', apiKey: 'x' }, '6003', /6103: Invalid format/],
    ['an unknown key', { kind: 'global_key', email: 'a@example.com', apiKey: 'a'.repeat(37) }, '9103', /Unknown X-Auth-Key/],
    ['a token of another shape', { kind: 'api_token', token: 'x' }, '6003', /6111: Invalid format/],
    ['an unknown token', { kind: 'api_token', token: 'a'.repeat(40) }, '9109', /Invalid access token/],
  ] as const)('R-ACC-02 %s is refused in Cloudflare’s own words', async (_, credential, code, message) => {
    await expect(connect().connect(credential, null).identify(person)).rejects.toMatchObject({
      code: 'provider_auth',
      provider: { code, message: expect.stringMatching(message) as string },
    })
  })

  test('credentials of one user share one budget once their user is known', async () => {
    const host = connect()
    await host.connect(token(first.apiToken), null).identify(person)
    await host.connect(token(first.apiToken), null).listZones(1, sync)
    await host.connect(globalKey(first), first.userId).listZones(1, sync)
    await host.close()
    const rows = await database.db.sql<{ key: string; calls: number }[]>`
      select key, (select coalesce(sum((spent->>1)::int), 0)::int from jsonb_array_elements(log->'main') spent) as calls from call_budgets`
    // Including the three calls that identified the owner.
    expect(rows.find(({ key }) => key === `cloudflare:user:${first.userId}`)?.calls).toBe(5)
    expect(rows.find(({ key }) => key.startsWith('cloudflare:credential:'))?.calls).toBe(0)
    for (const { key } of rows) expect(key).not.toContain(first.apiToken)
  })
})

describe('unexpected responses', () => {
  const attempt = (connection: HostConnection) => connection.listZones(1, sync)

  test.each<[string, FaultEffect, string]>([
    ['an HTML error page', { kind: 'server-error', status: 502, body: 'html' }, 'provider_unavailable'],
    ['an error of the server', { kind: 'server-error', status: 500 }, 'provider_unavailable'],
    ['a cut body', { kind: 'cut-body' }, 'provider_unreadable'],
    ['malformed JSON', { kind: 'malformed-json' }, 'provider_unreadable'],
    ['a broken connection', { kind: 'reset' }, 'provider_unavailable'],
    ['a call that is taken and never answered', { kind: 'timeout-after-write', holdMs: 20 }, 'provider_unavailable'],
  ])('%s is retried, and reported after four attempts', async (_, effect, code) => {
    const connection = connect().connect(globalKey(first), first.userId)
    simulator.faults.add({ effect, times: 3 })
    expect((await attempt(connection)).zones).toHaveLength(50)
    expect(simulator.journal.count()).toBe(4)
    simulator.faults.add({ effect })
    await expect(attempt(connection)).rejects.toMatchObject({ code })
    expect(simulator.journal.count()).toBe(8)
  })

  test('HTTP 200 with success:false is an error, and is not retried', async () => {
    const connection = connect().connect(globalKey(first), first.userId)
    simulator.faults.add({ effect: { kind: 'success-false' } })
    await expect(attempt(connection)).rejects.toMatchObject({
      code: 'provider_rejected',
      provider: { code: '1000', message: 'The request could not be carried out' },
    })
    expect(simulator.journal.count()).toBe(1)
  })

  test('an unknown field in a response is ignored', async () => {
    const connection = connect().connect(globalKey(first), first.userId)
    const plain = await attempt(connection)
    simulator.faults.add({ effect: { kind: 'unknown-fields' } })
    expect(await attempt(connection)).toEqual(plain)
  })

  test('a revoked key and a missing permission are distinguished from each other', async () => {
    const host = connect()
    simulator.faults.add({ effect: { kind: 'revoked-key' }, times: 1 })
    await expect(attempt(host.connect(globalKey(first), first.userId))).rejects.toMatchObject({
      code: 'provider_auth',
      provider: { code: '9103' },
    })
    simulator.faults.add({ effect: { kind: 'forbidden' }, times: 1 })
    await expect(attempt(host.connect(globalKey(first), first.userId))).rejects.toMatchObject({
      code: 'provider_forbidden',
      provider: { code: '10000' },
    })
    const other = zonesOf(second.accountId)[0]
    await expect(host.connect(globalKey(first), first.userId).getZone(other?.id ?? '', person)).rejects.toMatchObject({
      code: 'provider_forbidden',
      provider: { code: '9109' },
    })
  })

  test('a write that may have taken effect is not retried; an idempotent one is', async () => {
    const connection = connect().connect(globalKey(first), first.userId)
    const providerZoneId = zonesOf(first.accountId)[0]?.id ?? ''
    simulator.faults.add({ effect: { kind: 'cut-body' }, times: 1 })
    await expect(
      connection.createRecord(providerZoneId, { type: 'TXT', name: 'once', content: '"x"', ttl: 1 }, person),
    ).rejects.toMatchObject({
      code: 'provider_unreadable',
    })
    expect(simulator.journal.count({ method: 'POST' })).toBe(1)
    simulator.faults.add({ effect: { kind: 'cut-body' }, times: 1 })
    expect((await connection.editSetting(providerZoneId, 'ssl', 'full', person)).value).toBe('full')
    expect(simulator.journal.count({ method: 'PATCH' })).toBe(2)
  })

  test('a deletion whose answer was lost succeeds if the retry finds nothing', async () => {
    const connection = connect().connect(globalKey(first), first.userId)
    const providerZoneId = zonesOf(first.accountId)[0]?.id ?? ''
    simulator.faults.add({ effect: { kind: 'cut-body' }, times: 1 })
    await connection.deleteZone(providerZoneId, person)
    expect(simulator.journal.count({ method: 'DELETE' })).toBe(2)
    const other = zonesOf(first.accountId)[1]?.id ?? ''
    const record = (await connection.listRecords(other, sync))[0]
    simulator.faults.add({ method: 'DELETE', effect: { kind: 'timeout-after-write', holdMs: 20 }, times: 1 })
    await connection.deleteRecord(other, record?.recordId ?? '', person)
    expect(simulator.journal.count({ method: 'DELETE' })).toBe(4)
  })

  test('an unreachable provider is reported soon, and a write is known not to have been sent', async () => {
    const connection = connect({ baseUrl: 'http://127.0.0.1:9/client/v4' }).connect(globalKey(first), first.userId)
    await expect(connection.createZone({ name: 'a.com', accountId: first.accountId }, person)).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
  })
})

describe('a write that may have taken effect', () => {
  test('has an unknown outcome if its retries are only throttled, or the key is refused in the meantime', async () => {
    const [zone] = zonesOf(first.accountId)
    const connection = connect().connect(globalKey(first), first.userId)
    for (const effect of [{ kind: 'rate-limited', retryAfterSeconds: 1 }, { kind: 'revoked-key' }] as const) {
      simulator.faults.add({ method: 'PATCH', times: 1, effect: { kind: 'cut-body' } })
      simulator.faults.add({ method: 'PATCH', effect })
      const change = connection.editSetting(zone?.id ?? '', 'always_use_https', 'on', { priority: 'bulk' })
      await expect(change).rejects.toMatchObject({ isUnclear: true })
      simulator.faults.clear()
    }
  })

  test('has the outcome of its retry if that was processed', async () => {
    const [zone] = zonesOf(first.accountId)
    const connection = connect().connect(globalKey(first), first.userId)
    const lost = { times: 1, effect: { kind: 'cut-body' } } as const
    simulator.faults.add({ method: 'PATCH', ...lost })
    const change = connection.editSetting(zone?.id ?? '', 'always_use_https', 'perhaps', { priority: 'bulk' })
    await expect(change).rejects.toMatchObject({ code: 'provider_rejected', isUnclear: false })
    simulator.faults.add({ method: 'PATCH', ...lost })
    await expect(connection.pauseZone(zone?.id ?? '', true, { priority: 'bulk' })).resolves.toMatchObject({ paused: true })
  })
})

describe('the call budget', () => {
  test('a rate-limit refusal is respected, then the call is made', async () => {
    const host = connect({ clock: systemClock })
    const connection = host.connect(globalKey(first), first.userId)
    simulator.faults.add({ effect: { kind: 'rate-limited', retryAfterSeconds: 1 }, times: 1 })
    const startedAt = performance.now()
    await connection.createRecord(zonesOf(first.accountId)[0]?.id ?? '', { type: 'TXT', name: 'later', content: '"x"', ttl: 1 }, person)
    expect(performance.now() - startedAt).toBeGreaterThan(950)
    expect(simulator.journal.count()).toBe(2)
  })

  test('a person is not kept waiting for minutes but gets the retry time, and other users are not delayed', async () => {
    const host = connect({ clock: systemClock })
    const connection = host.connect(globalKey(first), first.userId)
    simulator.faults.add({ userId: first.userId, effect: { kind: 'rate-limited', retryAfterSeconds: 120 }, times: 1 })
    const refused = { code: 'provider_rate_limited', params: { retryAfterSeconds: expect.closeTo(120, -1) as number } }
    await expect(connection.listZones(1, person)).rejects.toMatchObject(refused)
    await expect(connection.listZones(1, person)).rejects.toMatchObject(refused)
    expect(simulator.journal.count()).toBe(1)
    expect((await host.connect(globalKey(second), second.userId).listZones(1, person)).zones).toHaveLength(50)
  })

  test('calls of other clients are read from the header before Cloudflare has to refuse', async () => {
    const own = await startCloudflareSimulator({ world, budget: { limit: 30, windowMs: 3_000 }, addressLimitPerSecond: null })
    const host = connect({ baseUrl: own.url, budget: { limit: 30, windowMs: 3_000 }, clock: systemClock })
    const elsewhere = { headers: { 'x-auth-email': first.email, 'x-auth-key': first.globalKey } }
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${own.url}/user`, elsewhere)))
    const connection = host.connect(globalKey(first), first.userId)
    await connection.listZones(1, sync)
    await Promise.all(Array.from({ length: 25 }, () => connection.listZones(1, sync)))
    expect(own.journal.count({ status: 429 })).toBe(0)
    expect(own.journal.count()).toBe(46)
    await host.close()
    await own.close()
  })

  test('two processes with one user’s credentials are never rate-limited', async () => {
    const own = await startCloudflareSimulator({
      world,
      budget: { limit: 20, windowMs: 1_000 },
      latencyMs: 20,
      addressLimitPerSecond: null,
    })
    const settings = { baseUrl: own.url, budget: { limit: 20, windowMs: 1_000 }, clock: systemClock }
    const connections = [
      connect(settings).connect(globalKey(first), first.userId),
      connect(settings).connect(token(first.apiToken), first.userId),
    ]
    await Promise.all(connections.flatMap((connection) => Array.from({ length: 35 }, () => connection.listZones(1, sync))))
    expect(own.journal.count({ status: 200 })).toBe(70)
    expect(own.journal.count({ status: 429 })).toBe(0)
    await Promise.all(hosts.splice(0).map((host) => host.close()))
    await own.close()
  })

  test('credentials of one user added concurrently stay within its limit, including the calls that identified their owner', async () => {
    const budget = { limit: 12, windowMs: 2_000 }
    const own = await startCloudflareSimulator({ world, budget, latencyMs: 50, addressLimitPerSecond: null })
    // Two processes, and in one of them two credentials.
    const [here, elsewhere] = [0, 1].map(() => connect({ baseUrl: own.url, budget, clock: systemClock }))
    const added = [
      here?.connect(globalKey(first), null),
      here?.connect(token(first.apiToken), null),
      elsewhere?.connect(globalKey(first), null),
    ]
    const connections = added.flatMap((connection) => connection ?? [])
    await Promise.all(connections.map((connection) => connection.identify(person)))
    const identified = own.journal.count()
    await Promise.all(connections.flatMap((connection) => Array.from({ length: 6 }, () => connection.listZones(1, sync))))
    expect(own.journal.count({ status: 429 })).toBe(0)
    expect(own.journal.count({ status: 200 })).toBe(identified + 18)
    await Promise.all(hosts.splice(0).map((host) => host.close()))
    await own.close()
  })

  test('all users together stay within the limit of one IP address', async () => {
    const own = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: 30 })
    const host = connect({ baseUrl: own.url, addressLimitPerSecond: 30, clock: systemClock })
    const connections = [host.connect(globalKey(first), first.userId), host.connect(globalKey(second), second.userId)]
    await Promise.all(connections.flatMap((connection) => Array.from({ length: 40 }, () => connection.listZones(1, sync))))
    expect(own.journal.count({ status: 200 })).toBe(80)
    expect(own.journal.count()).toBe(80)
    await host.close()
    await own.close()
  })
})

describe('shutdown', () => {
  test('an abort ends a running call', async () => {
    const connection = connect().connect(globalKey(first), first.userId)
    simulator.faults.add({ effect: { kind: 'slow', delayMs: 5_000 } })
    const stop = new AbortController()
    setImmediate(() => stop.abort(new Error('no longer wanted')))
    await expect(connection.listZones(1, { ...person, signal: stop.signal })).rejects.toThrow('no longer wanted')
  })

  test('closing aborts running calls and refuses waiting ones', async () => {
    const host = connect({ concurrencyPerUser: 1 })
    const connection = host.connect(globalKey(first), first.userId)
    simulator.faults.add({ effect: { kind: 'slow', delayMs: 5_000 } })
    const calls = Promise.allSettled([connection.listZones(1, sync), connection.listZones(2, sync)])
    while (simulator.journal.count() === 0) await new Promise((resolve) => setImmediate(resolve))
    await host.close()
    const codes = (await calls).map((result) => (result.status === 'rejected' ? (result.reason as { code: string }).code : 'fulfilled'))
    expect(codes).toEqual(['shutting_down', 'shutting_down'])
    await expect(connection.listZones(1, sync)).rejects.toMatchObject({ code: 'shutting_down' })
    const held = await database.db.sql`select key from call_budgets, jsonb_object_keys(log->'held')`
    expect(held).toHaveLength(0)
  })
})

test('every call is logged in one line, and none contains a credential', async () => {
  const lines: string[] = []
  const log = createLog(
    'trace',
    new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  const host = connect({ log })
  await host.connect(globalKey(first), null).identify(person)
  await host.connect(token(first.apiToken), null).listZones(1, sync)
  simulator.faults.add({ effect: { kind: 'reset' } })
  await host
    .connect(token(first.apiToken), null)
    .listZones(1, sync)
    .catch(() => undefined)
  const calls = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['msg'] === 'provider call')
  expect(calls[0]).toMatchObject({ provider: 'CLOUDFLARE', method: 'GET', call: '/user', outcome: 200 })
  expect(calls.length).toBe(simulator.journal.count())
  const all = lines.join('')
  for (const secret of [first.globalKey, first.apiToken]) expect(all).not.toContain(secret)
})
