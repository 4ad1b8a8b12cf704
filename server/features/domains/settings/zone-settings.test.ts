import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DomainFilter } from '#shared/features/domains/schema.ts'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertGroup, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'

let panel: TestPanel
let app: FastifyInstance
let anna: SignedIn
let boris: SignedIn
/** The zone at the provider, and the panel's id of it. */
let sim: SimZone
let id: string
let accountId: string
/** Runs after each successful purge call. */
let afterPurge: () => unknown

beforeAll(async () => {
  panel = await createTestPanel({
    world: { zones: 10, accounts: 1, recordsPerZone: 4 },
    around: (host) => ({
      ...host,
      connect: (credential, userId) => {
        const connection = host.connect(credential, userId)
        return { ...connection, purgeCache: (...call) => connection.purgeCache(...call).then(() => void afterPurge()) }
      },
    }),
  })
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

/** Adds a simulated zone as a sync would, optionally with another credential. */
async function add(name: string, credential: { readonly apiToken?: string } = {}) {
  const [theirs] = panel.simulator.state.zonesNamed(name)
  if (theirs === undefined) throw new Error('the world has no such zone')
  const { email, globalKey } = panel.credential(0)
  const { services } = panel
  const account = await insertAccount(
    services.db,
    { ownerId: anna.user.id, email, kind: credential.apiToken === undefined ? 'global_key' : 'api_token' },
    { secrets: services.secrets, apiKey: credential.apiToken ?? globalKey },
  )
  const owner = { ownerId: anna.user.id, accountId: account.id }
  const row = await insertZone(services.db, {
    ...owner,
    providerZoneId: theirs.id,
    name: theirs.name,
    status: theirs.status === 'active' ? 'active' : 'pending',
    nameServers: [...theirs.nameServers],
  })
  return { id: row.id, accountId: account.id }
}

beforeEach(async () => {
  panel.simulator.reset()
  afterPurge = () => undefined
  await emptyTables(panel.services.db, 'users', 'activity')
  anna = await signIn(panel.services, { name: 'Anna', role: 'user' })
  boris = await signIn(panel.services, { name: 'Boris', role: 'user' })
  const [first] = panel.simulator.state.zonesById.values()
  if (first === undefined) throw new Error('an empty world')
  sim = first
  ;({ id, accountId } = await add(sim.name))
})

const aNumber: unknown = expect.any(Number)
const aText: unknown = expect.any(String)
const something: unknown = expect.anything()
const refusal = (cause: object) => ({ cause })
interface Entry {
  subject: string
  key: string
  before: unknown
  after: unknown
  source: string
  actor: string
}
const history = () =>
  panel.services.db.sql<
    Entry[]
  >`select subject::text, key, before, after, source::text, actor_name as actor from zone_changes where zone_id = ${id} order by at, id`
const activity = () =>
  panel.services.db
    .sql`select action::text, entity_name as name, details from activity where entity_type = 'zone' and action in ('update', 'delete') order by id`
const row = async () => {
  const [found] = await panel.services.db.sql`select * from zones where id = ${id}`
  return found ?? null
}
const patches = (setting?: string) =>
  panel.simulator.journal
    .recent()
    .filter(({ method, url }) => method === 'PATCH' && (setting === undefined || url.endsWith(`/settings/${setting}`))).length
const atProvider = (setting: string) => sim.changes?.settings.get(setting)?.value
const own = (setting: string, value: unknown) => applyEdit(panel.simulator.state, { kind: 'setting', zone: sim.id, setting, value })
const header = { enabled: true, maxAge: 2_592_000, includeSubDomains: true, preload: false, nosniff: true }
const rest = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  app.inject({ method, url: `/api/zones/${path}`, headers: anna.headers, ...(payload === undefined ? {} : { payload }) })

describe('R-DET-03 settings', () => {
  test.each([
    ['ssl', 'strict', 'ssl', 'strict', { sslMode: 'strict' }],
    ['minTlsVersion', '1.3', 'min_tls_version', '1.3', { tlsMin: '1.3' }],
    ['alwaysUseHttps', false, 'always_use_https', 'off', { https: false }],
    ['securityLevel', 'under_attack', 'security_level', 'under_attack', { securityLevel: 'under_attack' }],
    [
      'hsts',
      header,
      'security_header',
      {
        strict_transport_security: { enabled: true, max_age: 2_592_000, include_subdomains: true, preload: false, nosniff: true },
      },
      { hsts: true },
    ],
  ] as const)(
    'R-DET-03 %s is changed with a single call, read back, and written to history and audit log',
    async (key, value, setting, theirs, columns) => {
      if (key === 'alwaysUseHttps') own(setting, 'on')
      const { settings } = await anna.call.zoneSettings.update({ id, [key]: value })
      expect(atProvider(setting)).toEqual(theirs)
      expect(patches()).toBe(1)
      expect(await row()).toMatchObject(columns)
      expect(settings.values[setting]).toMatchObject({ value: theirs, editable: true })
      expect(settings.values[setting]?.modifiedOn).not.toBeNull()
      const [entry, ...others] = await history()
      expect(others).toEqual([])
      expect(entry).toMatchObject({ subject: 'setting', key: setting, after: { value: theirs }, source: 'panel', actor: anna.actor.name })
      expect(entry?.before).not.toEqual(entry?.after)
      expect(await activity()).toMatchObject([{ action: 'update', name: sim.name, details: { [key]: { to: theirs } } }])
    },
  )

  test('R-DET-03 the previous value comes from the mirror, without another call', async () => {
    own('ssl', 'full')
    await anna.call.zoneSettings.update({ id, ssl: 'strict' })
    const before = panel.simulator.journal.count()
    await anna.call.zoneSettings.update({ id, ssl: 'flexible' })
    expect(panel.simulator.journal.count() - before).toBe(1)
    expect((await history()).map((entry) => [entry.before, entry.after])).toEqual([
      [{ value: 'full' }, { value: 'strict' }],
      [{ value: 'strict' }, { value: 'flexible' }],
    ])
  })

  test('R-DET-03 an unchanged value is not recorded as a change', async () => {
    own('ssl', 'full')
    await anna.call.zoneSettings.update({ id, ssl: 'full' })
    expect(await history()).toEqual([])
    expect(await activity()).toEqual([])
    expect(await row()).toMatchObject({ sslMode: 'full' })
  })

  test('R-DET-03 when one of several settings is refused the others stay, and the error names it', async () => {
    // Not available on this plan.
    const refused = anna.call.zoneSettings.update({ id, ssl: 'origin_pull', minTlsVersion: '1.2', securityLevel: 'high' })
    await expect(refused).rejects.toMatchObject(
      refusal({
        code: 'provider_rejected',
        params: { setting: 'ssl', refused: 'ssl', applied: 'minTlsVersion,securityLevel' },
        provider: { code: '1007', message: 'Invalid value for zone setting ssl' },
      }),
    )
    // The previous values that were read before the changes are stored.
    expect(await row()).toMatchObject({ sslMode: 'full', tlsMin: '1.2', securityLevel: 'high' })
    expect((await history()).map((entry) => entry.key).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'min_tls_version',
      'security_level',
    ])
  })

  test('R-DET-03 a setting not available on the plan is refused without a call', async () => {
    await anna.call.zoneSettings.update({ id, ssl: 'strict' })
    await panel.services.db.sql`
      update zone_settings set "values" = jsonb_set("values", '{ssl,editable}', 'false') where zone_id = ${id}`
    const before = panel.simulator.journal.count()
    await expect(anna.call.zoneSettings.update({ id, ssl: 'full' })).rejects.toMatchObject(
      refusal({ code: 'setting_not_editable', params: { setting: 'ssl', refused: 'ssl', applied: '' } }),
    )
    expect(panel.simulator.journal.count()).toBe(before)
    expect(await row()).toMatchObject({ sslMode: 'strict' })
  })

  test('R-DET-03 a setting stored without its editable flag is shown as editable and can be sent', async () => {
    await anna.call.zoneSettings.update({ id, ssl: 'strict' })
    await panel.services.db.sql`update zone_settings set "values" = "values" #- '{ssl,editable}' where zone_id = ${id}`
    const { settings } = await anna.call.domains.settings({ id })
    expect(settings.values['ssl']).toMatchObject({ value: 'strict', editable: true })
    await anna.call.zoneSettings.update({ id, ssl: 'full' })
    expect(await row()).toMatchObject({ sslMode: 'full' })
  })

  test('R-DET-03 a refused key is tried once, not once per setting', async () => {
    panel.simulator.state.revokeKey(panel.credential(0).userId)
    await expect(anna.call.zoneSettings.update({ id, ssl: 'full', minTlsVersion: '1.2', hsts: header })).rejects.toMatchObject(
      refusal({ code: 'provider_auth', params: { refused: 'ssl,minTlsVersion,hsts', applied: '' } }),
    )
    expect(panel.simulator.journal.count()).toBe(1)
  })

  test('R-DET-03 an answer lost after the write is not a failure: the panel checks the result', async () => {
    own('ssl', 'full')
    await anna.call.zoneSettings.update({ id, ssl: 'flexible' })
    panel.simulator.faults.add({ method: 'PATCH', path: '*/settings/ssl', times: 1, effect: { kind: 'malformed-json' } })
    const { settings } = await anna.call.zoneSettings.update({ id, ssl: 'strict' })
    expect(settings.ssl).toBe('strict')
    expect(atProvider('ssl')).toBe('strict')
    expect((await history()).at(-1)).toMatchObject({ before: { value: 'flexible' }, after: { value: 'strict' } })
  })

  test('R-DET-03 an unavailable provider leaves the mirror unchanged', async () => {
    own('ssl', 'full')
    await anna.call.zoneSettings.update({ id, ssl: 'flexible' })
    panel.simulator.faults.add({ path: '*/settings/*', effect: { kind: 'server-error' } })
    await expect(anna.call.zoneSettings.update({ id, ssl: 'strict' })).rejects.toMatchObject(refusal({ code: 'provider_unavailable' }))
    expect(await row()).toMatchObject({ sslMode: 'flexible', settingsDueAt: something })
    expect(await history()).toHaveLength(1)
  })

  test('R-DET-03 concurrent changes of two users are both made and recorded, one after another', async () => {
    own('ssl', 'off')
    await anna.call.zoneSettings.update({ id, ssl: 'full' })
    await Promise.all([anna.call.zoneSettings.update({ id, ssl: 'strict' }), anna.call.zoneSettings.update({ id, ssl: 'flexible' })])
    const entries = await history()
    expect(entries).toHaveLength(3)
    expect(entries[1]?.before).toEqual({ value: 'full' })
    expect(entries[2]?.before).toEqual(entries[1]?.after)
    expect(await row()).toMatchObject({ sslMode: atProvider('ssl') })
  })

  test('R-DET-03 at least one setting must be given', async () => {
    await expect(anna.call.zoneSettings.update({ id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const answer = await rest('PATCH', `${id}/settings`, {})
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('Select at least one setting to change')])
  })

  test('PATCH /api/zones/{id}/settings accepts any subset and returns {settings}', async () => {
    const answer = await rest('PATCH', `${id}/settings`, { ssl: 'strict', hsts: header, developmentMode: true })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ settings: { ssl: 'strict', hsts: true, developmentMode: aNumber } })
  })

  test('POST /api/zones/settings/batch returns results in order and reports unknown zones individually', async () => {
    await anna.call.zoneSettings.update({ id, ssl: 'strict' })
    const nobody = '01a1fcdd-50f5-7bb3-90c9-934147e5e7fb'
    const answer = await rest('POST', 'settings/batch', { zoneIds: [nobody, id] })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      results: [
        { zoneId: nobody, error: { code: 'not_found' } },
        { zoneId: id, settings: { ssl: 'strict' } },
      ],
    })
    const { results } = await boris.call.zoneSettings.batch({ zoneIds: [id] })
    expect(results).toMatchObject([{ zoneId: id, error: { code: 'not_found' } }])
  })
})

