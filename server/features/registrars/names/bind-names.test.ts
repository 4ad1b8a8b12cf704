import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { porkbunKeys } from '#server/testing/test-registrars.ts'
import { syncDueRegistrars } from '../index.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel({
    world: { zones: 4, accounts: 1, recordsPerZone: 2 },
    registrarNames: [
      'to-bind-1.com',
      'to-bind-2.com',
      'moved.com',
      'waits.com',
      'added.com',
      'in-dns.com',
      'nowhere-yet.com',
      'told-by-dns.com',
      'elsewhere-at-cloudflare.com',
      'added-unasked.com',
    ],
  })
})
afterAll(() => panel.close())

const byHand = { name: 'By hand', username: 'anna', password: 'long-secret-word' } as const
const parked = ['ns1.parked.example', 'ns2.parked.example']

async function stage() {
  const { services } = panel
  const me = await signIn(services)
  const key = panel.credential(0)
  const account = await insertAccount(
    services.db,
    { ownerId: me.user.id, email: key.email, providerUserId: key.userId },
    { secrets: services.secrets, apiKey: key.globalKey },
  )
  const { registrar } = await me.call.registrars.create({ name: 'Pork', type: 'API_ENABLED', provider: 'PORKBUN', ...porkbunKeys })
  await syncDueRegistrars(services, new AbortController().signal)
  return { ...me, services, accountId: account.id, ownerId: me.user.id, registrarId: registrar.id }
}

const atRegistrar = (name: string) => panel.registrars?.account.names.get(name)?.nameServers ?? []

test('R-DOM-06 a domain added without a registrar is attached to the one that lists its name; its name servers there change only on request', async () => {
  const { call, services, accountId, registrarId } = await stage()
  const before = atRegistrar('added-unasked.com')
  const { zone, problems } = await call.zoneCreation.create({ domainName: 'added-unasked.com', accountId, ipAddress: '192.0.2.7' })
  expect(problems).toEqual([])
  expect((await call.registrars.ofDomain({ id: zone.id })).registrar).toMatchObject({ id: registrarId, type: 'API_ENABLED' })
  expect(atRegistrar('added-unasked.com')).toEqual(before)

  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const { operation } = await call.operations.preview({ request: { kind: 'name_servers', input: {} }, target: { ids: [zone.id] } })
  await call.operations.start({ id: operation.id })
  await expect
    .poll(async () => (await call.operations.items({ id: operation.id })).operation.state, { timeout: 30_000, interval: 20 })
    .toBe('done')
  expect(atRegistrar('added-unasked.com')).toEqual(zone.nameServers.toSorted())
})

