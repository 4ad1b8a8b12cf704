import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import { startRdapSimulator } from '#server/simulators/rdap.ts'
import type { RdapSimulator, RegistryEntry } from '#server/simulators/rdap.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createRdap } from './adapter.ts'
import type { RdapOptions } from './adapter.ts'
import { readDomain } from './read-domain.ts'

const held = new Map<string, RegistryEntry>()
const entry: RegistryEntry = {
  registeredAtMs: Date.UTC(2020, 1, 3),
  expiresAtMs: Date.UTC(2027, 4, 6, 7, 8, 9),
  registrar: 'Porkbun LLC',
  nameServers: ['ns2.host.example', 'ns1.host.example'],
}
let simulator: RdapSimulator
let database: TestDatabase
beforeAll(async () => {
  simulator = await startRdapSimulator({ find: (name) => held.get(name) ?? null, perSecond: null })
  database = await createTestDatabase()
})
afterAll(async () => {
  await simulator.close()
  await database.close()
})
beforeEach(() => {
  held.clear()
  for (const each of simulator.registries) {
    each.faults.clear()
    each.journal.reset()
  }
})

function connect(options: Partial<RdapOptions> = {}) {
  const rdap = createRdap({
    directoryUrl: simulator.url,
    allow: ['127.0.0.0/8'],
    sql: database.db.sql,
    clock: systemClock,
    log: createLog('silent'),
    userAgent: 'zonedeck-test',
    limit: { limit: 100_000, windowMs: 1_000 },
    ...options,
  })
  onTestFinished(() => rdap.close())
  return rdap
}
const person = { priority: 'person' } as const
const answer = {
  state: 'found',
  expiresAt: new Date('2027-05-06T07:08:09Z'),
  registrar: 'Porkbun LLC',
  nameServers: ['ns1.host.example', 'ns2.host.example'],
}

test('R-REG-05 expiry, registrar, status and name servers of a name are read from its registry, in complete and unusual responses', async () => {
  held.set('kept.com', entry)
  held.set('kept.org', entry)
  held.set('xn--e1afmkfd.xn--c1avg', { ...entry, expiresAtMs: null, registrar: null })
  const rdap = connect()
  expect(await rdap.lookUp('kept.com', person)).toEqual({ ...answer, statuses: ['client transfer prohibited'] })
  expect(await rdap.lookUp('kept.org', person)).toEqual({ ...answer, statuses: [] })
  expect(await rdap.lookUp('xn--e1afmkfd.xn--c1avg', person)).toMatchObject({ state: 'found', expiresAt: null, registrar: null })
  expect(await rdap.lookUp('nobody-has-it.com', person)).toEqual({ state: 'not_found' })
})

test('R-REG-05 the longest matching top-level domain selects the registry; a name without one is not looked up, and the list is read once a day', async () => {
  held.set('kept.co.uk', entry)
  const clock = createFakeClock(Date.now())
  const rdap = connect({ clock })
  simulator.directory.journal.reset()
  expect(await rdap.lookUp('kept.co.uk', person)).toMatchObject({ state: 'found' })
  expect(await rdap.lookUp('kept.ru', person)).toEqual({ state: 'not_offered' })
  expect(simulator.directory.journal.count()).toBe(1)
  await clock.advance(86_400_000)
  // The list cannot be read: yesterday's is used.
  onTestFinished(simulator.directory.faults.add({ effect: { kind: 'server-error' } }))
  expect(await rdap.lookUp('other.ru', person)).toEqual({ state: 'not_offered' })
  expect(simulator.directory.journal.count()).toBe(2)
  const blind = connect()
  expect(await blind.lookUp('kept.com', person)).toMatchObject({ state: 'unreachable', fault: 'directory' })
})

test('R-REG-05 a registry’s redirects are followed a few times and never in a loop', async () => {
  held.set('moved.com', { ...entry, moved: true })
  expect(await connect().lookUp('moved.com', person)).toMatchObject(answer)
  const circle = createServer((request, response) =>
    request.url === '/dns.json'
      ? response.end(JSON.stringify({ services: [[['com'], [`${origin}/`]]] }))
      : response.writeHead(302, { location: request.url ?? '/' }).end(),
  )
  await new Promise<void>((resolve) => circle.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void circle.close())
  const address = circle.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  expect(await connect({ directoryUrl: `${origin}/dns.json` }).lookUp('any.com', person)).toMatchObject({ fault: 'unreadable' })
})

test.each([
  ['a web page', { kind: 'success-false' }, 'unreadable'],
  ['half an answer', { kind: 'cut-body' }, 'unavailable'],
  ['broken JSON', { kind: 'malformed-json' }, 'unreadable'],
  ['maintenance', { kind: 'server-error' }, 'unavailable'],
  ['no', { kind: 'forbidden' }, 'refused'],
  ['a lost connection', { kind: 'reset' }, 'unavailable'],
] as const)(
  'R-REG-05 %s instead of a response is reported as such, and does not mean that the name is unregistered',
  async (_what, effect, fault) => {
    held.set('kept.com', entry)
    simulator.registries[0].faults.add({ effect })
    expect(await connect().lookUp('kept.com', person)).toEqual({ state: 'unreachable', fault, retryAfterSeconds: null })
  },
)

test('R-REG-05 a rate limit of one registry is respected by every process, and other registries are queried in the meantime', async () => {
  held.set('kept.com', entry)
  held.set('kept.org', entry)
  const [registry] = simulator.registries
  registry.faults.add({ effect: { kind: 'rate-limited' }, times: 1 })
  const limit = { limit: 1, windowMs: 1_000 }
  const [one, other] = [connect({ limit }), connect({ limit })]
  expect(await one.lookUp('kept.com', { priority: 'sync' })).toEqual({ state: 'unreachable', fault: 'limited', retryAfterSeconds: 2 })
  const refusedAt = registry.journal.recent().at(-1)?.atMs ?? 0
  expect(await other.lookUp('kept.org', person)).toMatchObject(answer)
  expect(await other.lookUp('kept.com', { priority: 'sync' })).toMatchObject(answer)
  const askedAt = registry.journal.recent().at(-1)?.atMs ?? 0
  expect(askedAt - refusedAt).toBeGreaterThanOrEqual(1_900)
})

test('a registry’s address outside the public internet is not contacted', async () => {
  held.set('kept.com', entry)
  const rdap = connect({ allow: [] })
  expect(await rdap.lookUp('kept.com', person)).toEqual({ state: 'unreachable', fault: 'closed', retryAfterSeconds: null })
  expect(simulator.registries[0].journal.count()).toBe(0)
})

test('a response about another name, or about none, is not accepted', () => {
  const about = (content: object) => () => readDomain(JSON.stringify(content), 'kept.com')
  expect(about({ objectClassName: 'domain', ldhName: 'other.com' })).toThrow('other.com')
  expect(about({ objectClassName: 'entity' })).toThrow('objectClassName')
  expect(about({ errorCode: 404 })).toThrow('objectClassName')
  const odd = { objectClassName: 'domain', events: [{ eventAction: 'expiration', eventDate: '9999-12-31T00:00:00Z' }], entities: 'none' }
  expect(about(odd)()).toMatchObject({ state: 'found', expiresAt: null, registrar: null })
})
