import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { porkbunKeys, startTestRegistrars } from '#server/testing/test-registrars.ts'
import type { TestRegistrars } from '#server/testing/test-registrars.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { startTestRegistry } from '#server/testing/test-registry.ts'
import type { TestRegistry } from '#server/testing/test-registry.ts'
import { syncDueRegistrars } from '../index.ts'
import { claimDue } from './registry.repo.ts'
import { pauseAfter, pauseAfterFailures } from './next-reading.policy.ts'
import { readDueNames, takeUpNames } from './read-due.ts'

const dayMs = 86_400_000
const clock = createFakeClock(Date.now())
let panel: TestServices
let registry: TestRegistry
let sold: TestRegistrars
beforeAll(async () => {
  const database = await createTestDatabase()
  registry = await startTestRegistry(database)
  sold = await startTestRegistrars(database)
  panel = await createTestServices({ database, clock, registry: registry.registry, registrars: sold.registrars })
})
afterAll(() => panel.close())
beforeEach(async () => {
  registry.names.clear()
  sold.account.names.clear()
  for (const each of registry.simulator.registries) {
    each.faults.clear()
    each.journal.reset()
  }
  await emptyTables(panel.services.db, 'registry_names', 'zones', 'registrars')
})

const { signal } = new AbortController()
const inDays = (days: number) => new Date(Math.floor(clock.now() / 1000) * 1000 + days * dayMs)
const register = (name: string, days: number | null) =>
  registry.names.set(name, {
    registeredAtMs: clock.now() - 300 * dayMs,
    expiresAtMs: days === null ? null : inDays(days).getTime(),
    registrar: 'Some Shop, LLC',
    nameServers: ['ns1.host.example', 'ns2.host.example'],
  })
/** Reads everything due; a new name first has to wait a minute. */
const readDue = async (services = panel.services, signalOf = signal) => {
  const begun = await readDueNames(services, new Set(), signalOf)
  await Promise.all(begun)
  return begun.length
}
const readNew = async () => {
  await takeUpNames(panel.services)
  await clock.advance(60_000)
  return readDue()
}
const asked = () => registry.simulator.registries.reduce((sum, { journal }) => sum + journal.count(), 0)

async function stage() {
  const { services } = panel
  const me = await signIn(services)
  const account = await insertAccount(services.db, { ownerId: me.user.id })
  const add = async (name: string, registrarId: string | null = null) =>
    (await insertZone(services.db, { ownerId: me.user.id, accountId: account.id, name, registrarId })).id
  const shown = async (id: string) => {
    const { paidUntil, paidSource, paidReadAt } = (await me.call.domains.get({ id })).zone
    return { paidUntil, paidSource, paidReadAt }
  }
  return { ...me, services, add, shown, accountId: account.id }
}
const byHand = { name: 'By hand', username: 'anna', password: 'long-secret-word' } as const
const porkbun = { name: 'Pork', type: 'API_ENABLED', provider: 'PORKBUN', ...porkbunKeys } as const
const atPorkbun = (name: string, expiresAtMs: number) =>
  sold.account.names.set(name, {
    name,
    createdAtMs: clock.now() - 200 * dayMs,
    expiresAtMs,
    autoRenew: true,
    locked: true,
    privacy: true,
    nameServers: [],
    apiAccess: true,
  })

