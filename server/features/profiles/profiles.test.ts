import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { buildApp } from '#server/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { recordsOf as simRecordsOf } from '#server/simulators/cloudflare/records.ts'
import type { profileFields } from '#shared/features/profiles/schema.ts'
import { getDefaultProfile } from './index.ts'

const count = 6
let panel: TestPanel
let app: FastifyInstance
let ann: SignedIn
let bob: SignedIn
/** Zone ids in the panel and the zones at the provider, in the same order. */
let ids: string[]
let sims: SimZone[]

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: count, accounts: 1, recordsPerZone: 4 } })
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

beforeEach(async () => {
  panel.simulator.reset()
  const { services } = panel
  await emptyTables(services.db, 'users')
  ann = await signIn(services)
  bob = await signIn(services)
  const { email, globalKey, accountId, userId } = panel.credential(0)
  const account = await insertAccount(
    services.db,
    { ownerId: ann.user.id, email, providerUserId: userId },
    { secrets: services.secrets, apiKey: globalKey },
  )
  const theirs = [...panel.simulator.state.zonesById.values()].filter((zone) => zone.account.id === accountId)
  const rows = await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, theirs.length, (at) => ({
    providerZoneId: theirs[at]?.id ?? '',
    name: theirs[at]?.name ?? '',
  }))
  ids = rows.map(({ id }) => id)
  sims = theirs
  for (const id of ids) await ann.call.zoneSettings.refresh({ id })
  panel.simulator.journal.reset()
})

const shop = {
  name: 'Shop',
  settings: { minTlsVersion: '1.3', alwaysUseHttps: true },
  records: [
    { type: 'A', name: '@', content: '198.51.100.7', ttl: 1, proxied: true },
    { type: 'CNAME', name: 'shop', content: '{{domain}}', ttl: 1, proxied: true },
    { type: 'TXT', name: '@', content: 'v=spf1 include:_spf.{{domain}} -all', ttl: 300, proxied: false },
  ],
} as const
const given: z.input<typeof profileFields> = { ...shop, records: [...shop.records] }
const create = (over: Partial<typeof given> = {}) => ann.call.profiles.create({ ...given, ...over }).then(({ profile }) => profile)