describe('R-DET-04 certificates', () => {
  const universal = (enabled: boolean) => (panel.simulator.state.changesOf(sim).universalSsl = enabled)

  test('R-DET-04 the first call reads them, later ones use the mirror, and `fresh` reads them again', async () => {
    universal(true)
    const { ssl } = await anna.call.zoneSettings.ssl({ id })
    expect(ssl).toMatchObject({ universalEnabled: true, readAt: aText })
    const [certificate] = ssl.certificates
    expect(certificate).toMatchObject({ type: 'universal', validityDays: 90, hosts: [sim.name, `*.${sim.name}`] })
    expect(ssl.verification).toMatchObject([
      { certificateId: certificate?.id, records: [{ kind: 'cname', name: `_acme-challenge.${sim.name}` }] },
    ])
    const calls = panel.simulator.journal.count()
    await anna.call.zoneSettings.ssl({ id })
    expect(panel.simulator.journal.count()).toBe(calls)
    await anna.call.zoneSettings.ssl({ id, fresh: true })
    expect(panel.simulator.journal.count()).toBe(calls + 3)
    expect((await rest('GET', `${id}/ssl?fresh=true`)).json()).toMatchObject({ ssl: { universalEnabled: true } })
  })

  test.each([
    ['active', 'active'],
    ['pending_validation', 'pending_validation'],
    ['initializing', 'pending_validation'],
    ['validation_timed_out', 'pending_validation'],
    ['expired', 'expired'],
  ] as const)('R-DET-04 a pack that is %s is shown as %s', async (status, state) => {
    const day = 86_400_000
    const uploadedOnMs = Date.now() - (status === 'expired' ? 95 : 20) * day
    const changes = panel.simulator.state.changesOf(sim)
    changes.universalSsl = true
    changes.packs = [
      {
        id: 'a'.repeat(32),
        type: 'universal',
        hosts: [sim.name],
        status,
        authority: 'lets_encrypt',
        validationMethod: 'txt',
        validityDays: 90,
        uploadedOnMs,
        expiresOnMs: uploadedOnMs + 90 * day,
      },
    ]
    const { ssl } = await anna.call.zoneSettings.ssl({ id, fresh: true })
    const [certificate] = ssl.certificates
    expect(certificate).toMatchObject({ status, state, authority: 'lets_encrypt' })
    const issued = status === 'active' || status === 'expired'
    expect(certificate?.expiresAt === null).toBe(!issued)
    if (status === 'pending_validation') {
      expect(certificate?.validationRecords).toEqual([{ kind: 'txt', name: `_acme-challenge.${sim.name}`, value: aText }])
    }
    if (status === 'validation_timed_out') expect(certificate?.validationErrors).toHaveLength(1)
    const { zone } = await anna.call.domains.full({ id })
    expect(zone.certificates).toMatchObject({ universalEnabled: true, total: 1, active: status === 'active' ? 1 : 0 })
  })

  test('R-DET-04 switching universal SSL updates its certificates and the history', async () => {
    universal(true)
    await anna.call.zoneSettings.ssl({ id })
    const off = await rest('PATCH', `${id}/ssl/universal`, { enabled: false })
    expect(off.json()).toMatchObject({ ssl: { universalEnabled: false, certificates: [] } })
    const on = await anna.call.zoneSettings.setUniversal({ id, enabled: true })
    expect(on.ssl).toMatchObject({ universalEnabled: true, certificates: [{ state: 'pending_validation' }] })
    expect(await history()).toMatchObject([
      { key: 'universal_ssl', before: { value: true }, after: { value: false } },
      { key: 'universal_ssl', before: { value: false }, after: { value: true } },
    ])
    expect((await anna.call.domains.settings({ id })).settings.universalSsl).toBe(true)
  })

  test('R-DET-04 a refusal is reported with the provider’s message', async () => {
    universal(true)
    panel.simulator.faults.add({ method: 'PATCH', path: '*/ssl/universal/settings', effect: { kind: 'forbidden' } })
    await expect(anna.call.zoneSettings.setUniversal({ id, enabled: false })).rejects.toMatchObject(
      refusal({ provider: { message: aText } }),
    )
    expect(await history()).toEqual([])
  })
})

