import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import type { RunItem } from '#server/features/operations/operation-kind.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { porkbunKeys } from '#server/testing/test-registrars.ts'
import type { ProviderZoneId } from '#shared/ids.ts'
import { syncDueRegistrars } from './index.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 4, accounts: 1, recordsPerZone: 2 }, registrarNames: [] })
})
afterAll(() => panel.close())

const porkbun = { name: 'Pork', type: 'API_ENABLED', provider: 'PORKBUN', ...porkbunKeys } as const
const byHand = { name: 'By hand', username: 'anna', password: 'long-secret-word' } as const
const wanted = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']

async function stage() {
  const { services } = panel
  const me = await signIn(services)
  const key = panel.credential(0)
  const account = await insertAccount(
    services.db,
    { ownerId: me.user.id, email: key.email },
    { secrets: services.secrets, apiKey: key.globalKey },
  )
  const add = async (name: string, hostedId?: ProviderZoneId) => {
    const hosted = hostedId === undefined ? {} : { providerZoneId: hostedId }
    const zone = await insertZone(services.db, { ownerId: me.user.id, accountId: account.id, name, nameServers: wanted, ...hosted })
    return zone.id
  }
  const ctx = { ...services, actor: me.actor, requestId: 'test', address: null, userAgent: null, origin: null }
  return { ...me, services, add, ctx }
}

test('R-DOM-10 attaching and detaching a registrar are in the domain’s history and can be reverted', async () => {
  const { call, add } = await stage()
  const id = await add('kept.com')
  const { registrar } = await call.registrars.create(byHand)
  const { zone } = await call.registrars.setOfDomain({ id, registrarId: registrar.id })
  expect(zone).toMatchObject({ registrarId: registrar.id, registrar: { name: 'By hand' } })
  expect(await call.registrars.ofDomain({ id })).toMatchObject({ registrar: { id: registrar.id, domainsCount: 1 }, name: null })
  await expect(call.registrars.remove({ id: registrar.id })).rejects.toMatchObject({ cause: { code: 'registrar_in_use' } })

  const { entries } = await call.history.list({ id })
  expect(entries).toMatchObject([{ key: 'registrar', after: { value: { id: registrar.id, name: 'By hand' } } }])
  const ids = entries.map((entry) => entry.id)
  const plan = await call.history.previewRevert({ id, ids })
  await call.history.revert({ id, ids, token: plan.token })
  expect((await call.domains.get({ id })).zone).toMatchObject({ registrarId: null, registrar: null })
  await call.registrars.remove({ id: registrar.id })
})

test('R-DOM-02 the domain list filters by registrar with counts; shared domains show no registrar', async () => {
  const { call, add, services, user } = await stage()
  const [one, other] = [await add('bought-here.com'), await add('bought-there.com')]
  const { registrar } = await call.registrars.create(byHand)
  await call.registrars.setOfDomain({ id: one, registrarId: registrar.id })
  const filter = { registrarIds: [registrar.id] }
  const namesOf = async (asked: object) => (await call.domains.list({ filter: asked })).domains.map(({ name }) => name)
  expect(await namesOf(filter)).toEqual(['bought-here.com'])
  expect(await namesOf({ ...filter, search: 'there' })).toEqual([])
  expect(await namesOf({ ...filter, status: 'active' })).toEqual(['bought-here.com'])
  expect(await call.domains.summary({ filter })).toMatchObject({ matching: 1, facets: { status: { active: 1 } }, tiles: { total: 2 } })
  const preview = await call.operations.preview({ request: { kind: 'refresh', input: {} }, target: { filter } })
  expect(preview.operation.total).toBe(1)

  const friend = await signIn(services)
  const { accountId } = (await call.domains.get({ id: other })).zone
  await services.db.sql`
    insert into shares (owner_id, account_id, grantee_id, level) values (${user.id}, ${accountId}, ${friend.user.id}, 'manage')`
  expect((await friend.call.domains.list({})).domains).toHaveLength(2)
  expect((await friend.call.domains.list({ filter })).domains).toEqual([])
  expect(await friend.call.domains.summary({ filter })).toMatchObject({ matching: 0 })
})