test('R-REG-05 when the registrar does not report an expiry, the registry’s is used, also in lists, filters and sources', async () => {
  const { call, add, shown, services } = await stage()
  const hand = await call.registrars.create(byHand)
  register('nowhere.com', 20)
  register('by-hand.org', 200)
  const nowhere = await add('nowhere.com')
  const manual = await add('by-hand.org', hand.registrar.id)
  const part = await add('shop.by-hand.org')
  expect(await shown(nowhere)).toEqual({ paidUntil: null, paidSource: null, paidReadAt: null })
  expect(await call.registry.ofDomain({ id: nowhere })).toMatchObject({ paid: null, registry: { state: 'unread' } })
  const end = inDays(20).toISOString()
  await readNew()

  const readAt = new Date(clock.now()).toISOString()
  expect(await shown(nowhere)).toEqual({ paidUntil: end, paidSource: 'registry', paidReadAt: readAt })
  expect((await shown(part)).paidUntil).toBe((await shown(manual)).paidUntil)
  expect((await call.domains.list({ filter: { paidUntil: 30 } })).domains.map(({ name }) => name)).toEqual(['nowhere.com'])
  const { data } = await call.domains.live({ paidUntil: '365' })
  expect(data.map(({ name, paidSource }) => [name, paidSource])).toContainEqual(['by-hand.org', 'registry'])
  expect(await call.registry.ofDomain({ id: manual })).toMatchObject({
    paid: { source: 'registry', readAt, registrar: null },
    registry: { name: 'by-hand.org', state: 'found', registrar: 'Some Shop, LLC', nameServers: ['ns1.host.example', 'ns2.host.example'] },
  })
  // Weekly, and daily near expiry.
  const before = asked()
  await clock.advance(dayMs)
  await readDue()
  expect(asked()).toBe(before + 1)
  await clock.advance(6 * dayMs)
  await readDue()
  expect(asked()).toBe(before + 4)
  expect(await services.db.sql`select 1 from registry_names where due_at <= ${readAt}::text::timestamptz`).toHaveLength(0)
})

test('R-REG-05 the registrar’s expiry takes precedence over the registry’s, which returns when the registrar is deleted; such names are not queried', async () => {
  const { call, add, shown, services, accountId, user } = await stage()
  register('both.com', 300)
  const id = await add('both.com')
  await readNew()
  expect((await shown(id)).paidSource).toBe('registry')

  const end = inDays(123).getTime()
  atPorkbun('both.com', end)
  const { registrar } = await call.registrars.create(porkbun)
  await syncDueRegistrars(services, signal)
  const known = await shown(id)
  expect(known).toMatchObject({ paidUntil: new Date(end).toISOString(), paidSource: 'registrar' })
  expect((await call.registry.ofDomain({ id })).paid).toMatchObject({ source: 'registrar', registrar: 'Pork', readAt: known.paidReadAt })
  const before = asked()
  await clock.advance(8 * dayMs)
  await readDue()
  expect(asked()).toBe(before)
  expect(await services.db.sql`select 1 from registry_names`).toHaveLength(0)

  await services.db.sql`update zones set registrar_id = null where id = ${id}`
  await call.registrars.remove({ id: registrar.id })
  expect(await shown(id)).toMatchObject({ paidUntil: null, paidSource: null })
  await readNew()
  expect((await shown(id)).paidSource).toBe('registry')
  // Data learned for another user's domain applies to a new domain of the same name immediately.
  const duplicate = await insertZone(services.db, { ownerId: user.id, accountId, name: 'both.com' })
  expect((await shown(duplicate.id)).paidSource).toBe('registry')
})