describe('R-DET-03 settings of bots', () => {
  const bots = () => sim.changes?.bots
  const puts = () =>
    panel.simulator.journal.recent().filter(({ method, url }) => method === 'PUT' && url.endsWith('/bot_management')).length
  const set = (values: Record<string, unknown>) => (panel.simulator.state.changesOf(sim).bots = values)
  beforeEach(() => {
    sim.plan = 'free'
    set({ fight_mode: false, ai_bots_protection: 'disabled', crawler_protection: 'disabled', is_robots_txt_managed: false })
  })

  test.each([
    ['botFightMode', true, 'fight_mode', false, true, true],
    ['aiBots', 'block', 'ai_bots_protection', 'disabled', 'block', 'block'],
    ['aiLabyrinth', true, 'crawler_protection', false, true, 'enabled'],
    ['managedRobotsTxt', true, 'is_robots_txt_managed', false, true, true],
  ] as const)('R-DET-03 %s is changed in one call, recorded and undone', async (key, value, field, before, after, sent) => {
    const others = bots()
    const { settings } = await anna.call.zoneSettings.update({ id, [key]: value })
    expect(settings).toMatchObject({ [key]: value })
    expect(bots()).toEqual({ ...others, [field]: sent })
    expect(puts()).toBe(1)
    expect(await history()).toMatchObject([{ subject: 'setting', key: field, before: { value: before }, after: { value: after } }])
    expect(await activity()).toMatchObject([{ details: { [key]: { from: before, to: after } } }])
    const [entry] = (await anna.call.history.list({ id })).entries
    const ids = [entry?.id ?? '']
    const { token } = await anna.call.history.previewRevert({ id, ids })
    await anna.call.history.revert({ id, ids, token })
    expect(bots()).toEqual(others)
  })

  test('R-DET-03 what the plan lacks is refused without a call, and the others are changed', async () => {
    sim.plan = 'business'
    await anna.call.zoneSettings.refresh({ id })
    const { settings } = await anna.call.domains.settings({ id })
    expect(settings).toMatchObject({ botFightMode: null, aiLabyrinth: false, values: { fight_mode: { value: null, editable: false } } })
    await expect(anna.call.zoneSettings.update({ id, botFightMode: true, aiLabyrinth: true })).rejects.toMatchObject(
      refusal({ code: 'setting_not_editable', params: { setting: 'botFightMode', refused: 'botFightMode', applied: 'aiLabyrinth' } }),
    )
    expect(puts()).toBe(1)
  })

  test('R-DET-03 a plan that was lowered since the last sync refuses with the provider’s message', async () => {
    await anna.call.zoneSettings.refresh({ id })
    sim.plan = 'pro'
    await expect(anna.call.zoneSettings.update({ id, botFightMode: true })).rejects.toMatchObject(
      refusal({ code: 'provider_rejected', provider: { message: expect.stringContaining('plan') as unknown } }),
    )
    expect(await history()).toEqual([])
  })

  test('R-DET-03 without the permission, settings with another permission are still changed', async () => {
    const heal = panel.simulator.faults.add({ path: '/zones/*/bot_management', effect: { kind: 'forbidden' } })
    const { problems } = await anna.call.zoneSettings.refresh({ id })
    expect(problems).toEqual([])
    const change = anna.call.zoneSettings.update({ id, botFightMode: true, aiBots: 'block', ssl: 'strict', universalSsl: false })
    await expect(change).rejects.toMatchObject(
      refusal({ code: 'provider_forbidden', params: { refused: 'botFightMode,aiBots', applied: 'universalSsl,ssl' }, provider: something }),
    )
    heal()
    panel.simulator.faults.add({ path: '/zones/*/ssl/universal/settings', effect: { kind: 'forbidden' } })
    await expect(anna.call.zoneSettings.update({ id, universalSsl: true, botFightMode: true })).rejects.toMatchObject(
      refusal({ params: { refused: 'universalSsl', applied: 'botFightMode' } }),
    )
  })

  test('lists show and find the settings of bots after every change, also when the plan loses one or the permission is gone', async () => {
    const listed = async (filter: DomainFilter = {}) => (await anna.call.domains.list({ filter })).domains.find((each) => each.id === id)
    expect(await listed()).toMatchObject({ botFightMode: null, aiBots: null, aiLabyrinth: null, managedRobotsTxt: null })
    await anna.call.zoneSettings.refresh({ id })
    expect(await listed()).toMatchObject({ botFightMode: false, aiBots: 'disabled', aiLabyrinth: false, managedRobotsTxt: false })
    await anna.call.zoneSettings.update({ id, botFightMode: true, aiBots: 'block' })
    const found = { botFightMode: 'enabled', aiBots: 'block', aiLabyrinth: 'disabled' } as const
    expect(await listed(found)).toMatchObject({ botFightMode: true, aiBots: 'block', managedRobotsTxt: false })
    expect(await listed({ ...found, aiBots: 'only_on_ad_pages' })).toBeUndefined()
    const heal = panel.simulator.faults.add({ path: '/zones/*/bot_management', effect: { kind: 'forbidden' } })
    await anna.call.zoneSettings.refresh({ id })
    expect(await listed(found)).toBeDefined()
    heal()
    sim.plan = 'business'
    await anna.call.zoneSettings.refresh({ id })
    expect(await listed({ aiLabyrinth: 'disabled' })).toMatchObject({ botFightMode: null, aiBots: 'block' })
  })

  test('R-DET-03 a lost answer is looked up', async () => {
    panel.simulator.faults.add({ method: 'PUT', path: '*/bot_management', times: 1, effect: { kind: 'cut-body' } })
    const { settings } = await anna.call.zoneSettings.update({ id, aiBots: 'only_on_ad_pages' })
    expect(settings.aiBots).toBe('only_on_ad_pages')
    expect(await history()).toHaveLength(1)
  })
})

