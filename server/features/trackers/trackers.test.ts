import { afterEach, expect, test } from 'vitest'
import { trackerBindings } from '#server/db/schema/index.ts'
import { createLog } from '#server/platform/log.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZone, insertZones } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function stage() {
  const logged: string[] = []
  const test = await createTestServices({ log: createLog('trace', { write: (line) => void logged.push(line) }) })
  closers.push(() => test.close())
  return { ...test, logged }
}

const apiKey = 'key-of-the-tracker'
const keitaro = { kind: 'KEITARO', name: 'Main', url: 'https://tracker.example/', apiKey } as const
const binom = { kind: 'BINOM', name: 'Other', url: 'https://binom.example', apiKey } as const
const issue = (path: string, message: string) => ({ cause: { code: 'validation_failed', issues: [{ path, message }] } })

test('R-TRK-01 a tracker has an address and a key, is on with both, and its connection is always idle', async () => {
  const { services } = await stage()
  const { call, user } = await signIn(services)
  await expect(call.trackers.create({ ...keitaro, apiKey: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(call.trackers.create({ ...keitaro, url: 'ftp://tracker.example' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(call.trackers.create({ ...keitaro, addresses: ['300.1.1.1'] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const { tracker } = await call.trackers.create({
    ...keitaro,
    name: '  Main ',
    addresses: ['192.0.2.7', '2001:DB8:0:0:0:0:0:1', '192.0.2.7'],
  })
  expect(tracker).toMatchObject({
    ownerId: user.id,
    kind: 'KEITARO',
    name: 'Main',
    url: 'https://tracker.example',
    hasKey: true,
    enabled: true,
    connection: 'idle',
    isDefault: true,
    addresses: ['192.0.2.7', '2001:db8::1'],
    domainsCount: 0,
    boundCount: 0,
    sync: { state: 'queued', syncedAt: null },
  })
  const off = await call.trackers.update({ id: tracker.id, enabled: false })
  expect(off.tracker).toMatchObject({ url: null, hasKey: false, enabled: false, connection: 'idle', sync: { state: 'idle', nextAt: null } })
  await expect(call.trackers.sync({ id: tracker.id })).rejects.toMatchObject({ cause: { code: 'tracker_disabled' } })
  const on = await call.trackers.update({ id: tracker.id, url: 'https://other.example/path/', apiKey })
  expect(on.tracker).toMatchObject({ url: 'https://other.example/path', enabled: true, connection: 'idle', sync: { state: 'queued' } })
})

test('R-TRK-01 the first tracker of a kind is its default; another can replace it, and the oldest takes over when it is deleted', async () => {
  const { services } = await stage()
  const { call } = await signIn(services)
  const add = async (given: object) => (await call.trackers.create({ ...keitaro, ...given })).tracker
  const defaults = async () => (await call.trackers.list({})).trackers.filter(({ isDefault }) => isDefault).map(({ name }) => name)
  const one = await add({ name: 'One' })
  const two = await add({ name: 'Two', url: 'https://two.example' })
  await add({ ...binom, name: 'B' })
  expect(await defaults()).toEqual(['B', 'One'])
  await call.trackers.update({ id: two.id, isDefault: true })
  expect(await defaults()).toEqual(['B', 'Two'])
  const three = await add({ name: 'Three', url: 'https://three.example', isDefault: true })
  expect(await defaults()).toEqual(['B', 'Three'])
  await call.trackers.remove({ id: three.id })
  expect(await defaults()).toEqual(['B', 'One'])
  await call.trackers.remove({ id: two.id })
  expect(await defaults()).toEqual(['B', 'One'])
  expect((await call.trackers.get({ id: one.id })).tracker.isDefault).toBe(true)
})

test('R-TRK-01 a person can add an address only once and has at most 50 trackers', async () => {
  const { services } = await stage()
  const { call } = await signIn(services)
  const { tracker } = await call.trackers.create(keitaro)
  const duplicate = { cause: { code: 'tracker_exists', params: { name: 'Main' } } }
  await expect(call.trackers.create({ ...keitaro, name: 'Again', url: 'https://TRACKER.example//?page=1#x' })).rejects.toMatchObject(
    duplicate,
  )
  // A page of a tracker is not another tracker.
  await expect(call.trackers.create({ ...keitaro, name: 'Page', url: 'https://tracker.example/admin/' })).rejects.toMatchObject(duplicate)
  const { tracker: other } = await call.trackers.create(binom)
  await expect(call.trackers.update({ id: other.id, url: keitaro.url, apiKey })).rejects.toMatchObject(duplicate)
  await expect(call.trackers.update({ id: tracker.id, url: keitaro.url })).resolves.toBeDefined()
  await expect((await signIn(services)).call.trackers.create(keitaro)).resolves.toBeDefined()

  // Concurrent calls are counted one after another.
  const all = await Promise.allSettled(
    Array.from({ length: 55 }, (_, index) => call.trackers.create({ ...keitaro, url: `https://t${index}.example` })),
  )
  const refused = all.filter((each) => each.status === 'rejected').map((each): unknown => each.reason)
  expect(refused).toHaveLength(7)
  expect(refused[0]).toMatchObject({ cause: { code: 'too_many_trackers', params: { max: 50 } } })
})

test('R-TRK-01 the four fields edit the default tracker of each kind and create it if there is none', async () => {
  const { services } = await stage()
  const { call } = await signIn(services)
  const nothing = { keitaroUrl: null, keitaroApiKeyConfigured: false, binomUrl: null, binomApiKeyConfigured: false }
  const offAndIdle = { enabled: false, connection: 'idle' }
  expect((await call.trackers.settings({})).settings).toEqual({ ...nothing, keitaro: offAndIdle, binom: offAndIdle })
  const set = async (input: Parameters<typeof call.trackers.updateSettings>[0]) => (await call.trackers.updateSettings(input)).settings
  expect(await set({ keitaroUrl: keitaro.url, keitaroApiKey: apiKey })).toMatchObject({
    keitaroUrl: 'https://tracker.example',
    keitaroApiKeyConfigured: true,
    keitaro: { enabled: true, connection: 'idle' },
    binom: offAndIdle,
  })
  expect((await call.trackers.list({})).trackers).toMatchObject([{ kind: 'KEITARO', name: 'Keitaro', isDefault: true }])
  // An incomplete tracker is stored and off.
  expect(await set({ binomUrl: binom.url })).toMatchObject({ binomUrl: 'https://binom.example', binom: offAndIdle })
  expect(await set({ binomApiKey: apiKey })).toMatchObject({ binomApiKeyConfigured: true, binom: { enabled: true } })
  expect(await set({ binomApiKey: '' })).toMatchObject({ binomApiKeyConfigured: false, binom: offAndIdle })
  expect(await set({ keitaroUrl: '', keitaroApiKey: null })).toMatchObject({ ...nothing, binomUrl: 'https://binom.example' })
  expect((await call.trackers.list({})).trackers).toHaveLength(2)
  await expect(set({ binomUrl: 'https://elsewhere.example' })).resolves.toMatchObject({ binomUrl: 'https://elsewhere.example' })
})

test('R-PRM-04 a key is sent only to the host it was entered for: a new address requires it again', async () => {
  const { services } = await stage()
  const { call } = await signIn(services)
  const { tracker } = await call.trackers.create(keitaro)
  const { id } = tracker
  for (const url of [
    'https://evil.example',
    'http://tracker.example',
    'https://tracker.example:8443',
    'https://tracker.example@evil.example',
  ]) {
    await expect(call.trackers.update({ id, url, apiKey: '' })).rejects.toMatchObject(issue('apiKey', 'key_for_address'))
    await expect(call.trackers.test({ id, kind: 'KEITARO', url })).rejects.toMatchObject(issue('apiKey', 'key_for_address'))
    await expect(call.trackers.updateSettings({ keitaroUrl: url })).rejects.toMatchObject(issue('keitaroApiKey', 'key_for_address'))
  }
  // Clearing the address first does not work around it either.
  await call.trackers.updateSettings({ keitaroUrl: null })
  await expect(call.trackers.update({ id, url: 'https://evil.example' })).rejects.toMatchObject(issue('apiKey', 'key_for_address'))
  await expect(call.trackers.update({ id, url: 'https://evil.example', apiKey: 'another' })).resolves.toBeDefined()
  // A path on the same host is the same tracker.
  await expect(call.trackers.update({ id, url: 'https://evil.example/tracker' })).resolves.toMatchObject({ tracker: { hasKey: true } })
})

test('R-PRM-04 R-TRK-01 the key is in no response, log or entry, and is shown to its owner only by a logged call', async () => {
  const { services, logged } = await stage()
  const { call } = await signIn(services)
  const { tracker } = await call.trackers.create(keitaro)
  const { id } = tracker
  const changed = await call.trackers.update({ id, name: 'Renamed', apiKey: '' })
  const answers = [tracker, changed, await call.trackers.list({}), await call.trackers.settings({}), await call.trackers.get({ id })]
  const entries = await services.db.sql`select action, entity_type, details from activity order by id`
  const [kept] = await services.db.sql<{ row: string }[]>`select t::text as row from trackers t`
  expect(JSON.stringify([answers, entries, kept, logged])).not.toContain(apiKey)
  expect(entries).toMatchObject([
    { action: 'create', entityType: 'tracker', details: { kind: 'KEITARO', url: 'https://tracker.example' } },
    { action: 'update', entityType: 'tracker', details: { name: { from: 'Main', to: 'Renamed' } } },
  ])
  expect(await call.trackers.reveal({ id })).toEqual({ apiKey })
  const [shown] = await services.db.sql`select action, entity_type from activity order by id desc limit 1`
  expect(shown).toEqual({ action: 'reveal', entityType: 'tracker' })
})

test('deleting a tracker releases its domains; the log entry counts them', async () => {
  const { services } = await stage()
  const { call, user } = await signIn(services)
  const { tracker } = await call.trackers.create(keitaro)
  const account = await insertAccount(services.db, { ownerId: user.id })
  const zones = await insertZones(services.db, { ownerId: user.id, accountId: account.id }, 3)
  await services.db.orm
    .insert(trackerBindings)
    .values(zones.map(({ id: domainId }) => ({ domainId, trackerId: tracker.id, remoteId: domainId })))
  expect((await call.trackers.get({ id: tracker.id })).tracker.boundCount).toBe(3)
  const [zone] = zones
  const ofDomain = () => call.trackers.ofDomain({ id: zone?.id ?? '' })
  expect(await ofDomain()).toMatchObject({ binding: { tracker: { id: tracker.id, name: 'Main' }, domain: null, pending: false } })
  await call.trackers.remove({ id: tracker.id })
  expect(await ofDomain()).toEqual({ binding: null })
  expect(await services.db.sql`select distinct tracker_type from zones`).toEqual([{ trackerType: null }])
  const [entry] = await services.db.sql`select action, details from activity order by id desc limit 1`
  expect(entry).toMatchObject({ action: 'delete', details: { kind: 'KEITARO', unbound: 3 } })
})

test('R-PRM-02 another person’s tracker is not found; an administrator sees all, each next to its owner', async () => {
  const { services } = await stage()
  const { call, user } = await signIn(services)
  const stranger = await signIn(services)
  const admin = await signIn(services, { role: 'admin' })
  const { tracker } = await call.trackers.create(keitaro)
  const { id } = tracker
  const account = await insertAccount(services.db, { ownerId: user.id })
  const zone = await insertZone(services.db, { ownerId: user.id, accountId: account.id })
  const ownerId = user.id
  expect((await stranger.call.trackers.list({})).trackers).toEqual([])
  expect((await stranger.call.trackers.list({ ownerId })).trackers).toEqual([])
  expect((await stranger.call.trackers.reserve({ ownerId })).domains).toEqual([])
  expect((await stranger.call.trackers.reconcile({ ownerId, state: 'not_bound' })).rows).toEqual([])
  for (const tried of [
    () => stranger.call.trackers.get({ id }),
    () => stranger.call.trackers.update({ id, name: 'Stolen' }),
    () => stranger.call.trackers.remove({ id }),
    () => stranger.call.trackers.reveal({ id }),
    () => stranger.call.trackers.test({ id, kind: 'KEITARO' }),
    () => stranger.call.trackers.sync({ id }),
    () => stranger.call.trackers.choices({ id }),
    () => stranger.call.trackers.settings({ ownerId }),
    () => stranger.call.trackers.updateSettings({ ownerId, keitaroUrl: 'https://evil.example', keitaroApiKey: 'x' }),
    () => stranger.call.trackers.ofDomain({ id: zone.id }),
    () => stranger.call.trackers.addReserve({ zoneIds: [zone.id] }),
    () => stranger.call.trackers.removeReserve({ zoneIds: [zone.id] }),
  ]) {
    await expect(tried()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  expect((await admin.call.trackers.list({})).trackers).toMatchObject([{ id }])
  expect((await admin.call.trackers.reconcile({ ownerId, state: 'not_bound' })).rows).toHaveLength(1)
  expect((await admin.call.trackers.updateSettings({ ownerId, binomUrl: binom.url, binomApiKey: apiKey })).settings.binom.enabled).toBe(
    true,
  )
  expect((await call.trackers.list({})).trackers).toHaveLength(2)
  expect((await admin.call.trackers.settings({})).settings.binomUrl).toBeNull()
})