async function run(profileId: string, domainIds = ids) {
  const { operation, ...preview } = await ann.call.operations.preview({
    request: { kind: 'profile', input: { profileId } },
    target: { ids: domainIds },
  })
  const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  await ann.call.operations.start({ id: operation.id })
  return { preview, ...(await ended(operation.id)) }
}
const itemsOf = (id: string) => ann.call.operations.items({ id, limit: 1_000 })
async function ended(id: string) {
  await expect.poll(async () => (await itemsOf(id)).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  return itemsOf(id)
}
const recordsOf = (zone: SimZone) => simRecordsOf(panel.simulator.state, zone).map(({ type, name, content }) => ({ type, name, content }))
const settingOf = (zone: SimZone, id: string) => panel.simulator.state.changesOf(zone).settings.get(id)?.value
const first = (): { id: string; sim: SimZone } => {
  const [[id], [sim]] = [ids, sims]
  if (id === undefined || sim === undefined) throw new Error('the world is empty')
  return { id, sim }
}

describe('a profile', () => {
  test('is stored as given, and its change, copy and deletion are in the activity log', async () => {
    const profile = await create()
    expect(profile).toMatchObject({ ...given, isDefault: false, domains: 0, ownerId: ann.user.id })
    await ann.call.profiles.update({ id: profile.id, name: 'Store' })
    const { profile: copy } = await ann.call.profiles.duplicate({ id: profile.id })
    expect(copy).toMatchObject({ name: 'Store 2', settings: given.settings, records: given.records })
    expect((await ann.call.profiles.duplicate({ id: copy.id })).profile.name).toBe('Store 3')
    await ann.call.profiles.remove({ id: copy.id })
    expect((await ann.call.profiles.list()).profiles.map(({ name }) => name)).toEqual(['Store', 'Store 3'])
    const log = await panel.services.db.sql`select action, entity_name from activity where entity_type = 'profile' order by id`
    expect(log.map((row) => `${String(row['action'])} ${String(row['entityName'])}`)).toEqual([
      'create Shop',
      'update Store',
      'create Store 2',
      'create Store 3',
      'delete Store 2',
    ])
  })

  test('a name is unique per owner, ignoring case', async () => {
    const { id } = await create()
    await expect(create({ name: 'SHOP' })).rejects.toMatchObject({ cause: { issues: [{ path: 'name', message: 'name_taken' }] } })
    const other = await create({ name: 'Other' })
    await expect(ann.call.profiles.update({ id: other.id, name: 'shop' })).rejects.toThrow('validation_failed')
    await expect(ann.call.profiles.update({ id, name: 'SHOP' })).resolves.toBeDefined()
    await expect(bob.call.profiles.create(given)).resolves.toBeDefined()
  })

  test('a name in another script is unique too, ignoring case', async () => {
    const { id } = await create({ name: 'Магазин' })
    const taken = { cause: { issues: [{ path: 'name', message: 'name_taken' }] } }
    await expect(create({ name: 'МАГАЗИН' })).rejects.toMatchObject(taken)
    const other = await create({ name: 'ἈΘΗΝΑ' })
    await expect(ann.call.profiles.update({ id: other.id, name: 'магазин' })).rejects.toThrow('validation_failed')
    await expect(create({ name: 'ἀθηνα' })).rejects.toMatchObject(taken)
    await expect(ann.call.profiles.update({ id, name: 'магазин' })).resolves.toBeDefined()
    await expect(bob.call.profiles.create({ ...given, name: 'Магазин' })).resolves.toBeDefined()
    const made = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => create({ name: n % 2 === 0 ? 'Ёлка' : 'ёлка' })))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a value that no domain could have is refused with its path', async () => {
    const bad = { type: 'A', name: 'www', content: 'no address', ttl: 1, proxied: true } as const
    await expect(ann.call.profiles.create({ ...given, records: [bad] })).rejects.toThrow(/record_ipv4/)
    await expect(ann.call.profiles.create({ name: 'Nothing', settings: {}, records: [] })).rejects.toThrow(/profile_empty/)
    const alias = { type: 'CNAME', name: 'www', content: '{{domain}}', ttl: 1, proxied: true } as const
    await expect(ann.call.profiles.create({ ...given, records: [alias, { ...bad, content: '192.0.2.1' }] })).rejects.toThrow(
      /profile_cname_conflict/,
    )
    const { id } = await create({ records: [] })
    await expect(ann.call.profiles.update({ id, settings: {} })).rejects.toThrow('validation_failed')
  })

  test('an owner has one default, and a new default replaces it', async () => {
    const [shopId, other] = [(await create()).id, (await create({ name: 'Other' })).id]
    expect(await getDefaultProfile(panel.services, ann.user.id)).toBeNull()
    await ann.call.profiles.setDefault({ id: shopId, isDefault: true })
    await ann.call.profiles.setDefault({ id: other, isDefault: true })
    expect((await getDefaultProfile(panel.services, ann.user.id))?.id).toBe(other)
    expect((await ann.call.profiles.list()).profiles.filter(({ isDefault }) => isDefault)).toHaveLength(1)
    await ann.call.profiles.setDefault({ id: other, isDefault: false })
    expect(await getDefaultProfile(panel.services, ann.user.id)).toBeNull()
    expect(await getDefaultProfile(panel.services, bob.user.id)).toBeNull()
  })

  test('is visible only to its owner and to administrators, who see the owner', async () => {
    const { id } = await create()
    await expect(bob.call.profiles.get({ id })).rejects.toThrow('not_found')
    expect((await bob.call.profiles.list()).profiles).toEqual([])
    const admin = await signIn(panel.services, { role: 'admin' })
    expect((await admin.call.profiles.list()).profiles).toEqual([expect.objectContaining({ id, ownerName: ann.user.username })])
  })
})