test('R-REG-05 domains are filtered, counted and sorted by the expiry in the registrar’s list, which other users do not see', async () => {
  const { call, add, services, user } = await stage()
  const { registrars } = panel
  if (registrars === null) throw new Error('no registrars')
  const { names } = registrars.account
  const [days, noon] = [86_400_000, Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000]
  const ends = { 'paid-soon.com': 10, 'paid-long.com': 200, 'paid-over.com': -3 } as const
  for (const [name, left] of Object.entries(ends)) {
    const held = {
      createdAtMs: noon - 300 * days,
      autoRenew: left > 100,
      locked: false,
      privacy: true,
      nameServers: wanted,
      apiAccess: true,
    }
    names.set(name, { ...held, name, expiresAtMs: noon + left * days })
    await add(name)
  }
  await add('paid-nowhere.com')
  await call.registrars.create(porkbun)
  await syncDueRegistrars(services, new AbortController().signal)

  const list = async (filter: object, direction: 'asc' | 'desc' = 'asc', who = call) =>
    (await who.domains.list({ filter, sort: { by: 'paidUntil', direction } })).domains.map(({ name }) => name)
  const byEnd = ['paid-over.com', 'paid-soon.com', 'paid-long.com', 'paid-nowhere.com']
  expect(await list({})).toEqual(byEnd)
  expect(await list({}, 'desc')).toEqual(byEnd.toReversed())
  expect(await list({ registrar: 'none' })).toEqual(['paid-nowhere.com'])
  expect(await list({ paidUntil: 'over' })).toEqual(['paid-over.com'])
  expect(await list({ paidUntil: 30 })).toEqual(['paid-soon.com'])
  expect(await call.domains.summary({ filter: { paidUntil: 365 } })).toMatchObject({ matching: 2, tiles: { total: 4 } })
  const { data } = await call.domains.live({ paidUntil: '30' })
  expect(data).toMatchObject([{ name: 'paid-soon.com', paidUntil: new Date(noon + 10 * days).toISOString(), autoRenew: false }])

  // Renewed at the registrar, and picked up by the next reading.
  const soon = names.get('paid-soon.com')
  if (soon === undefined) throw new Error('not there')
  Object.assign(soon, { expiresAtMs: noon + 375 * days, autoRenew: true })
  names.delete('paid-over.com')
  // This registrar's list has no name servers; other registrars' lists have them.
  await services.db.sql`update registrar_names set name_servers = ${['ns1.old.net', 'ns2.old.net']} where name = 'paid-soon.com'`
  await services.db.sql`update registrars set next_sync_at = now() - interval '1 second'`
  await syncDueRegistrars(services, new AbortController().signal)
  expect(await list({})).toEqual(['paid-long.com', 'paid-soon.com', 'paid-nowhere.com', 'paid-over.com'])
  expect((await call.registrars.delegations({ which: 'elsewhere' })).delegations.map(({ name }) => name)).toEqual(['paid-soon.com'])
  const [long] = (await call.domains.list({ filter: { search: 'paid-long' } })).domains
  await call.registrars.setOfDomain({ id: long?.id ?? '', registrarId: null })
  expect((await call.domains.get({ id: long?.id ?? '' })).zone).toMatchObject({ registrarId: null, paidUntil: null, autoRenew: null })

  const friend = await signIn(services)
  await services.db.sql`
    insert into shares (owner_id, account_id, grantee_id, level) values (${user.id}, ${long?.accountId ?? ''}, ${friend.user.id}, 'manage')`
  const byName = ['paid-long.com', 'paid-nowhere.com', 'paid-over.com', 'paid-soon.com']
  expect(await list({}, 'asc', friend.call)).toEqual(byName)
  expect(await list({ paidUntil: 3_650 }, 'asc', friend.call)).toEqual([])
  const seen = await friend.call.domains.list({ sort: { by: 'paidUntil', direction: 'desc' }, limit: 1 })
  expect(seen.domains).toMatchObject([{ name: 'paid-soon.com', paidUntil: null, autoRenew: null }])
  const next = await friend.call.domains.list({ sort: { by: 'paidUntil', direction: 'desc' }, limit: 3, cursor: seen.nextCursor ?? '' })
  expect(next.domains.map(({ name }) => name)).toEqual(byName.toReversed().slice(1))
})