test('R-REG-05 a person can query the registry for one domain now; TLDs without RDAP, unknown names and timeouts are reported as such', async () => {
  const { call, add, services } = await stage()
  register('kept.com', 40)
  const [kept, russian, nobody] = [await add('kept.com'), await add('kept.ru'), await add('nobody.com')]
  expect(await call.registry.ask({ id: kept })).toMatchObject({ paid: { source: 'registry' }, registry: { state: 'found' } })
  expect(await call.registry.ask({ id: russian })).toMatchObject({ paid: null, registry: { state: 'not_offered' } })
  expect(await call.registry.ask({ id: nobody })).toMatchObject({ paid: null, registry: { state: 'not_found' } })
  const count = asked()
  await call.registry.ask({ id: kept })
  expect(asked()).toBe(count)

  await clock.advance(60_000)
  registry.simulator.registries[0].faults.add({ effect: { kind: 'success-false' } })
  const after = await call.registry.ask({ id: kept })
  expect(after).toMatchObject({ paid: { source: 'registry' }, registry: { state: 'found', fault: 'unreadable' } })
  const never = await add('never.com')
  expect(await call.registry.ask({ id: never })).toMatchObject({ registry: { state: 'unreachable', fault: 'unreadable', readAt: null } })

  const stranger = await signIn(services)
  await expect(stranger.call.registry.ask({ id: kept })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(stranger.call.registry.ofDomain({ id: kept })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('R-REG-05 processes share the names: each is queried once, and a dead process’s names are taken over', async () => {
  const { add, services } = await stage()
  const names = Array.from({ length: 30 }, (_, index) => `shared-${index}.${index % 2 === 0 ? 'com' : 'org'}`)
  for (const name of names) {
    register(name, 100)
    await add(name)
  }
  await takeUpNames(services)
  await clock.advance(60_000)
  // Another process claims some of them and dies.
  const now = new Date(clock.now())
  const dead = new Error('it dies')
  const claiming = services.db.orm.transaction(async (tx) => {
    const claim = { now, until: new Date(clock.now() + dayMs), except: [], tlds: 40, perTld: 5 }
    expect(await claimDue(tx, claim)).toHaveLength(10)
    await readDue()
    expect(asked()).toBe(20)
    throw dead
  })
  await expect(claiming).rejects.toBe(dead)
  const other = { ...services, registry: registry.connect() }
  await Promise.all([readDue(), readDue(other), readDue(), readDue(other)])
  expect(asked()).toBe(30)
  await other.registry.close()

  // A stopping process releases names that it has not queried.
  await clock.advance(8 * dayMs)
  const ending = new AbortController()
  ending.abort()
  await readDue(services, ending.signal)
  expect(asked()).toBe(30)
  await readDue()
  await readDue()
  expect(asked()).toBe(60)
})

test('R-REG-05 an unresponsive registry is queried for one name while the others wait; known expiries are kept', async () => {
  const { add, shown, services } = await stage()
  const ids: string[] = []
  for (const name of ['one.com', 'two.com', 'three.com', 'other.org']) {
    register(name, 100)
    ids.push(await add(name))
  }
  registry.simulator.registries[0].faults.add({ effect: { kind: 'rate-limited' } })
  await readNew()
  expect(registry.simulator.registries[0].journal.count()).toBe(1)
  expect((await shown(ids[3] ?? '')).paidSource).toBe('registry')
  registry.simulator.registries[0].faults.clear()
  expect(await readDue()).toBe(0)
  // The requested limit applies to the whole address, and the fake clock does not advance it.
  await services.db.sql`delete from call_budgets`
  await clock.advance(60 * 60_000)
  registry.simulator.registries[0].journal.reset()
  const later = registry.connect()
  await readDue({ ...services, registry: later })
  await later.close()
  expect(registry.simulator.registries[0].journal.count()).toBe(3)
  expect((await shown(ids[0] ?? '')).paidSource).toBe('registry')
})

test('pauses are a week, a day from a month before expiry, longer without RDAP, and double after each failure', () => {
  const now = Date.UTC(2027, 0, 1)
  const found = (days: number | null) =>
    pauseAfter(
      {
        state: 'found',
        expiresAt: days === null ? null : new Date(now + days * dayMs),
        statuses: [],
        registrar: null,
        nameServers: [],
      },
      now,
    ) / dayMs
  expect([400, 38, 33, 30, 5, 0, -59, -61, null].map(found)).toEqual([7, 7, 3, 1, 1, 1, 1, 7, 7])
  expect(pauseAfter({ state: 'not_offered' }, now)).toBe(30 * dayMs)
  expect([0, 1, 2, 20].map((failures) => pauseAfterFailures(failures, null) / 60_000)).toEqual([15, 30, 60, 1_440])
  expect(pauseAfterFailures(0, 3_600)).toBe(3_600_000)
})