describe('a profile applied to many domains', () => {
  test('the preview shows both sides; afterwards every domain matches the profile and has it', async () => {
    const { id } = await create()
    const { operation, preview, items } = await run(id)
    expect(operation).toMatchObject({ total: count, done: count, failed: 0, skipped: 0 })
    expect(preview).toMatchObject({ unchanged: 0 })
    expect(items[0]?.plan.after).toMatchObject({ profile: 'Shop', settings: { minTlsVersion: '1.3' } })
    for (const sim of sims) {
      expect(settingOf(sim, 'min_tls_version')).toBe('1.3')
      const records = recordsOf(sim)
      expect(records.filter(({ type, name }) => name === sim.name && ['A', 'AAAA', 'CNAME'].includes(type))).toEqual([
        { type: 'A', name: sim.name, content: '198.51.100.7' },
      ])
      expect(records).toContainEqual({ type: 'CNAME', name: `shop.${sim.name}`, content: sim.name })
      expect(records.filter(({ content }) => content.includes('v=spf1'))).toHaveLength(1)
    }
    expect((await ann.call.profiles.get({ id })).profile.domains).toBe(count)
    expect(await ann.call.profiles.differing({ id })).toEqual({ domains: count, differing: 0, unread: 0 })
    await expect(run(id)).rejects.toThrow('nothing_to_do')
  })

  test('a second attempt after the first took effect changes nothing', async () => {
    const { id } = await create()
    const { items } = await run(id)
    const before = sims.map(recordsOf)
    panel.simulator.journal.reset()
    await panel.services.db.sql`update operation_items set state = 'pending' where state = 'done'`
    const [operation] = await panel.services.db.sql`update operations set state = 'queued', finished_at = null returning id`
    await panel.services.db.sql`select pg_notify('operations', '')`
    expect((await ended(String(operation?.['id']))).operation).toMatchObject({ done: items.length, failed: 0 })
    expect(sims.map(recordsOf)).toEqual(before)
    expect(panel.simulator.journal.count({ method: 'POST' })).toBe(0)
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(0)
  })

  test('a domain that changed after the preview is not touched at all', async () => {
    const { id: profileId } = await create()
    const { id } = first()
    const { operation } = await ann.call.operations.preview({ request: { kind: 'profile', input: { profileId } }, target: { ids: [id] } })
    await ann.call.zoneSettings.update({ id, minTlsVersion: '1.1' })
    panel.simulator.journal.reset()
    const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
    onTestFinished(() => runner.stop())
    await ann.call.operations.start({ id: operation.id })
    expect((await ended(operation.id)).items).toEqual([expect.objectContaining({ state: 'skipped', code: 'changed_since' })])
    expect(panel.simulator.journal.count({ method: 'PATCH' }) + panel.simulator.journal.count({ method: 'POST' })).toBe(0)
    expect((await ann.call.profiles.ofDomain({ id })).profile).toBeNull()
  })

  test('it can be undone like any other change', async () => {
    const { id: profileId } = await create()
    const sorted = (sim: SimZone) =>
      recordsOf(sim).toSorted((a, b) => `${a.type}${a.name}${a.content}`.localeCompare(`${b.type}${b.name}${b.content}`))
    const before = sims.map(sorted)
    const { operation } = await run(profileId)
    expect(sims.map(sorted)).not.toEqual(before)
    const undo = await ann.call.operations.previewUndo({ id: operation.id })
    await ann.call.operations.start({ id: undo.operation.id })
    expect((await ended(undo.operation.id)).operation).toMatchObject({ done: count, failed: 0 })
    expect(sims.map(sorted)).toEqual(before)
    expect((await ann.call.profiles.get({ id: profileId })).profile.domains).toBe(0)
  })

  test('the undo shows both sides and restores the previous profile', async () => {
    const older = await create({ name: 'Older', settings: { minTlsVersion: '1.1' }, records: [] })
    await run(older.id)
    const { operation } = await run((await create()).id)
    const undo = await ann.call.operations.previewUndo({ id: operation.id })
    const { items } = await itemsOf(undo.operation.id)
    expect(items[0]?.plan).toMatchObject({
      before: { profile: 'Shop', settings: { minTlsVersion: '1.3' } },
      after: { profile: 'Older', settings: { minTlsVersion: '1.1' } },
    })
    await ann.call.operations.start({ id: undo.operation.id })
    await ended(undo.operation.id)
    expect(await ann.call.profiles.ofDomain({ id: first().id })).toMatchObject({
      profile: { name: 'Older' },
      difference: { settings: [], records: [] },
    })
  })

  test('a profile deleted in the meantime is not restored, while the rest of the domain is', async () => {
    const older = await create({ name: 'Older', settings: { minTlsVersion: '1.1' }, records: [] })
    await run(older.id)
    const { operation } = await run((await create()).id)
    await ann.call.profiles.remove({ id: older.id })
    const undo = await ann.call.operations.previewUndo({ id: operation.id })
    await ann.call.operations.start({ id: undo.operation.id })
    expect((await ended(undo.operation.id)).operation).toMatchObject({ done: count, failed: 0 })
    expect(settingOf(first().sim, 'min_tls_version')).toBe('1.1')
  })

  test('R-PRM-02 profiles and domains of other users are not found or changed', async () => {
    const theirs = (await bob.call.profiles.create(given)).profile.id
    const preview = (who: SignedIn, profileId: string) =>
      who.call.operations.preview({ request: { kind: 'profile', input: { profileId } }, target: { ids } })
    await expect(preview(ann, theirs)).rejects.toThrow('not_found')
    await expect(preview(bob, theirs)).rejects.toThrow('not_found')
    const admin = await signIn(panel.services, { role: 'admin' })
    const { operation } = await preview(admin, theirs)
    expect(operation).toMatchObject({ total: count, skipped: count })
  })
})