test('R-BUY-04 unbound names are bound in bulk: zone, registrar and name servers; repeating it sends nothing more', async () => {
  const { call, actor, services, accountId, registrarId } = await stage()
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const unbound = await call.registrars.names({ which: 'unbound' })
  const names = unbound.names.map(({ name }) => name).filter((name) => name.startsWith('to-bind'))
  expect(names).toEqual(['to-bind-1.com', 'to-bind-2.com'])

  const { operation, calls } = await call.operations.previewCreate({
    domains: names.map((name) => ({ name, registrarId })),
    accountIds: [accountId],
  })
  const planned = await call.operations.items({ id: operation.id })
  expect(planned.items.map(({ plan }) => plan.after)).toMatchObject([{ registrar: 'Pork' }, { registrar: 'Pork' }])
  // Both reads and both changes at the registrar count in addition to the Cloudflare calls.
  expect(calls).toBe(planned.items.reduce((sum, { plan }) => sum + plan.calls, 0) + 4)

  await call.operations.start({ id: operation.id })
  const itemsOf = () => call.operations.items({ id: operation.id })
  await expect.poll(async () => (await itemsOf()).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  const { items } = await itemsOf()
  expect(items.map(({ state }) => state)).toEqual(['done', 'done'])
  for (const { domain, nameServers } of items) expect(atRegistrar(domain)).toEqual(nameServers?.toSorted())
  // No one is asked to set them a second time.
  expect(items.map(({ serversSet }) => serversSet)).toEqual([true, true])
  expect((await call.registrars.names({ which: 'unbound' })).names.map(({ name }) => name)).not.toContain('to-bind-1.com')

  const sent = () => panel.registrars?.simulator.journal.recent().filter(({ path }) => path.includes('updateNs')).length
  const before = sent()
  const [first] = planned.items
  const item = { ...first, plan: { ...first?.plan, work: { ipAddress: null, groupId: null, registrarId, named: false, later: false } } }
  const input = { domains: [], accountIds: [accountId], createWww: true, enableProxy: true, sslMode: 'flexible', alwaysHttps: true }
  const run = operationKinds['create']?.run(
    { ...services, actor, requestId: 'test', address: null, userAgent: null, origin: null },
    { ...item, operationId: operation.id, accountId, name: first?.domain ?? '', attempt: 2, worker: 0 } as never,
    input,
    new AbortController().signal,
  )
  await expect(run).resolves.toMatchObject({ state: 'done' })
  expect(sent()).toBe(before)

  const undo = await call.operations.previewUndo({ id: operation.id })
  expect(undo.dangers).toMatchObject({ zone_goes: 2, name_servers_stay: 2 })
})

test('R-BUY-04 current name servers are shown for names without a zone, in the list and in the plan; for another person’s names nothing is shown', async () => {
  const { call, services, accountId, registrarId } = await stage()
  const dns = panel.simulator.state.registrarNameServers
  dns.set('in-dns.com', ['ns2.old.example', 'ns1.old.example'])
  onTestFinished(() => void dns.delete('in-dns.com'))
  const { names } = await call.registrars.names({ which: 'unbound' })
  const idOf = (wanted: string) => names.find(({ name }) => name === wanted)?.id ?? ''
  const ids = [idOf('in-dns.com'), idOf('nowhere-yet.com')]
  const { results } = await call.registrars.serversNow({ ids })
  expect(results.map(({ id, nameServers }) => [id, nameServers])).toEqual([
    [ids[0], ['ns1.old.example', 'ns2.old.example']],
    [ids[1], []],
  ])
  const domains = ['in-dns.com', 'nowhere-yet.com'].map((name) => ({ name, registrarId }))
  const { operation } = await call.operations.previewCreate({ domains, accountIds: [accountId] })
  const { items } = await call.operations.items({ id: operation.id })
  expect(items.map(({ domain, plan }) => [domain, (plan.after as { nameServers: unknown }).nameServers])).toEqual([
    ['in-dns.com', { now: ['ns1.old.example', 'ns2.old.example'] }],
    ['nowhere-yet.com', { now: [] }],
  ])
  // Results are cached for a minute.
  dns.set('in-dns.com', ['ns1.new.example'])
  expect((await call.registrars.serversNow({ ids })).results[0]).toMatchObject({ nameServers: ['ns1.old.example', 'ns2.old.example'] })

  const stranger = await signIn(services)
  expect((await stranger.call.registrars.serversNow({ ids })).results).toEqual([])
})

test('R-BUY-04 the plan warns that another account may have the zone when DNS already points the name to Cloudflare', async () => {
  const { call, accountId, registrarId } = await stage()
  const dns = panel.simulator.state.registrarNameServers
  const names = {
    'elsewhere-at-cloudflare.com': ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    'waits.com': ['ns1.cloudflare.com.example'],
  }
  for (const [name, servers] of Object.entries(names)) dns.set(name, servers)
  onTestFinished(() => Object.keys(names).forEach((name) => void dns.delete(name)))
  const domains = Object.keys(names).map((name) => ({ name, registrarId }))
  const { operation, dangers } = await call.operations.previewCreate({ domains, accountIds: [accountId] })
  expect(dangers).toMatchObject({ live_in_other_account: 1 })
  const { items } = await call.operations.items({ id: operation.id })
  expect(items.map(({ domain, plan }) => [domain, plan.dangers.includes('live_in_other_account')])).toEqual([
    ['elsewhere-at-cloudflare.com', true],
    ['waits.com', false],
  ])
})

test('R-REG-05 name servers from DNS are shown when the registrar’s list does not include them', async () => {
  const { call, services, accountId, ownerId, registrarId } = await stage()
  const wanted = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
  const dns = panel.simulator.state.registrarNameServers
  dns.set('told-by-dns.com', ['ns1.old.example'])
  onTestFinished(() => void dns.delete('told-by-dns.com'))
  const { id } = await insertZone(services.db, {
    ownerId,
    accountId,
    name: 'told-by-dns.com',
    status: 'pending',
    nameServers: wanted,
    registrarId,
  })
  const { operation } = await call.operations.preview({ request: { kind: 'name_servers', input: {} }, target: { ids: [id] } })
  const { items } = await call.operations.items({ id: operation.id })
  expect(items[0]?.plan).toMatchObject({ before: { nameServers: ['ns1.old.example'] }, after: { nameServers: wanted } })
})

test('R-DOM-06 adding one domain with its registrar keeps the zone and reports the error if the registrar fails', async () => {
  const { call, accountId, registrarId } = await stage()
  const { registrar: hand } = await call.registrars.create(byHand)
  const add = (domainName: string, id: string) =>
    call.zoneCreation.create({ domainName, accountId, ipAddress: '192.0.2.9', registrarId: id })
  const added = await add('added.com', registrarId)
  expect(added).toMatchObject({ problems: [], zone: { registrar: { name: 'Pork' } } })
  expect(atRegistrar('added.com')).toEqual(added.zone.nameServers.toSorted())
  // Not among the registrar's names.
  const absent = await add('not-there.com', registrarId)
  expect(absent.problems).toMatchObject([{ part: 'name_servers', code: 'registrar_not_found' }])
  expect(absent.zone.registrarId).toBe(registrarId)
  expect(await add('by-hand.com', hand.id)).toMatchObject({ problems: [], zone: { registrarId: hand.id } })
})

test('R-PRM-02 another person’s registrar is not found when adding domains', async () => {
  const { call, accountId } = await stage()
  const stranger = await stage()
  const input = { accountIds: [accountId], domains: ['not-mine.com'], registrarId: stranger.registrarId }
  await expect(call.operations.previewCreate(input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(
    call.zoneCreation.create({ domainName: 'not-mine.com', accountId, ipAddress: '192.0.2.9', registrarId: stranger.registrarId }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })

  // A user who sees both people's objects gets the reason why they do not match.
  const { call: admin } = await signIn(panel.services, { role: 'admin' })
  const other = { cause: { code: 'registrar_other_owner' } }
  await expect(admin.operations.previewCreate(input)).rejects.toMatchObject(other)
  const one = { domainName: 'not-mine.com', accountId, ipAddress: '192.0.2.9', registrarId: stranger.registrarId }
  await expect(admin.zoneCreation.create(one)).rejects.toMatchObject(other)
})

test('R-REG-05 domains waiting for name servers are grouped by assigned pair and show the current ones at the registrar', async () => {
  const { call, services, accountId, ownerId, registrarId } = await stage()
  const insert = (name: string, status: 'active' | 'pending', nameServers: string[], at: string | null = null) =>
    insertZone(services.db, { ownerId, accountId, name, status, nameServers, registrarId: at })
  const { registrar: hand } = await call.registrars.create(byHand)
  const [ada, eve] = [
    ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    ['eve.ns.cloudflare.com', 'fay.ns.cloudflare.com'],
  ]
  if (ada === undefined || eve === undefined) throw new Error('no pairs')
  await insert('right.com', 'active', ada)
  await insert('by-hand-1.com', 'pending', ada, hand.id)
  const second = await insert('by-hand-2.com', 'pending', ada, hand.id)
  await insert('waits.com', 'pending', eve, registrarId)
  await services.db.sql`update registrar_names set name_servers = ${parked} where name = 'moved.com' and registrar_id = ${registrarId}`
  await insert('moved.com', 'active', eve, registrarId)
  const all = await call.registrars.delegations({})
  expect(all.total).toBe(4)
  expect(all.pairs).toEqual([
    { nameServers: ada, count: 2 },
    { nameServers: eve, count: 2 },
  ])
  expect(all.delegations.map(({ name, state }) => [name, state])).toEqual([
    ['by-hand-1.com', 'waiting'],
    ['by-hand-2.com', 'waiting'],
    ['moved.com', 'elsewhere'],
    ['waits.com', 'waiting'],
  ])
  expect(all.delegations[2]).toMatchObject({ atRegistrar: parked, registrar: { id: registrarId, type: 'API_ENABLED' } })
  const first = await call.registrars.delegations({ limit: 3 })
  expect((await call.registrars.delegations({ limit: 3, cursor: first.nextCursor ?? '' })).delegations.map(({ name }) => name)).toEqual([
    'waits.com',
  ])
  expect((await call.registrars.delegations({ registrar: 'MANUAL' })).total).toBe(2)
  expect((await call.registrars.delegations({ which: 'elsewhere' })).delegations.map(({ name }) => name)).toEqual(['moved.com'])
  expect((await call.registrars.delegationNames({ registrar: hand.id, nameServers: ada })).names).toEqual([
    'by-hand-1.com',
    'by-hand-2.com',
  ])

  // Once Cloudflare has seen them, they leave the list.
  await services.db.sql`update zones set status = 'active' where id = ${second.id}`
  expect((await call.registrars.delegations({ registrar: 'MANUAL' })).delegations.map(({ name }) => name)).toEqual(['by-hand-1.com'])

  const stranger = await stage()
  expect((await stranger.call.registrars.delegations({})).total).toBe(0)
  const { results } = await call.zoneSettings.checkNameServers({ ids: [second.id] })
  expect(results).toMatchObject([{ id: second.id, nameServers: { wanted: ada } }])
  expect((await stranger.call.zoneSettings.checkNameServers({ ids: [second.id] })).results).toEqual([])
})