describe('R-DET-03 DNSSEC', () => {
  const enabled = () => sim.changes?.dnssec?.enabled
  const registrar = (present: boolean) => applyEdit(panel.simulator.state, { kind: 'registrar-ds', name: sim.name, present })
  const shown = async () => (await anna.call.domains.settings({ id })).settings

  test('R-DET-03 it is enabled with the DS record for the registrar, and its later states are not changes', async () => {
    await anna.call.zoneSettings.refresh({ id })
    const { settings } = await anna.call.zoneSettings.update({ id, dnssec: true })
    expect(settings).toMatchObject({ dnssec: true, dnssecState: { status: 'pending', ds: aText, keyTag: aNumber } })
    const listed = async (dnssec: 'pending' | 'active') =>
      (await anna.call.domains.list({ filter: { dnssec } })).domains.map((each) => [each.id, each.dnssecStatus])
    expect([await listed('pending'), await listed('active')]).toEqual([[[id, 'pending']], []])
    registrar(true)
    await anna.call.zoneSettings.refresh({ id })
    expect([await listed('pending'), await listed('active')]).toEqual([[], [[id, 'active']]])
    expect(await shown()).toMatchObject({ dnssec: true, dnssecState: { ...settings.dnssecState, status: 'active' } })
    const change = { key: 'dnssec', before: { value: false }, after: { value: true }, source: 'panel' }
    expect(await history()).toMatchObject([change])
    const ids = (await anna.call.history.list({ id })).entries.map((entry) => entry.id)
    const { token } = await anna.call.history.previewRevert({ id, ids })
    await anna.call.history.revert({ id, ids, token })
    expect(enabled()).toBe(false)
    expect(await shown()).toMatchObject({ dnssec: false, dnssecState: { status: 'pending-disabled' } })
  })

  test('the DS record is looked up in public DNS, and one of another key is shown as different', async () => {
    const check = async () => (await anna.call.zoneSettings.ds({ id })).ds
    expect(await check()).toMatchObject({ state: 'not_published', wanted: null, published: [], checkedAt: aText })
    registrar(true)
    expect(await check()).toMatchObject({ state: 'different', wanted: null, published: [{ algorithm: 13 }] })
    registrar(false)
    await anna.call.zoneSettings.update({ id, dnssec: true })
    expect(await check()).toMatchObject({ state: 'not_published', wanted: { algorithm: 13, digestType: 2 } })
    registrar(true)
    const right = await check()
    expect(right.published).toEqual([right.wanted])
    expect(right.state).toBe('published')
    // The key at the provider is another one than when the registrar got the record.
    await panel.services.db.sql`
      update zone_settings set "values" = jsonb_set("values", '{dnssec,details,keyTag}', '1') where zone_id = ${id}`
    expect(await check()).toMatchObject({ state: 'different', wanted: { keyTag: 1 }, published: right.published })
  })

  test('R-DET-03 a change in Cloudflare’s dashboard is recorded as an outside change', async () => {
    await anna.call.zoneSettings.refresh({ id })
    panel.simulator.state.changesOf(sim).dnssec = { enabled: true, modifiedOnMs: Date.now() }
    await anna.call.zoneSettings.refresh({ id })
    expect(await history()).toMatchObject([{ key: 'dnssec', before: { value: false }, after: { value: true }, source: 'outside' }])
  })

  test('R-DET-03 a refusal is reported with the provider’s message, and a lost answer is looked up', async () => {
    const heal = panel.simulator.faults.add({ method: 'PATCH', path: '*/dnssec', effect: { kind: 'forbidden' } })
    await expect(anna.call.zoneSettings.update({ id, dnssec: true })).rejects.toMatchObject(
      refusal({ code: 'provider_forbidden', params: { refused: 'dnssec' }, provider: something }),
    )
    heal()
    panel.simulator.faults.add({ method: 'PATCH', path: '*/dnssec', times: 1, effect: { kind: 'cut-body' } })
    expect((await anna.call.zoneSettings.update({ id, dnssec: true })).settings.dnssec).toBe(true)
    expect(await history()).toHaveLength(1)
  })
})