test('R-DOM-10 attaching to another person’s registrar fails as not found', async () => {
  const { call, add } = await stage()
  const stranger = await stage()
  const id = await add('mine-only.com')
  const { registrar } = await stranger.call.registrars.create(byHand)
  await expect(call.registrars.setOfDomain({ id, registrarId: registrar.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('R-DOM-10 an operation attaches many domains to a registrar; those already attached are skipped', async () => {
  const { call, add, ctx } = await stage()
  const ids = [await add('many-1.com'), await add('many-2.com')]
  const { registrar } = await call.registrars.create(byHand)
  await call.registrars.setOfDomain({ id: ids[0] ?? '', registrarId: registrar.id })
  const request = { kind: 'registrar', input: { registrarId: registrar.id } } as const
  const preview = await call.operations.preview({ request, target: { ids } })
  expect(preview).toMatchObject({ unchanged: 1, operation: { total: 1 } })
  const { items } = await call.operations.items({ id: preview.operation.id })
  expect(items).toMatchObject([{ domain: 'many-2.com', plan: { before: { registrar: null }, after: { registrar: 'By hand' } } }])
  const own = { domainId: ids[1], operationId: preview.operation.id, accountId: '', name: 'many-2.com', attempt: 1 }
  const item = { ...items[0], ...own } as unknown as RunItem
  await operationKinds['registrar']?.run(ctx, item, request.input, new AbortController().signal)
  expect((await call.registrars.get({ id: registrar.id })).registrar.domainsCount).toBe(2)
})

test('R-REG-05 the registrar receives the domain’s Cloudflare name servers once', async () => {
  const { call, add, ctx, services } = await stage()
  const { registrars } = panel
  if (registrars === null) throw new Error('no registrars')
  const { account, simulator } = registrars
  const days = 86_400_000
  account.names.set('bought.com', {
    name: 'bought.com',
    createdAtMs: Date.now() - 100 * days,
    expiresAtMs: Date.now() + 265 * days,
    autoRenew: true,
    locked: false,
    privacy: true,
    nameServers: ['ns1.old.net', 'ns2.old.net'],
    apiAccess: true,
  })
  const id = await add('bought.com')
  const unassigned = await add('nowhere.com')
  const manual = await add('manual.com')
  const { registrar } = await call.registrars.create(porkbun)
  const hand = await call.registrars.create(byHand)
  await call.registrars.setOfDomain({ id: manual, registrarId: hand.registrar.id })
  await syncDueRegistrars(services, new AbortController().signal)
  // Its name is listed by the registrar, so it is attached automatically.
  const known = await call.registrars.ofDomain({ id })
  expect(known).toMatchObject({ registrar: { id: registrar.id }, name: { name: 'bought.com', autoRenew: true, zoneId: id } })

  const { entries } = await call.history.list({ id })
  expect(entries).toMatchObject([{ key: 'registrar', source: 'outside', after: { value: { id: registrar.id, name: 'Pork' } } }])
  const { activityLogs } = await call.activity.list({})
  expect(activityLogs).toContainEqual(expect.objectContaining({ action: 'update', entityId: registrar.id, details: { attached: 1 } }))

  const request = { kind: 'name_servers', input: {} } as const
  const preview = await call.operations.preview({ request, target: { ids: [id, unassigned, manual] } })
  const { items } = await call.operations.items({ id: preview.operation.id })
  expect(Object.fromEntries(items.map((item) => [item.domain, item.code]))).toEqual({
    'bought.com': null,
    'manual.com': 'registrar_manual',
    'nowhere.com': 'registrar_none',
  })
  const planned = items.find(({ domain }) => domain === 'bought.com')
  expect(planned?.plan.after).toEqual({ nameServers: wanted })
  // One read and one change, at the registrar's rate of one call per second.
  expect(preview).toMatchObject({ calls: 2, seconds: 1, bottleneck: { account: 'Pork', items: 1 } })

  const item = {
    ...planned,
    domainId: id,
    operationId: preview.operation.id,
    accountId: '',
    name: 'bought.com',
    attempt: 1,
    worker: 1,
  } as unknown as RunItem
  const run = () => operationKinds['name_servers']?.run(ctx, item, {}, new AbortController().signal)
  await run()
  expect(account.names.get('bought.com')?.nameServers).toEqual(wanted)
  const sent = () => simulator.journal.recent().filter(({ path }) => path.includes('updateNs')).length
  expect(sent()).toBe(1)
  await run()
  expect(sent()).toBe(1)
  const after = await call.operations.preview({ request, target: { ids: [id] } }).catch((error: unknown) => error)
  expect(after).toMatchObject({ cause: { code: 'nothing_to_do' } })
})

test('name servers set at a registrar can be reverted unless they have been changed since', async () => {
  const { call, add, services } = await stage()
  const { registrars } = panel
  if (registrars === null) throw new Error('no registrars')
  const { account } = registrars
  const old = ['ns1.old.net', 'ns2.old.net']
  const names = ['back.com', 'changed.com', 'changed-late.com', 'set-before.com']
  for (const name of names) {
    account.names.set(name, {
      name,
      createdAtMs: Date.now() - 8_640_000_000,
      expiresAtMs: Date.now() + 8_640_000_000,
      autoRenew: true,
      locked: false,
      privacy: true,
      nameServers: name === 'set-before.com' ? wanted : old,
      apiAccess: true,
    })
  }
  const ids = new Map(await Promise.all(names.map(async (name) => [name, await add(name)] as const)))
  await call.registrars.create(porkbun)
  await syncDueRegistrars(services, new AbortController().signal)
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const ended = (id: string) =>
    expect.poll(async () => (await call.operations.items({ id })).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  const serversOf = (name: string) => account.names.get(name)?.nameServers
  // Signed at the earlier name servers, with a key that Cloudflare does not have.
  panel.simulator.state.registrarDs.add('back.com')
  const { operation, dangers } = await call.operations.preview({
    request: { kind: 'name_servers', input: {} },
    target: { ids: [...ids.values()] },
  })
  expect(dangers).toEqual({ ds_of_other_key: 1 })
  await call.operations.start({ id: operation.id })
  await ended(operation.id)
  expect(names.map(serversOf)).toEqual(names.map(() => wanted))
  const shown = await call.registrars.ofDomain({ id: ids.get('back.com') ?? '' })
  expect(shown.name).toMatchObject({ nameServers: wanted, nameServersAt: expect.any(String) as unknown })

  // One known to the panel, and one known only to the registrar.
  const others = ['ns1.other.net', 'ns2.other.net']
  for (const name of ['changed.com', 'changed-late.com']) {
    const held = account.names.get(name)
    if (held !== undefined) account.names.set(name, { ...held, nameServers: others })
  }
  await services.db.sql`update registrar_names set name_servers = ${others} where name = 'changed.com'`
  const undo = await call.operations.previewUndo({ id: operation.id })
  expect(undo.dangers).toEqual({ leaves_cloudflare: 2, ds_stays: 1 })
  const planned = (await call.operations.items({ id: undo.operation.id })).items
  expect(Object.fromEntries(planned.map(({ domain, code }) => [domain, code]))).toEqual({
    'back.com': null,
    'changed.com': 'changed_since',
    'changed-late.com': null,
    'set-before.com': 'nothing_to_take_back',
  })
  expect(planned.find(({ domain }) => domain === 'back.com')?.plan).toMatchObject({
    before: { nameServers: wanted },
    after: { nameServers: old },
  })
  await call.operations.start({ id: undo.operation.id })
  await ended(undo.operation.id)
  const { items } = await call.operations.items({ id: undo.operation.id })
  expect(Object.fromEntries(items.map(({ domain, state, code }) => [domain, `${state} ${code}`]))).toMatchObject({
    'back.com': 'done null',
    'changed-late.com': 'skipped changed_since',
  })
  expect(names.map(serversOf)).toEqual([old, others, others, wanted])
  const first = (await call.operations.items({ id: operation.id })).items
  expect(first.find(({ domain }) => domain === 'back.com')?.state).toBe('undone')
})

/** A zone at Cloudflare whose name is held at Porkbun. */
async function stageDs(index: number) {
  const staged = await stage()
  const { call, add } = staged
  const { registrars, simulator } = panel
  const zone = [...simulator.state.zonesById.values()][index]
  if (registrars === null || zone === undefined) throw new Error('no registrars or zone')
  const { name } = zone
  registrars.account.names.set(name, {
    name,
    createdAtMs: Date.now() - 8_640_000_000,
    expiresAtMs: Date.now() + 8_640_000_000,
    autoRenew: true,
    locked: false,
    privacy: true,
    nameServers: wanted,
    apiAccess: true,
  })
  const id = await add(name, zone.id)
  const { registrar } = await call.registrars.create(porkbun)
  const attach = () => call.registrars.setOfDomain({ id, registrarId: registrar.id })
  const turn = (dnssec: boolean) => call.zoneSettings.update({ id, dnssec })
  const setDs = (published: boolean) => call.registrars.setDs({ id, published })
  const held = () => registrars.account.names.get(name)?.dsRecords ?? []
  const shown = async () => (await call.zoneSettings.ds({ id })).ds.wanted
  const refused = (code: string) => expect(setDs(true)).rejects.toMatchObject({ cause: { code } })
  return { ...staged, registrars, id, zone, attach, turn, setDs, held, shown, refused }
}

test('the registrar gets the DS record only while DNSSEC is on, once, and loses it before DNSSEC is turned off', async () => {
  const { call, registrars, id, attach, turn, setDs, held, shown, refused } = await stageDs(0)
  await refused('registrar_none')
  await attach()
  await refused('dnssec_disabled')

  await turn(true)
  const record = await shown()
  expect(await setDs(true)).toEqual({ records: [record] })
  await setDs(true)
  const created = registrars.simulator.journal.recent().filter(({ url }) => url.includes('createDnssecRecord'))
  expect(created).toHaveLength(1)
  expect(held()).toEqual([record])

  await turn(false)
  expect(await setDs(false)).toEqual({ records: [] })
  expect(held()).toEqual([])

  const manual = await call.registrars.create(byHand)
  await call.registrars.setOfDomain({ id, registrarId: manual.registrar.id })
  await expect(setDs(false)).rejects.toMatchObject({ cause: { code: 'registrar_manual' } })
})

test('the DS record follows Cloudflare: DNSSEC turned off there or with another key than shown is refused, and then shown', async () => {
  const { call, services, id, zone, attach, turn, setDs, held, shown, refused } = await stageDs(1)
  await attach()
  await turn(true)
  const outside = (enabled: boolean) => {
    panel.simulator.state.changesOf(zone).dnssec = { enabled, modifiedOnMs: Date.now() }
  }
  outside(false)
  await refused('dnssec_disabled')
  expect(held()).toEqual([])
  expect((await call.domains.settings({ id })).settings).toMatchObject({ dnssec: false, dnssecState: { status: 'disabled' } })
  const [change] = (await call.history.list({ id })).entries
  expect(change).toMatchObject({ key: 'dnssec', source: 'outside', before: { value: true }, after: { value: false } })

  outside(true)
  const key = await shown()
  await services.db.sql`update zone_settings set "values" = jsonb_set("values", '{dnssec,details,keyTag}', '1') where zone_id = ${id}`
  await refused('dnssec_key_changed')
  expect(held()).toEqual([])
  expect(await shown()).toEqual(key)
  expect(await setDs(true)).toEqual({ records: [key] })
})

test('a change of the DS record whose response was lost is found by a reading and is in the activity log', async () => {
  const { registrars, services, id, attach, turn, setDs, held } = await stageDs(2)
  const logged = async () => {
    const rows = await services.db.sql<{ details: { dsRecords: { from: string[]; to: string[] | null } } }[]>`
      select details from activity where entity_id = ${id} and details ? 'dsRecords' order by id`
    return rows.map(({ details: { dsRecords } }) => [dsRecords.from.length, dsRecords.to?.length ?? null])
  }
  await attach()
  await turn(true)
  await setDs(true)
  registrars.simulator.faults.add({ path: '*deleteDnssecRecord*', times: 1, effect: { kind: 'error-after-write' } })
  expect(await setDs(false)).toEqual({ records: [] })
  expect([held(), await logged()]).toEqual([
    [],
    [
      [0, 1],
      [1, 0],
    ],
  ])
  // A refusal that had no effect is reported, and not logged.
  await setDs(true)
  registrars.simulator.faults.add({ path: '*deleteDnssecRecord*', times: 1, effect: { kind: 'forbidden' } })
  await expect(setDs(false)).rejects.toMatchObject({ cause: { code: 'registrar_forbidden' } })
  expect(await logged()).toHaveLength(3)
})

/** Runs a prepared operation to its end, or until everything waits. */
async function runTo(call: SignedIn['call'], id: string, state: string) {
  await call.operations.start({ id })
  await expect.poll(async () => (await call.operations.items({ id })).operation.state, { timeout: 30_000, interval: 20 }).toBe(state)
}

test('an operation turns DNSSEC on with the DS record, and off only when no resolver has it any more; its undo turns both back', async () => {
  const { call, services, id, zone, attach, held } = await stageDs(3)
  const { state } = panel.simulator
  const runner = await startOperations(services, operationKinds)
  onTestFinished(() => runner.stop())
  const preview = async (enabled: boolean) =>
    (await call.operations.preview({ request: { kind: 'dnssec', input: { enabled } }, target: { ids: [id] } })).operation.id
  const dnssec = async () => (await call.domains.settings({ id })).settings.dnssec
  const publish = (published: boolean) => (published ? state.registrarDs.add(zone.name) : state.registrarDs.delete(zone.name))
  const waits = (operationId: string, code: string) =>
    expect
      .poll(async () => (await call.operations.items({ id: operationId })).items.map((item) => `${item.state} ${item.code}`), {
        timeout: 30_000,
        interval: 20,
      })
      .toEqual([`waiting ${code}`])
  const goOn = (operationId: string) =>
    services.db.sql`update operation_items set wait_until = now() where operation_id = ${operationId} and state = 'waiting'`
  await attach()

  const on = await preview(true)
  await runTo(call, on, 'done')
  expect([await dnssec(), held().length]).toEqual([true, 1])
  publish(true)

  const off = await preview(false)
  await runTo(call, off, 'waiting')
  // The registrar has no record any more, but public DNS does.
  await waits(off, 'dnssec_ds_published')
  expect([await dnssec(), held()]).toEqual([true, []])
  publish(false)
  await goOn(off)
  await waits(off, 'dnssec_ds_cached')
  expect(await dnssec()).toBe(true)
  // A day later.
  await services.db
    .sql`update operation_items set result = jsonb_set(result, '{goneAtMs}', to_jsonb((result ->> 'goneAtMs')::float8 - 86400000))
    where operation_id = ${off}`
  await goOn(off)
  await expect.poll(async () => (await call.operations.items({ id: off })).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  expect(await dnssec()).toBe(false)

  const back = (await call.operations.previewUndo({ id: off })).operation.id
  await runTo(call, back, 'done')
  expect([await dnssec(), held().length]).toEqual([true, 1])
  expect((await call.operations.items({ id: off })).items.map((item) => item.state)).toEqual(['undone'])
  await expect(preview(true)).resolves.toBeTypeOf('string')
})

test('without a registrar that takes DS records the preview says what a person has to do, and DNSSEC waits even if no DS record is seen', async () => {
  const { call, services, id } = await stageDs(3)
  const runner = await startOperations(services, operationKinds)
  onTestFinished(() => runner.stop())
  const preview = (enabled: boolean) => call.operations.preview({ request: { kind: 'dnssec', input: { enabled } }, target: { ids: [id] } })
  await services.db.sql`update zones set status = 'pending' where id = ${id}`
  const early = (await preview(true)).operation.id
  expect((await call.operations.items({ id: early })).items).toMatchObject([{ state: 'skipped', code: 'dnssec_zone_inactive' }])
  await services.db.sql`update zones set status = 'active' where id = ${id}`
  const on = await preview(true)
  expect(on.dangers).toEqual({ ds_by_hand: 1 })
  await runTo(call, on.operation.id, 'done')
  const off = await preview(false)
  expect(off.dangers).toEqual({ ds_removed_by_hand: 1, dnssec_waits: 1 })
  // A resolver may have a record that ours has not.
  await runTo(call, off.operation.id, 'waiting')
  expect((await call.domains.settings({ id })).settings.dnssec).toBe(true)
  await call.operations.cancel({ id: off.operation.id })
  await services.db.sql`update operation_items set wait_until = now() where operation_id = ${off.operation.id} and state = 'waiting'`
  await expect
    .poll(async () => (await call.operations.items({ id: off.operation.id })).items.map(({ state }) => state), {
      timeout: 30_000,
      interval: 20,
    })
    .toEqual(['cancelled'])
})

test('the undo of DNSSEC that was turned on keeps DS records of others, and covers items that failed after the first step', async () => {
  const { call, services, id, attach, registrars, zone, held } = await stageDs(3)
  const runner = await startOperations(services, operationKinds)
  onTestFinished(() => runner.stop())
  await attach()
  const other = { keyTag: 99, algorithm: 13, digestType: 2, digest: 'CD'.repeat(32) }
  const entry = registrars.account.names.get(zone.name)
  if (entry !== undefined) entry.dsRecords = [other]
  registrars.simulator.faults.add({ path: '*createDnssecRecord*', times: 1, effect: { kind: 'forbidden' } })
  const on = await call.operations.preview({ request: { kind: 'dnssec', input: { enabled: true } }, target: { ids: [id] } })
  await runTo(call, on.operation.id, 'done')
  expect((await call.operations.items({ id: on.operation.id })).items).toMatchObject([{ state: 'failed', code: 'registrar_forbidden' }])
  expect(held()).toEqual([other])
  const undo = await call.operations.previewUndo({ id: on.operation.id })
  await runTo(call, undo.operation.id, 'waiting')
  expect(held()).toEqual([other])
})
