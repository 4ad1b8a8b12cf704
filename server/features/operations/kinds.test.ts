import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import { operationKinds, startOperations } from './index.ts'

const count = 6
let panel: TestPanel
let app: Awaited<ReturnType<typeof buildApp>>
let ann: SignedIn
let accountId: string
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
  const { email, globalKey, userId, accountId: theirAccount } = panel.credential(0)
  const account = await insertAccount(
    services.db,
    { ownerId: ann.user.id, email, providerUserId: userId },
    { secrets: services.secrets, apiKey: globalKey },
  )
  accountId = account.id
  sims = [...panel.simulator.state.zonesById.values()].filter((zone) => zone.account.id === theirAccount)
  const rows = await insertZones(services.db, { ownerId: ann.user.id, accountId }, sims.length, (at) => ({
    providerZoneId: sims[at]?.id ?? '',
    name: sims[at]?.name ?? '',
  }))
  ids = rows.map(({ id }) => id)
  for (const id of ids) await ann.call.zoneSettings.refresh({ id })
  panel.simulator.journal.reset()
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
})

const itemsOf = (id: string) => ann.call.operations.items({ id, limit: 1_000 })

async function ended(id: string) {
  await expect.poll(async () => (await itemsOf(id)).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  return itemsOf(id)
}
async function run(request: OperationRequest, domainIds = ids) {
  const preview = await ann.call.operations.preview({ request, target: { ids: domainIds } })
  await ann.call.operations.start({ id: preview.operation.id })
  return { preview, ...(await ended(preview.operation.id)) }
}
async function undo(id: string) {
  const preview = await ann.call.operations.previewUndo({ id })
  await ann.call.operations.start({ id: preview.operation.id })
  return { preview, ...(await ended(preview.operation.id)) }
}
const simNamed = (name: string) => [...panel.simulator.state.zonesById.values()].find((zone) => zone.name === name)
const settingOf = (zone: SimZone | undefined, id: string) =>
  zone === undefined ? undefined : panel.simulator.state.changesOf(zone).settings.get(id)?.value
const heldBy = (zone: SimZone | undefined) =>
  zone === undefined
    ? []
    : [...recordsOf(panel.simulator.state, zone).values()]
        .map(({ type, name, content, proxied, ttl, priority }) => JSON.stringify([type, name, content, proxied, ttl, priority]))
        .toSorted()
const contentsOf = (zone: SimZone | undefined, type: string) =>
  zone === undefined
    ? []
    : [...recordsOf(panel.simulator.state, zone).values()]
        .filter((record) => record.type === type)
        .map(({ content }) => content)
        .toSorted()
const addEverywhere = async (records: Extract<OperationRequest, { kind: 'dns_add' }>['input']['records'], domainIds = ids) => {
  const { operation } = await run({ kind: 'dns_add', input: { records, mode: 'add', values: [] } }, domainIds)
  expect(operation).toMatchObject({ done: domainIds.length, failed: 0 })
}

test('an operation is named after what it assigns, and an undo after the operation it reverts', async () => {
  const { group } = await ann.call.groups.create({ name: 'Shops' })
  const moved = await run({ kind: 'group', input: { groupId: group.id } })
  const strict = await run({ kind: 'settings', input: { settings: { ssl: 'strict' } } })
  const back = await undo(moved.operation.id)
  const named = ({ operation }: { operation: { kind: string; subject: string | null; undoOfKind: string | null } }) => [
    operation.kind,
    operation.undoOfKind,
    operation.subject,
  ]
  expect(named(moved)).toEqual(['group', null, 'Shops'])
  expect(named(back)).toEqual(['undo', 'group', 'Shops'])
  expect(named(await undo(strict.operation.id))).toEqual(['undo', 'settings', 'ssl=strict'])
})

test('the settings of bots are changed for many domains with their warnings, refused where the plan lacks them, and undone', async () => {
  const { state } = panel.simulator
  const [odd] = sims
  const initial = { fight_mode: false, ai_bots_protection: 'disabled' }
  for (const zone of sims) {
    zone.plan = zone === odd ? 'business' : 'free'
    state.changesOf(zone).bots = initial
  }
  for (const id of ids) await ann.call.zoneSettings.refresh({ id })
  await panel.services.db.sql`update zones set tracker_type = 'KEITARO' where id = ${ids[1] ?? ''}`
  const { preview, operation, items } = await run({ kind: 'settings', input: { settings: { botFightMode: true, aiBots: 'block' } } })
  expect(preview.dangers).toEqual({ bot_fight_with_tracker: 1, ai_bots_with_search: count })
  expect(operation).toMatchObject({ done: count - 1, failed: 1 })
  expect(items.filter(({ state: end }) => end === 'failed')).toMatchObject([{ zoneId: ids[0], code: 'setting_not_editable' }])
  const changed = { fight_mode: true, ai_bots_protection: 'block' }
  expect(sims.map((zone) => state.changesOf(zone).bots)).toEqual(
    sims.map((zone) => (zone === odd ? { ...initial, ai_bots_protection: 'block' } : changed)),
  )
  await undo(operation.id)
  expect(sims.map((zone) => state.changesOf(zone).bots)).toEqual(sims.map(() => initial))
})

test('DNSSEC is enabled for many domains and undone with a warning; a domain without the feature is reported', async () => {
  const enabled = () => sims.map((zone) => zone.changes?.dnssec?.enabled)
  const [odd] = sims
  panel.simulator.faults.add({ method: 'PATCH', path: `/zones/${odd?.id}/dnssec`, effect: { kind: 'success-false' } })
  const { preview, operation } = await run({ kind: 'settings', input: { settings: { dnssec: true } } })
  expect(preview.dangers).toEqual({})
  expect(operation).toMatchObject({ done: count - 1, failed: 1 })
  expect(enabled()).toEqual(sims.map((zone) => (zone === odd ? undefined : true)))
  const off = await run({ kind: 'settings', input: { settings: { dnssec: false } } })
  expect(off.preview.dangers).toEqual({ dnssec_off: count - 1 })
  expect(off.operation).toMatchObject({ done: count - 1, failed: 0 })
  await undo(off.operation.id)
  expect(enabled()).toEqual(sims.map((zone) => (zone === odd ? undefined : true)))
})

describe('R-DOM-09 deleted domains', () => {
  test('are removed at the provider and in the panel; the undo restores zones, records, settings and group', async () => {
    const two = ids.slice(0, 2)
    const names = sims.slice(0, 2).map(({ name }) => name)
    const { group } = await ann.call.groups.create({ name: 'Shops' })
    await ann.call.groups.addZones({ id: group.id, zoneIds: two })
    await run({ kind: 'settings', input: { settings: { minTlsVersion: '1.3', ssl: 'full', aiLabyrinth: true } } }, two)
    const held = names.map((name) => heldBy(simNamed(name)))
    expect(held.every((records) => records.length > 0)).toBe(true)

    panel.simulator.faults.add({ method: 'DELETE', times: 1, effect: { kind: 'cut-body' } })
    const gone = await run({ kind: 'delete', input: {} }, two)
    expect(gone.preview.dangers).toEqual({ zone_goes: 2 })
    expect(gone.operation).toMatchObject({ done: 2, failed: 0 })
    expect(names.map(simNamed)).toEqual([undefined, undefined])
    const here = async () => (await ann.call.domains.lookup({ names })).results.map(({ state }) => state)
    expect(await here()).toEqual(['absent', 'absent'])
    expect(gone.items.map(({ zoneId: domainId, present }) => ({ domainId, present }))).toEqual(
      two.map((domainId) => ({ domainId, present: false })),
    )

    panel.simulator.faults.add({ method: 'POST', path: '/zones', times: 1, effect: { kind: 'cut-body' } })
    const back = await undo(gone.operation.id)
    expect(back.preview.dangers).toEqual({ new_name_servers: 2, new_certificates: 2 })
    expect(back.items.map(({ state, code, message }) => ({ state, code, message }))).toEqual(
      names.map(() => ({ state: 'done', code: null, message: null })),
    )
    const restored = (await ann.call.domains.lookup({ names })).results.map(({ domain }) => domain?.id)
    expect(back.items.map(({ zoneId: domainId, present }) => ({ domainId, present }))).toEqual(
      restored.map((domainId) => ({ domainId, present: true })),
    )
    expect(back.items.every(({ nameServers }) => (nameServers ?? []).length > 0)).toBe(true)
    expect(names.map((name) => heldBy(simNamed(name)))).toEqual(held)
    expect(names.map((name) => settingOf(simNamed(name), 'min_tls_version'))).toEqual(['1.3', '1.3'])
    expect(names.map((name) => settingOf(simNamed(name), 'ssl'))).toEqual(['full', 'full'])
    expect(names.map((name) => simNamed(name)?.changes?.bots)).toMatchObject(names.map(() => ({ crawler_protection: 'enabled' })))
    expect(await here()).toEqual(['ours', 'ours'])
    expect((await ann.call.groups.get({ id: group.id })).group).toMatchObject({ zonesCount: 2 })
    await expect(ann.call.operations.previewUndo({ id: gone.operation.id })).rejects.toThrow('nothing_to_undo')
  })
})

test('undoing an addition deletes only the domains that it added', async () => {
  const input = { domains: ['first-new.com', 'second-new.com', sims[0]?.name ?? ''], accountIds: [accountId], ipAddress: '203.0.113.9' }
  const { operation } = await ann.call.operations.previewCreate(input)
  await ann.call.operations.start({ id: operation.id })
  const added = await ended(operation.id)
  expect(added.operation).toMatchObject({ done: 2, skipped: 1, failed: 0 })
  expect(added.items.map(({ present }) => present)).toEqual([true, true, false])
  // An excluded line shows the reason and is assigned to no account.
  expect(added.items.map(({ code, account }) => ({ code, account }))).toEqual([
    { code: null, account: panel.credential(0).email },
    { code: null, account: panel.credential(0).email },
    { code: 'domain_ours', account: null },
  ])
  expect(simNamed('first-new.com')).toBeDefined()

  const back = await undo(operation.id)
  expect(back.preview).toMatchObject({ operation: { total: 2 }, dangers: { zone_goes: 2 } })
  expect(back.operation).toMatchObject({ done: 2, failed: 0 })
  expect(simNamed('first-new.com')).toBeUndefined()
  expect(simNamed('second-new.com')).toBeUndefined()
  expect([...panel.simulator.state.zonesById.values()].map(({ name }) => name).toSorted()).toEqual(sims.map(({ name }) => name).toSorted())
  expect((await itemsOf(operation.id)).operation).toMatchObject({ undone: 2 })
})

describe('the plan of an undo names every domain', () => {
  test('domains deleted in the meantime are listed with the reason, and an SSL mode that is off is shown as off', async () => {
    await run({ kind: 'settings', input: { settings: { ssl: 'full' } } })
    const { operation } = await run({ kind: 'settings', input: { settings: { ssl: 'off' } } })
    const [first = '', ...others] = ids
    await ann.call.zoneSettings.remove({ id: first, name: sims[0]?.name })
    const preview = await ann.call.operations.previewUndo({ id: operation.id })
    expect(preview.operation).toMatchObject({ total: count, skipped: 1 })
    const { items } = await itemsOf(preview.operation.id)
    expect(items.filter(({ state }) => state === 'skipped')).toEqual([expect.objectContaining({ zoneId: first, code: 'not_found' })])
    expect(items.filter((item) => others.includes(item.zoneId ?? '')).map(({ plan: { before, after } }) => ({ before, after }))).toEqual(
      others.map(() => ({
        before: { settings: { ssl: 'off' }, records: [], rules: [], ipAccess: [] },
        after: { settings: { ssl: 'full' }, records: [], rules: [], ipAccess: [] },
      })),
    )
  })

  test('domains that an operation added or deleted are listed too', async () => {
    const { operation } = await ann.call.operations.previewCreate({ domains: ['first-new.com', 'second-new.com'], accountIds: [accountId] })
    await ann.call.operations.start({ id: operation.id })
    await ended(operation.id)
    const { results } = await ann.call.domains.lookup({ names: ['first-new.com'] })
    await ann.call.zoneSettings.remove({ id: results[0]?.domain?.id ?? '', name: 'first-new.com' })
    const preview = await ann.call.operations.previewUndo({ id: operation.id })
    expect((await itemsOf(preview.operation.id)).items.map(({ domain, state, code }) => ({ domain, state, code }))).toEqual([
      { domain: 'second-new.com', state: 'pending', code: null },
      { domain: 'first-new.com', state: 'skipped', code: 'not_found' },
    ])

    const gone = await run({ kind: 'delete', input: {} }, ids.slice(0, 1))
    await panel.services.db.sql`delete from accounts where id = ${accountId}`
    const back = await ann.call.operations.previewUndo({ id: gone.operation.id })
    expect((await itemsOf(back.operation.id)).items).toEqual([expect.objectContaining({ state: 'skipped', code: 'account_gone' })])
  })
})

test('R-DOM-07 the plan of a new domain shows its records, its SSL mode and whether Always Use HTTPS is on', async () => {
  const { operation } = await ann.call.operations.previewCreate({
    domains: ['first-new.com'],
    accountIds: [accountId],
    ipAddress: '203.0.113.9',
    createWww: false,
    sslMode: 'off',
    alwaysHttps: false,
  })
  const { items } = await itemsOf(operation.id)
  expect(items.map(({ plan }) => plan)).toMatchObject([
    { before: null, after: { settings: { ssl: 'off', alwaysUseHttps: false }, records: [{ type: 'A', content: '203.0.113.9' }] } },
  ])
})

test('a domain changed since it was added is reported; if it changes again after the preview, it stays', async () => {
  const { operation } = await ann.call.operations.previewCreate({
    domains: ['first-new.com', 'second-new.com'],
    accountIds: [accountId],
    ipAddress: '203.0.113.9',
  })
  await ann.call.operations.start({ id: operation.id })
  const { items } = await ended(operation.id)
  const { results } = await ann.call.domains.lookup({ names: items.map(({ domain }) => domain) })
  const [first = '', second = ''] = results.map(({ domain }) => domain?.id ?? '')
  await ann.call.zoneSettings.update({ id: first, minTlsVersion: '1.3' })
  const preview = await ann.call.operations.previewUndo({ id: operation.id })
  expect(preview.dangers).toEqual({ zone_goes: 2, changed_since_created: 1 })
  await ann.call.zoneSettings.update({ id: second, minTlsVersion: '1.3' })
  await ann.call.operations.start({ id: preview.operation.id })
  const back = await ended(preview.operation.id)
  expect(back.items.map(({ domain, state, code }) => ({ domain, state, code }))).toEqual([
    { domain: 'first-new.com', state: 'done', code: null },
    { domain: 'second-new.com', state: 'skipped', code: 'changed_since' },
  ])
  expect(simNamed('first-new.com')).toBeUndefined()
  expect(simNamed('second-new.com')).toBeDefined()
})

describe('R-DNS-04 find and replace over many domains', () => {
  const spf = 'v=spf1 include:old.example.net -all'

  test('replaces whole contents once, has nothing left to do the second time, and can be undone', async () => {
    await addEverywhere([{ type: 'CNAME', name: 'shop', content: 'old.example.net', ttl: 1, proxied: false }])
    const before = sims.map(heldBy)
    const request: OperationRequest = {
      kind: 'dns_replace',
      input: { find: 'OLD.example.net', replace: 'new.example.net', match: 'whole', types: [] },
    }
    const { operation } = await run(request)
    expect(operation).toMatchObject({ done: count, failed: 0 })
    for (const zone of sims) {
      expect(contentsOf(zone, 'CNAME')).toContain('new.example.net')
      expect(contentsOf(zone, 'CNAME')).not.toContain('old.example.net')
    }
    await expect(ann.call.operations.preview({ request, target: { ids } })).rejects.toThrow('nothing_to_do')
    const back = await undo(operation.id)
    expect(back.operation).toMatchObject({ done: count, failed: 0 })
    expect(sims.map(heldBy)).toEqual(before)
  })

  test('a lost answer does not duplicate a change', async () => {
    await addEverywhere([{ type: 'CNAME', name: 'shop', content: 'old.example.net', ttl: 1, proxied: false }])
    panel.simulator.faults.add({ path: `/zones/${sims[0]?.id}/dns_records*`, times: 1, effect: { kind: 'cut-body' } })
    const { operation } = await run({
      kind: 'dns_replace',
      input: { find: 'old.example.net', replace: 'new.example.net', match: 'whole', types: [] },
    })
    expect(operation).toMatchObject({ done: count, failed: 0, skipped: 0 })
    for (const zone of sims)
      expect(contentsOf(zone, 'CNAME').filter((content) => content.endsWith('.example.net'))).toEqual(['new.example.net'])
  })

  test('replaces a part of a content, only in the selected types', async () => {
    await addEverywhere([
      { type: 'TXT', name: '@', content: spf, ttl: 300, proxied: false },
      { type: 'CNAME', name: 'shop', content: 'old.example.net', ttl: 1, proxied: false },
    ])
    const { operation } = await run({
      kind: 'dns_replace',
      input: { find: 'old.example', replace: 'new.example', match: 'part', types: ['TXT'] },
    })
    expect(operation).toMatchObject({ done: count, failed: 0 })
    for (const zone of sims) {
      expect(contentsOf(zone, 'TXT').some((content) => content.includes('include:new.example.net -all'))).toBe(true)
      expect(contentsOf(zone, 'CNAME')).toContain('old.example.net')
    }
  })

  test('invalid content is reported for its domain, and the other domains are changed', async () => {
    const [odd = '', ...others] = ids
    await addEverywhere([{ type: 'TXT', name: 'note', content: 'old.example.net', ttl: 300, proxied: false }], others)
    await addEverywhere([{ type: 'CNAME', name: 'note', content: 'old.example.net', ttl: 1, proxied: false }], [odd])
    const { items, operation } = await run({
      kind: 'dns_replace',
      input: { find: 'old.example.net', replace: 'two words', match: 'whole', types: [] },
    })
    expect(operation).toMatchObject({ done: others.length, skipped: 1, failed: 0 })
    expect(items.filter(({ state }) => state === 'skipped')).toEqual([
      expect.objectContaining({ zoneId: odd, code: expect.any(String) as unknown }),
    ])
    expect(contentsOf(sims[0], 'CNAME')).toContain('old.example.net')
  })
})

describe('R-DNS-04 records of many domains are edited', () => {
  const edit = (
    input: Omit<Extract<OperationRequest, { kind: 'dns_edit' }>['input'], 'match' | 'values'> & {
      values?: { domain: string; value: string }[]
    },
  ) => ({ kind: 'dns_edit', input: { match: 'whole', values: [], ...input } }) satisfies OperationRequest
  const token = { type: 'TXT', name: '@', content: 'token={{value}}', ttl: 300, proxied: false } as const

  test('proxy, TTL and comment of the matching records change once although an answer is lost, and can be undone', async () => {
    await addEverywhere([
      { type: 'A', name: 'edge', content: '203.0.113.1', ttl: 300, proxied: false },
      { type: 'A', name: 'other', content: '203.0.113.10', ttl: 300, proxied: false },
    ])
    const before = sims.map(heldBy)
    const request = edit({ type: 'A', content: '203.0.113.1', set: { proxied: true, comment: 'edge of {{domain}}' } })
    panel.simulator.faults.add({ path: `/zones/${sims[0]?.id}/dns_records*`, times: 1, effect: { kind: 'cut-body' } })
    const { operation, preview } = await run(request)
    expect(operation).toMatchObject({ done: count, failed: 0, skipped: 0 })
    expect(preview.dangers).toEqual({})
    for (const zone of sims) {
      const held = [...recordsOf(panel.simulator.state, zone).values()]
      expect(held.find(({ name }) => name.startsWith('edge.'))).toMatchObject({ proxied: true, ttl: 1, comment: `edge of ${zone.name}` })
      expect(held.find(({ name }) => name.startsWith('other.'))).toMatchObject({ proxied: false, ttl: 300 })
    }
    await expect(ann.call.operations.preview({ request, target: { ids } })).rejects.toThrow('nothing_to_do')
    const off = await ann.call.operations.preview({ request: edit({ type: 'A', name: 'edge', set: { proxied: false } }), target: { ids } })
    expect(off.dangers).toMatchObject({ origin_exposed: count })
    const back = await undo(operation.id)
    expect(back.operation).toMatchObject({ done: count, failed: 0 })
    expect(sims.map(heldBy)).toEqual(before)
  })

  test('each domain gets its own value; a domain without one is excluded and named', async () => {
    const [without, ...others] = sims
    const values = others.map(({ name }, at) => ({ domain: name.toUpperCase(), value: `t${at}` }))
    const first = await run({ kind: 'dns_add', input: { records: [token], mode: 'add', values } })
    expect(first.operation).toMatchObject({ done: count - 1, skipped: 1 })
    expect(first.items.find(({ domain }) => domain === without?.name)).toMatchObject({ state: 'skipped', code: 'value_missing' })
    for (const [at, zone] of others.entries()) expect(contentsOf(zone, 'TXT').join()).toContain(`token=t${at}`)

    const next = await run(
      edit({
        type: 'TXT',
        name: '{{domain}}',
        content: 'token=t0',
        set: { content: 'token={{value}} of {{domain}}' },
        values: sims.map(({ name }) => ({ domain: name, value: 'n' })),
      }),
    )
    expect(next.operation).toMatchObject({ done: 1 })
    expect(contentsOf(others[0], 'TXT').join()).toContain(`token=n of ${others[0]?.name}`)
  })

  test('replacing records keeps those of other purposes; a CNAME replaces addresses', async () => {
    await addEverywhere([
      { type: 'TXT', name: '@', content: 'v=spf1 -all', ttl: 300, proxied: false },
      { type: 'TXT', name: '@', content: 'token=old', ttl: 300, proxied: false },
      { type: 'A', name: 'swap', content: '203.0.113.1', ttl: 300, proxied: false },
      { type: 'A', name: 'swap', content: '203.0.113.2', ttl: 300, proxied: false },
    ])
    const before = sims.map(heldBy)
    const request: OperationRequest = {
      kind: 'dns_add',
      input: {
        records: [
          { ...token, content: 'token=new' },
          { type: 'CNAME', name: 'swap', content: 'edge.{{domain}}', ttl: 1, proxied: false },
        ],
        mode: 'replace',
        values: [],
      },
    }
    const { operation } = await run(request)
    expect(operation).toMatchObject({ done: count, failed: 0 })
    for (const zone of sims) {
      const held = [...recordsOf(panel.simulator.state, zone).values()]
      const texts = contentsOf(zone, 'TXT').join()
      expect(texts).toContain('v=spf1 -all')
      expect(texts).toContain('token=new')
      expect(texts).not.toContain('token=old')
      expect(held.filter(({ name }) => name.startsWith('swap.')).map(({ type, content }) => [type, content])).toEqual([
        ['CNAME', `edge.${zone.name}`],
      ])
    }
    await expect(ann.call.operations.preview({ request, target: { ids } })).rejects.toThrow('nothing_to_do')
    expect((await undo(operation.id)).operation).toMatchObject({ done: count, failed: 0 })
    expect(sims.map(heldBy)).toEqual(before)
  })

  test('over REST unused values, a template without values, an empty edit and content without a type are refused by field name', async () => {
    const post = (payload: object) =>
      app.inject({ method: 'POST', url: '/api/zones/bulk-dns?preview=true', headers: ann.headers, payload: { ids, ...payload } })
    const answer = await post({ edit: { type: 'A', set: { comment: 'seen' } } })
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({ preview: { operation: { kind: 'dns_edit' } } })
    const value = [{ domain: 'a.com', value: '1' }]
    const refusals: [object, string][] = [
      [{ add: [token] }, 'values'],
      [{ add: [{ ...token, content: 'fixed' }], values: value }, 'values'],
      [{ add: [token], values: [...value, ...value] }, 'values.1.domain'],
      [{ edit: { type: 'A', set: {} } }, 'edit.set'],
      [{ edit: { set: { ttl: 600 } } }, 'edit'],
      [{ edit: { name: '@', set: { content: 'x' } } }, 'edit.type'],
      [{ edit: { type: 'A', set: { ttl: 600 } }, delete: { type: 'A' } }, 'add'],
    ]
    for (const [payload, path] of refusals) {
      const refused = await post(payload)
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toMatchObject({ issues: [{ path }] })
    }
  })
})

test('R-DOM-08 settings of many domains, including Universal SSL and development mode, are changed and undone', async () => {
  const { operation } = await run({ kind: 'settings', input: { settings: { universalSsl: false, developmentMode: true, ssl: 'strict' } } })
  expect(operation).toMatchObject({ done: count, failed: 0 })
  expect(sims.map((zone) => panel.simulator.state.changesOf(zone).universalSsl)).toEqual(sims.map(() => false))
  expect(sims.map((zone) => (zone.developmentModeEndsMs ?? 0) > Date.now())).toEqual(sims.map(() => true))
  const back = await undo(operation.id)
  expect(back.operation).toMatchObject({ done: count, failed: 0 })
  expect(sims.map((zone) => panel.simulator.state.changesOf(zone).universalSsl)).toEqual(sims.map(() => true))
  expect(sims.map((zone) => (zone.developmentModeEndsMs ?? 0) > Date.now())).toEqual(sims.map(() => false))
  expect(sims.map((zone) => settingOf(zone, 'ssl'))).not.toContain('strict')
})

test('R-DOM-14 an address refused for one domain is reported there and changed everywhere else', async () => {
  const [odd] = sims
  panel.simulator.faults.add({ path: `/zones/${odd?.id}/dns_records*`, effect: { kind: 'forbidden' } })
  const { operation, items } = await run({ kind: 'ip', input: { ipAddress: '203.0.113.200', mode: 'replace' } })
  expect(operation).toMatchObject({ done: count - 1, failed: 1 })
  expect(items.filter(({ state }) => state === 'failed')).toEqual([
    expect.objectContaining({
      domain: odd?.name,
      code: expect.stringMatching(/^provider_/) as unknown,
      message: expect.any(String) as unknown,
    }),
  ])
  expect(new Set(sims.slice(1).flatMap((zone) => contentsOf(zone, 'A')))).toEqual(new Set(['203.0.113.200']))
  expect(contentsOf(odd, 'A')).not.toContain('203.0.113.200')
})

describe('the preview warns of what a record change would break', () => {
  const plansOf = async (request: OperationRequest) => {
    const preview = await ann.call.operations.preview({ request, target: { ids } })
    return { preview, ...(await itemsOf(preview.operation.id)) }
  }

  test('R-DNS-04 a record that conflicts with existing ones is excluded with the reason', async () => {
    await addEverywhere([{ type: 'CNAME', name: 'shop', content: 'target.example.net', ttl: 1, proxied: false }])
    await addEverywhere([{ type: 'A', name: 'mail', content: '203.0.113.7', ttl: 1, proxied: false }], ids.slice(0, 2))
    const add = (type: 'A' | 'CNAME', name: string, content: string) =>
      plansOf({ kind: 'dns_add', input: { records: [{ type, name, content, ttl: 1, proxied: false }], mode: 'add', values: [] } })
    const address = await add('A', 'shop', '203.0.113.8')
    expect(address.items.map(({ state, code }) => ({ state, code }))).toEqual(
      ids.map(() => ({ state: 'skipped', code: 'record_cname_there' })),
    )
    const { items } = await add('CNAME', 'mail', 'target.example.net')
    expect(items.filter(({ code }) => code === 'record_name_taken').map(({ zoneId: domainId }) => domainId)).toEqual(ids.slice(0, 2))
    expect(items.filter(({ state }) => state === 'pending')).toHaveLength(count - 2)
    await expect(add('CNAME', 'shop', 'TARGET.example.net.')).rejects.toThrow('nothing_to_do')
  })

  test('R-DNS-04 a record that is invalid for every domain is refused with the path of the field', async () => {
    const refused = (add: unknown) =>
      app.inject({ method: 'POST', url: '/api/zones/bulk-dns', headers: ann.headers, payload: { ids, add } as object })
    const empty = await refused([
      { type: 'A', name: 'x', content: '192.0.2.1' },
      { type: 'A', name: 'x', content: '' },
    ])
    expect(empty.statusCode).toBe(400)
    expect(empty.json()).toMatchObject({ issues: [{ path: 'add.1.content', message: expect.stringMatching(/ /) as unknown }] })
    expect((await refused([{ type: 'MX', name: 'x', content: 'mail.example.net' }])).json()).toMatchObject({
      issues: [{ path: 'add.0.priority' }],
    })
    const both = await refused([
      { type: 'A', name: 'x', content: '192.0.2.1' },
      { type: 'CNAME', name: 'x', content: 'example.net' },
    ])
    expect(both.json()).toMatchObject({ issues: [{ path: 'add.1.name' }] })
    const neither = await app.inject({ method: 'POST', url: '/api/zones/bulk-dns', headers: ann.headers, payload: { ids } })
    expect(neither.json()).toMatchObject({
      issues: [{ message: 'Specify exactly one: records to add, edit, or delete' }],
    })
  })

  test('R-ERR-03 a record refused by the provider is reported in the panel’s words beside the provider’s own', async () => {
    await addEverywhere([{ type: 'CNAME', name: 'shop', content: 'target.example.net', ttl: 1, proxied: false }])
    const answer = await app.inject({
      method: 'POST',
      url: `/api/zones/${ids[0]}/dns-records`,
      headers: ann.headers,
      payload: { type: 'CNAME', name: 'shop', content: 'other.example.net' },
    })
    expect(answer.json()).toMatchObject({
      code: 'provider_rejected',
      message: 'This name already has an A, AAAA, or CNAME record at Cloudflare. Edit or delete that record instead.',
      provider: { code: '81053' },
    })
  })

  test('R-DOM-14 warns about addresses of mail servers and the last address of a site', async () => {
    await addEverywhere([
      { type: 'MX', name: '@', content: 'post.any-host.net', priority: 10, ttl: 1, proxied: false },
      { type: 'A', name: 'blog', content: '203.0.113.7', ttl: 1, proxied: true },
    ])
    const [zone] = sims
    await addEverywhere(
      [
        { type: 'MX', name: '@', content: `mx.${zone?.name}`, priority: 20, ttl: 1, proxied: false },
        { type: 'A', name: 'mx', content: '203.0.113.8', ttl: 1, proxied: false },
      ],
      ids.slice(0, 1),
    )
    const moved = await plansOf({ kind: 'ip', input: { ipAddress: '203.0.113.99', mode: 'replace' } })
    expect(moved.items.filter(({ plan }) => plan.dangers.includes('mail_host_moves')).map(({ zoneId: domainId }) => domainId)).toContain(
      ids[0],
    )
    const host = await plansOf({ kind: 'dns_delete', input: { content: '203.0.113.8', match: 'whole' } })
    expect(host.preview.dangers).toEqual({ mail_host_goes: 1 })
    const site = await plansOf({ kind: 'dns_delete', input: { content: '203.0.113.7', match: 'whole' } })
    expect(site.preview.dangers).toEqual({ site_goes: count })
  })

  test('R-DOM-08 domains can be excluded from a draft by warning and included again; only the others are changed', async () => {
    const [first = ''] = ids
    const [zone] = sims
    await addEverywhere(
      [
        { type: 'MX', name: '@', content: `mx.${zone?.name}`, priority: 20, ttl: 1, proxied: false },
        { type: 'A', name: 'mx', content: '203.0.113.8', ttl: 1, proxied: false },
      ],
      [first],
    )
    const { preview } = await plansOf({ kind: 'ip', input: { ipAddress: '203.0.113.99', mode: 'replace' } })
    const { id } = preview.operation
    const warned = await ann.call.operations.items({ id, danger: 'mail_host_moves' })
    expect(warned.items.map(({ zoneId: domainId }) => domainId)).toEqual([first])

    const without = await ann.call.operations.exclude({ id, dangers: ['mail_host_moves'] })
    expect(without.operation).toMatchObject({ total: count, skipped: 1 })
    expect(without.dangers).not.toHaveProperty('mail_host_moves')
    expect(without.calls).toBeLessThan(preview.calls)
    const again = await ann.call.operations.exclude({ id, dangers: [] })
    expect(again).toMatchObject({ operation: { skipped: 0 }, dangers: preview.dangers, calls: preview.calls, seconds: preview.seconds })
    await ann.call.operations.exclude({ id, dangers: ['mail_host_moves'] })

    await ann.call.operations.start({ id })
    await ended(id)
    const { operation, items } = await ann.call.operations.items({ id })
    expect(operation).toMatchObject({ done: count - 1, skipped: 1 })
    expect(items.filter(({ state }) => state === 'skipped')).toMatchObject([{ zoneId: first, code: 'excluded' }])
    expect(contentsOf(zone, 'A')).toContain('203.0.113.8')
    await expect(ann.call.operations.exclude({ id, dangers: [] })).rejects.toThrow('operation_moved_on')
  })

  test('R-DOM-14 an IPv6 address is added beside IPv4 addresses', async () => {
    const { operation } = await run({ kind: 'ip', input: { ipAddress: '2001:db8::7', mode: 'add' } })
    expect(operation).toMatchObject({ done: count, skipped: 0 })
    for (const zone of sims) expect(contentsOf(zone, 'AAAA')).toContain('2001:db8::7')
  })
})

describe('filters match exactly', () => {
  test('R-DNS-04 records are deleted by their whole content, and by a part only if requested', async () => {
    const contents = ['203.0.113.1', '203.0.113.10', '203.0.113.199']
    await addEverywhere(
      contents.map((content, at) => ({ type: 'A', name: `exact${at}`, content, ttl: 1, proxied: false })),
      ids.slice(0, 1),
    )
    const planned = async (input: Extract<OperationRequest, { kind: 'dns_delete' }>['input']) => {
      const { operation } = await ann.call.operations.preview({ request: { kind: 'dns_delete', input }, target: { ids: ids.slice(0, 1) } })
      const [item] = (await itemsOf(operation.id)).items
      return ((item?.plan.before ?? []) as { name: string; content: string }[])
        .filter(({ name }) => name.startsWith('exact'))
        .map(({ content }) => content)
    }
    expect(await planned({ content: '203.0.113.1', match: 'whole' })).toEqual(['203.0.113.1'])
    const answer = await app.inject({
      method: 'POST',
      url: '/api/zones/bulk-dns?preview=true',
      headers: ann.headers,
      payload: { ids: ids.slice(0, 1), delete: { content: '203.0.113.1' } },
    })
    const { operation } = answer.json<{ operation: { id: string } }>()
    expect((await itemsOf(operation.id)).items.map(({ plan }) => plan.before)).toEqual([
      [expect.objectContaining({ content: '203.0.113.1' }) as unknown],
    ])
    expect(await planned({ content: '203.0.113.1', match: 'part' })).toEqual(['203.0.113.1'])
    expect(await planned({ content: '203.0.113.1*', match: 'part' })).toEqual(contents)
    await expect(planned({ type: 'A', contents: '203.0.113.1' } as never)).rejects.toThrow('contents')
  })

  test('R-DOM-02 a target by address selects the domains with that address, and an empty filter is refused', async () => {
    const [one, two] = ids as [string, string]
    await run({ kind: 'ip', input: { ipAddress: '198.18.7.1', mode: 'replace' } }, [one])
    await run({ kind: 'ip', input: { ipAddress: '198.18.7.10', mode: 'replace' } }, [two])
    const meant = async (filter: object) => {
      const { operation } = await ann.call.operations.preview({ request: { kind: 'refresh', input: {} }, target: { filter } })
      return (await itemsOf(operation.id)).items.map(({ zoneId: domainId }) => domainId)
    }
    expect(await meant({ ip: '198.18.7.1' })).toEqual([one])
    expect(new Set(await meant({ ip: '198.18.7.1*' }))).toEqual(new Set([one, two]))
    expect(await meant({})).toHaveLength(count)
    for (const filter of [{ ip: '' }, { ip: '198.18.7' }, { search: '' }, { email: ' ' }]) {
      await expect(meant(filter)).rejects.toThrow(/invalid_address_filter|required/)
    }
  })
})

test('an unknown field of an operation is refused by name instead of being ignored; an invalid address is reported as such', async () => {
  const dry = { kind: 'settings', input: { settings: { ssl: 'full', minTls: '1.3' } } } as const
  await expect(ann.call.operations.preview({ request: dry, target: { ids } })).rejects.toThrow('minTls')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/zones/bulk-ip-address',
    headers: ann.headers,
    payload: { ids, ipAddress: '203.0.113.300', dryRun: true },
  })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ issues: [{ path: 'ipAddress', message: 'Invalid IP address format' }, { path: 'dryRun' }] })
})

test('R-ACC-07 refreshing skips a domain whose disappearance is held, says whether it was decided, and refreshes the others', async () => {
  const { sql } = panel.services.db
  const [held, other] = ids as [string, string]
  const missing = sims[0]?.id ?? ''
  panel.simulator.state.removeZone(missing)
  await sql`insert into disappearances (account_id, keys, known, sampled, still_there) values (${accountId}, ${[missing]}, ${count}, 0, 0)`
  const refreshed = async () => {
    const { items } = await run({ kind: 'refresh', input: {} }, [held, other])
    return new Map(items.map(({ zoneId: domainId, state, code }) => [domainId, { state, code }]))
  }
  const done = { state: 'done', code: null }
  expect(await refreshed()).toEqual(
    new Map<string, object>([
      [held, { state: 'skipped', code: 'disappearance_undecided' }],
      [other, done],
    ]),
  )
  await ann.call.accounts.decideDisappearance({ id: accountId, decision: 'keep' })
  expect(await refreshed()).toEqual(
    new Map<string, object>([
      [held, { state: 'skipped', code: 'disappearance_kept' }],
      [other, done],
    ]),
  )
  expect(await sql`select id from zones where gone_at is not null`).toEqual([])
})