describe('R-DET-05 quick actions', () => {
  const purged = () => panel.simulator.journal.count({ path: '/zones/{zone}/purge_cache' })
  const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://www.${sim.name}/${index}.css`)
  /** The same zone with a token that may only read. */
  async function withReadOnlyToken(): Promise<void> {
    await emptyTables(panel.services.db, 'accounts')
    ;({ id, accountId } = await add(sim.name, { apiToken: panel.credential(0).readOnlyToken }))
  }

  test('R-DET-05 the whole cache is purged', async () => {
    const answer = await rest('POST', `${id}/purge-cache`, { purgeEverything: true })
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }])
    expect(purged()).toBe(1)
    expect(await activity()).toMatchObject([{ details: { cache: { everything: true } } }])
  })

  test('R-DET-05 250 URLs take three calls, because the provider accepts 100 per call', async () => {
    await anna.call.zoneSettings.purgeCache({ id, files: urls(250) })
    expect(purged()).toBe(3)
    expect(await activity()).toMatchObject([{ details: { cache: { files: 250 } } }])
  })

  test('R-DET-05 a refusal halfway reports how many URLs were purged', async () => {
    afterPurge = () => panel.simulator.faults.add({ path: '*/purge_cache', effect: { kind: 'rate-limited' } })
    await expect(anna.call.zoneSettings.purgeCache({ id, files: urls(250) })).rejects.toMatchObject(
      refusal({ code: 'provider_rate_limited', params: { done: 100 } }),
    )
    expect(await activity()).toMatchObject([{ details: { cache: { files: 100 } } }])
  })

  test('R-DET-05 a URL of another domain is refused before anything is sent', async () => {
    const files = [`https://${sim.name}/a`, 'https://elsewhere.example/b', `https://not${sim.name}/c`]
    await expect(anna.call.zoneSettings.purgeCache({ id, files })).rejects.toMatchObject(
      refusal({
        code: 'validation_failed',
        issues: [
          { path: 'files.1', message: 'foreign_url' },
          { path: 'files.2', message: 'foreign_url' },
        ],
      }),
    )
    expect(purged()).toBe(0)
  })

  test.each([{}, { purgeEverything: true as const, files: ['https://a.example'] }, { files: [] }, { files: ['ftp://a.example/x'] }])(
    'R-DET-05 %j is not a valid purge request',
    async (input) => {
      await expect(anna.call.zoneSettings.purgeCache({ id, ...input })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    },
  )

  test('R-DET-05 an invalid URL is refused with an example of a valid one', async () => {
    const answer = await rest('POST', `${id}/purge-cache`, { files: ['nonsense'] })
    expect(answer.json()).toMatchObject({ issues: [{ path: 'files.0', message: expect.stringContaining('such as https://') as unknown }] })
  })

  test('R-DET-05 a domain that is not active has no cache to purge', async () => {
    await panel.services.db.sql`update zones set status = 'pending' where id = ${id}`
    await expect(anna.call.zoneSettings.purgeCache({ id, purgeEverything: true })).rejects.toMatchObject(
      refusal({ code: 'cache_unavailable' }),
    )
    const answer = await rest('POST', `${id}/purge-cache`, { purgeEverything: true })
    expect([answer.statusCode, answer.body]).toEqual([409, expect.stringContaining('Cache clearing unavailable')])
    expect(purged()).toBe(0)
  })

  test('R-DET-05 a key without the permission is reported with the provider’s message', async () => {
    await withReadOnlyToken()
    await expect(anna.call.zoneSettings.purgeCache({ id, purgeEverything: true })).rejects.toMatchObject(
      refusal({ code: 'cache_forbidden', provider: { code: '10000', message: 'Authentication error' } }),
    )
    expect((await rest('POST', `${id}/purge-cache`, { purgeEverything: true })).body).toContain('Insufficient permissions to clear cache')
  })

  test('R-DET-05 an invalid key is reported differently', async () => {
    panel.simulator.state.revokeKey(panel.credential(0).userId)
    await expect(anna.call.zoneSettings.purgeCache({ id, purgeEverything: true })).rejects.toMatchObject(refusal({ code: 'provider_auth' }))
  })

  test('R-DET-05 development mode reports when it ends, and its seconds count down', async () => {
    const { settings } = await anna.call.zoneSettings.setDevelopmentMode({ id, enabled: true })
    // Allows for the duration of the test.
    expect(settings.developmentMode).toBeGreaterThan(10_740)
    expect(settings.developmentMode).toBeLessThanOrEqual(10_800)
    const endsMs = Date.parse(settings.developmentModeEndsAt ?? '')
    expect(Math.abs(endsMs - Date.now() - 10_800_000)).toBeLessThan(60_000)
    // Makes the reading 100 minutes old.
    await panel.services.db.sql`update zones set listed_at = listed_at - interval '100 minutes' where id = ${id}`
    const { zone } = await anna.call.domains.full({ id })
    expect(zone.developmentMode).toBeGreaterThan(4_740)
    expect(zone.developmentMode).toBeLessThanOrEqual(4_800)
    // Expired.
    await panel.services.db.sql`update zones set listed_at = listed_at - interval '100 minutes' where id = ${id}`
    expect((await anna.call.domains.full({ id })).zone).toMatchObject({ developmentMode: 0, developmentModeEndsAt: null })

    const off = await rest('PATCH', `${id}/development-mode`, { enabled: true })
    expect(off.json()).toMatchObject({ settings: { developmentModeEndsAt: aText } })
    expect((await rest('PATCH', `${id}/development-mode`, { enabled: false })).json()).toMatchObject({
      settings: { developmentMode: 0, developmentModeEndsAt: null },
    })
    expect((await history()).map((entry) => [entry.key, entry.before, entry.after])).toEqual([
      ['development_mode', { value: 'off' }, { value: 'on' }],
      ['development_mode', { value: 'off' }, { value: 'on' }],
      ['development_mode', { value: 'on' }, { value: 'off' }],
    ])
  })

  test('R-DET-05 refresh reads the zone, its records, settings, certificates and page rules', async () => {
    sim.paused = true
    own('ssl', 'strict')
    const { zone, read, problems } = await anna.call.zoneSettings.refresh({ id })
    expect([read.toSorted(), problems]).toEqual([['records', 'settings', 'ssl', 'zone'], []])
    expect(zone).toMatchObject({ paused: true, sslMode: 'strict', recordsCount: 4 })
    const { zone: full } = await anna.call.domains.full({ id })
    expect(full).toMatchObject({ pageRulesUsed: aNumber, certificates: { readAt: aText } })
    expect(full.settingsReadAt).not.toBeNull()
    expect(await row()).toMatchObject({ recordsDueAt: null, settingsDueAt: null })
  })

  test('R-DET-01 a zone that was read is fresh even without changes', async () => {
    await anna.call.zoneSettings.refresh({ id })
    await panel.services.db.sql`update zones set listed_at = now() - interval '1 hour'`
    const { zone } = await anna.call.zoneSettings.refresh({ id })
    expect(Date.now() - new Date(zone.listedAt).getTime()).toBeLessThan(60_000)
  })

  test('R-DET-05 a part that a key may not read is reported, and the rest is read', async () => {
    await withReadOnlyToken()
    const { zone, read, problems } = await anna.call.zoneSettings.refresh({ id })
    expect(zone.recordsCount).toBe(4)
    expect(read.toSorted()).toEqual(['records', 'zone'])
    expect(problems.map(({ part, code, message }) => `${part}: ${code}, ${message ?? ''}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'settings: provider_forbidden, Authentication error',
      'ssl: provider_forbidden, Authentication error',
    ])
  })

  test('R-DET-05 a zone that no longer exists at the provider is shown as gone', async () => {
    panel.simulator.state.removeZone(sim.id)
    const { zone, read, problems } = await anna.call.zoneSettings.refresh({ id })
    expect(zone).toMatchObject({ gone: true, status: 'error' })
    expect(read).toEqual([])
    expect(problems).toMatchObject([{ part: 'zone', code: 'provider_not_found' }])
  })

  test('R-DET-05 pausing is read back and written to history and audit log', async () => {
    const { zone } = await anna.call.zoneSettings.pause({ id, paused: true })
    expect([zone.paused, sim.paused]).toEqual([true, true])
    expect(await history()).toMatchObject([{ subject: 'zone', key: 'paused', before: { value: false }, after: { value: true } }])
    expect(await activity()).toMatchObject([{ details: { paused: { from: false, to: true } } }])
  })

  test('R-DET-05 traffic covers 30 days including today', async () => {
    const today = () => new Date().toISOString().slice(0, 10)
    const before = today()
    const { days, unavailable } = await anna.call.zoneSettings.traffic({ id })
    expect(unavailable).toBeNull()
    expect(days).toHaveLength(30)
    expect([before, today()]).toContain(days.at(-1)?.date)
  })

  test('R-DET-05 traffic that the key may not read is reported with the reason, not as an error', async () => {
    await withReadOnlyToken()
    expect(await anna.call.zoneSettings.traffic({ id })).toEqual({
      days: [],
      unavailable: { code: 'provider_forbidden', message: 'Authentication error' },
    })
  })
})

describe('R-DET-02 name servers', () => {
  const check = async () => (await anna.call.zoneSettings.nameServers({ id })).nameServers
  const delegate = (nameServers: string[]) => {
    sim.status = 'pending'
    panel.simulator.state.registrarNameServers.set(sim.name, nameServers)
  }

  test('R-DET-02 an active zone is delegated to its assigned name servers', async () => {
    const wanted = [...sim.nameServers].toSorted()
    expect(await check()).toMatchObject({ wanted, delegated: wanted, state: 'right' })
  })
  test('R-DET-02 other name servers answer: elsewhere', async () => {
    delegate(['ns2.Elsewhere.example', 'ns1.elsewhere.example'])
    expect(await check()).toMatchObject({ delegated: ['ns1.elsewhere.example', 'ns2.elsewhere.example'], state: 'elsewhere' })
  })
  test('R-DET-02 only some are correct: partly', async () => {
    delegate([sim.nameServers[0] ?? '', 'ns1.elsewhere.example'])
    expect((await check()).state).toBe('partly')
  })
  test('R-DET-02 all are correct with one too many: partly', async () => {
    delegate([...sim.nameServers, 'ns1.elsewhere.example'])
    expect((await check()).state).toBe('partly')
  })
  test('R-DET-02 an unregistered name: none', async () => {
    panel.simulator.state.removeZone(sim.id)
    expect(await check()).toMatchObject({ delegated: [], state: 'none' })
  })
})

describe('R-DOM-09 deleting a domain', () => {
  const exists = () => panel.simulator.state.zonesById.has(sim.id)

  test('R-DOM-09 the zone is deleted at the provider and in the panel, and the activity log records it', async () => {
    const answer = await rest('DELETE', id)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect([exists(), await row()]).toEqual([false, null])
    expect(await activity()).toMatchObject([{ action: 'delete', name: sim.name }])
  })
  test('R-DOM-09 the typed name must match the domain, ignoring case', async () => {
    await expect(anna.call.zoneSettings.remove({ id, name: `not-${sim.name}` })).rejects.toMatchObject(refusal({ code: 'name_mismatch' }))
    await expect(anna.call.zoneSettings.remove({ id, name: '' })).rejects.toMatchObject(refusal({ code: 'name_mismatch' }))
    expect(exists()).toBe(true)
    await anna.call.zoneSettings.remove({ id, name: ` ${sim.name.toUpperCase()} ` })
    expect(exists()).toBe(false)
  })
  test('R-DOM-09 a zone already deleted at the provider is deleted in the panel', async () => {
    panel.simulator.state.removeZone(sim.id)
    await anna.call.zoneSettings.remove({ id })
    expect(await row()).toBeNull()
  })
  test('R-DOM-09 when the provider refuses, the domain stays in the panel', async () => {
    panel.simulator.faults.add({ method: 'DELETE', effect: { kind: 'forbidden' } })
    await expect(anna.call.zoneSettings.remove({ id })).rejects.toMatchObject(refusal({ code: 'provider_forbidden' }))
    expect([exists(), (await row())?.['id']]).toEqual([true, id])
  })
  test('R-DOM-09 an answer lost after the deletion is not a failure', async () => {
    panel.simulator.faults.add({ method: 'DELETE', times: 1, effect: { kind: 'cut-body' } })
    await anna.call.zoneSettings.remove({ id })
    expect([exists(), await row()]).toEqual([false, null])
  })
  test('R-DOM-09 a domain of another user is not found and stays', async () => {
    await expect(boris.call.zoneSettings.remove({ id })).rejects.toMatchObject(refusal({ code: 'not_found' }))
    expect(exists()).toBe(true)
  })
})

describe('R-DOM-10 the group of a domain', () => {
  test('R-DOM-10 a domain is moved into a group and out of it, and the history records the names', async () => {
    const group = await insertGroup(panel.services.db, { ownerId: anna.user.id, name: 'Shops' })
    const put = await rest('PATCH', `${id}/group`, { groupId: group.id })
    expect(put.json()).toMatchObject({ zone: { groupId: group.id, group: { name: 'Shops' } } })
    await anna.call.zoneSettings.setGroup({ id, groupId: group.id })
    const { zone } = await anna.call.zoneSettings.setGroup({ id, groupId: null })
    expect([zone.groupId, zone.group]).toEqual([null, null])
    const value = { id: group.id, name: 'Shops' }
    expect(await history()).toMatchObject([
      { subject: 'zone', key: 'group', before: { value: null }, after: { value } },
      { subject: 'zone', key: 'group', before: { value }, after: { value: null } },
    ])
  })
  test('R-DOM-10 a missing or deleted group is not found', async () => {
    const gone = await insertGroup(panel.services.db, { ownerId: anna.user.id })
    await anna.call.groups.remove({ id: gone.id })
    for (const groupId of ['018f4e2a-0000-7000-8000-000000000000', gone.id]) {
      const answer = await rest('PATCH', `${id}/group`, { groupId })
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'not_found' }])
    }
    expect((await row())?.['groupId']).toBeNull()
  })

  test('R-DOM-10 a group of another owner is not found, for administrators too', async () => {
    const group = await insertGroup(panel.services.db, { ownerId: boris.user.id })
    const root = await signIn(panel.services, { role: 'admin' })
    for (const { call } of [anna, root]) {
      await expect(call.zoneSettings.setGroup({ id, groupId: group.id })).rejects.toMatchObject(refusal({ code: 'not_found' }))
    }
    expect((await row())?.['groupId']).toBeNull()
  })
})

test('every change is published to subscribers once it is done', async () => {
  const reported: unknown[] = []
  const end = panel.services.events.subscribe((ownerId, event) => reported.push([ownerId, event]))
  await anna.call.zoneSettings.update({ id, minTlsVersion: '1.3' })
  await anna.call.zoneSettings.pause({ id, paused: true })
  await anna.call.zoneSettings.remove({ id })
  const domains = [anna.user.id, { kind: 'domains', accountIds: [accountId] }]
  await vi.waitFor(
    () => expect(reported).toEqual([domains, domains, domains, [anna.user.id, { kind: 'accounts', accountIds: [accountId] }]]),
    {
      timeout: 30_000,
      interval: 20,
    },
  )
  end()
})