describe('differences between a domain and its profile', () => {
  test('are reported by setting and record after an outside change, and counted', async () => {
    const { id: profileId } = await create()
    await run(profileId)
    const { id, sim } = first()
    expect(await ann.call.profiles.ofDomain({ id })).toMatchObject({
      profile: { id: profileId, name: 'Shop' },
      difference: { settings: [], records: [] },
    })
    await ann.call.zoneSettings.update({ id, minTlsVersion: '1.0' })
    const { records } = await ann.call.records.list({ id })
    const alias = records.find(({ name }) => name === `shop.${sim.name}`)
    await ann.call.records.remove({ id, recordId: alias?.id ?? '' })
    expect((await ann.call.profiles.ofDomain({ id })).difference).toEqual({
      settings: [{ key: 'minTlsVersion', before: '1.0', after: '1.3' }],
      records: [
        { before: null, after: expect.objectContaining({ type: 'CNAME', name: `shop.${sim.name}`, content: sim.name }) as unknown },
      ],
      rules: [],
      areRulesRead: true,
    })
    expect(await ann.call.profiles.differing({ id: profileId })).toEqual({ domains: count, differing: 1, unread: 0 })
    const page = await ann.call.profiles.domains({ id: profileId, limit: 4 })
    const rest = await ann.call.profiles.domains({ id: profileId, limit: 4, cursor: page.nextCursor ?? '' })
    const all = [...page.domains, ...rest.domains]
    expect(all.map(({ domain }) => domain)).toEqual(sims.map(({ name }) => name).toSorted())
    expect(all.filter(({ differs }) => differs !== 0)).toEqual([{ id, domain: sim.name, differs: 2 }])
  })

  test('a domain can be detached from its profile and stays unchanged', async () => {
    const { id: profileId } = await create()
    await run(profileId)
    const { id } = first()
    panel.simulator.journal.reset()
    await ann.call.profiles.forget({ id })
    await ann.call.profiles.forget({ id })
    expect(await ann.call.profiles.ofDomain({ id })).toEqual({ profile: null, difference: null, problem: null, fullPhases: [] })
    expect(panel.simulator.journal.count({})).toBe(0)
    expect(await ann.call.profiles.remove({ id: profileId })).toEqual({ domains: count - 1 })
  })
})

describe('R-API-01 profiles over REST', () => {
  const rest = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, who = ann) =>
    app.inject({ method, url: `/api${path}`, headers: who.headers, ...(payload && { payload }) })

  test('are created, read, changed, copied, made the default and deleted', async () => {
    const made = await rest('POST', '/profiles', given)
    expect(made.statusCode).toBe(201)
    const { profile } = made.json<{ profile: { id: string } }>()
    const { id } = profile
    expect(profile).toMatchObject({ ...given, isDefault: false, domains: 0 })
    expect((await rest('GET', `/profiles/${id}`)).json()).toEqual({ profile })
    const patched = await rest('PATCH', `/profiles/${id}`, { settings: { ssl: 'full' } })
    expect([patched.statusCode, patched.json()]).toMatchObject([
      200,
      { profile: { name: 'Shop', settings: { ssl: 'full' }, records: given.records } },
    ])
    const copy = await rest('POST', `/profiles/${id}/duplicate`)
    expect([copy.statusCode, copy.json()]).toMatchObject([201, { profile: { name: 'Shop 2', settings: { ssl: 'full' } } }])
    expect((await rest('POST', `/profiles/${id}/default`, { isDefault: true })).json()).toMatchObject({ profile: { id, isDefault: true } })
    const list = (await rest('GET', '/profiles')).json<{ profiles: { name: string; isDefault: boolean }[] }>()
    expect(list.profiles.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Shop', true],
      ['Shop 2', false],
    ])
    const gone = await rest('DELETE', `/profiles/${id}`)
    expect([gone.statusCode, gone.json()]).toEqual([200, { domains: 0 }])
    expect((await rest('GET', `/profiles/${id}`)).statusCode).toBe(404)
  })

  test('list their domains and the differences of each; a domain can be detached', async () => {
    const { id: profileId } = await create()
    await run(profileId)
    const { id, sim } = first()
    await ann.call.zoneSettings.update({ id, minTlsVersion: '1.0' })
    const page = (await rest('GET', `/profiles/${profileId}/zones?limit=2`)).json<{ domains: object[]; nextCursor: string }>()
    expect(page.domains).toHaveLength(2)
    const others = await rest('GET', `/profiles/${profileId}/zones?limit=500&cursor=${page.nextCursor}`)
    expect(others.json()).toMatchObject({ nextCursor: null })
    const all = [...page.domains, ...others.json<{ domains: object[] }>().domains]
    expect(all).toHaveLength(count)
    expect(all).toContainEqual({ id, domain: sim.name, differs: 1 })
    expect((await rest('GET', `/zones/${id}/profile`)).json()).toMatchObject({
      profile: { id: profileId, name: 'Shop' },
      difference: { settings: [{ key: 'minTlsVersion', before: '1.0', after: '1.3' }], records: [] },
    })
    expect((await rest('DELETE', `/zones/${id}/profile`)).statusCode).toBeLessThan(300)
    expect((await rest('GET', `/zones/${id}/profile`)).json()).toEqual({ profile: null, difference: null, problem: null, fullPhases: [] })
  })

  test('R-PRM-02 of other users are not found, and errors are reported with their path', async () => {
    const { id } = await create()
    const zone = ids[0] ?? ''
    for (const [method, path, payload] of [
      ['GET', `/profiles/${id}`],
      ['PATCH', `/profiles/${id}`, { name: 'Mine' }],
      ['POST', `/profiles/${id}/duplicate`],
      ['POST', `/profiles/${id}/default`, { isDefault: true }],
      ['GET', `/profiles/${id}/zones`],
      ['DELETE', `/profiles/${id}`],
      ['GET', `/zones/${zone}/profile`],
      ['DELETE', `/zones/${zone}/profile`],
    ] as const) {
      expect([method, path, (await rest(method, path, payload, bob)).statusCode]).toEqual([method, path, 404])
    }
    const refused = await rest('POST', '/profiles', { ...given, records: [{ type: 'A', name: '@', content: 'nonsense' }] })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { code: 'validation_failed', issues: [{ path: 'records.0.content' }] },
    ])
    expect((await rest('GET', '/profiles', undefined, bob)).json()).toEqual({ profiles: [] })
  })
})
