import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'

let panel: TestPanel
let ann: SignedIn
/** The panel's accounts in the order of the simulated ones. */
let accountIds: string[]

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 4, accounts: 3, recordsPerZone: 2 } })
})
afterAll(() => panel.close())

beforeEach(async () => {
  panel.simulator.reset()
  const { services } = panel
  await emptyTables(services.db, 'users')
  ann = await signIn(services)
  accountIds = []
  for (const index of [0, 1, 2]) {
    const { email, globalKey, userId } = panel.credential(index)
    const account = await insertAccount(
      services.db,
      { ownerId: ann.user.id, email, providerUserId: userId },
      { secrets: services.secrets, apiKey: globalKey },
    )
    accountIds.push(account.id)
  }
})

const accountId = (index = 0) => accountIds[index] ?? ''
const simAccount = (index: number) => {
  const account = panel.simulator.state.accountsById.get(panel.credential(index).accountId)
  if (account === undefined) throw new Error('no account')
  return account
}
const add = (more: object = {}) =>
  ann.call.zoneCreation.create({ domainName: 'new-one.com', accountId: accountId(), ipAddress: '192.0.2.7', ...more })
function simZone(name: string): SimZone {
  const [zone, ...others] = panel.simulator.state.zonesNamed(name)
  if (zone === undefined || others.length > 0) throw new Error(`${others.length} zones too many, or none: ${name}`)
  return zone
}
const recordsOf = (name: string) =>
  [...(panel.simulator.state.changesOf(simZone(name)).records?.values() ?? [])]
    .map((record) => `${record.type} ${record.name} ${record.content} ${record.proxied ? 'proxied' : 'open'}`)
    .toSorted()
const settingsOf = (name: string) => {
  const { settings } = panel.simulator.state.changesOf(simZone(name))
  return { ssl: settings.get('ssl')?.value, https: settings.get('always_use_https')?.value }
}
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('R-DOM-05 one domain', () => {
  test('R-DOM-06 is added with its address, www, SSL mode and Always Use HTTPS, and the name servers are returned', async () => {
    const { zone, problems } = await add()
    expect(problems).toEqual([])
    expect(zone).toMatchObject({ name: 'new-one.com', status: 'pending', recordsCount: 2, sslMode: 'flexible', https: true })
    expect(zone.nameServers).toEqual(simZone('new-one.com').nameServers)
    expect(recordsOf('new-one.com')).toEqual(['A new-one.com 192.0.2.7 proxied', 'CNAME www.new-one.com new-one.com proxied'])
    expect(settingsOf('new-one.com')).toEqual({ ssl: 'flexible', https: 'on' })
    expect((await ann.call.domains.list({})).domains.map(({ name }) => name)).toEqual(['new-one.com'])
  })

  test('is created in the credential’s own account, even if it listed zones of an accessible colleague’s account first', async () => {
    // A guest in the first account, whose zones this credential listed first.
    const [host, own] = [panel.credential(0).accountId, panel.credential(1).accountId]
    const guest = panel.simulator.state.usersById.get(panel.credential(1).userId)
    if (guest === undefined) throw new Error('no user')
    guest.accountIds = [host, own]
    await insertZones(panel.services.db, { ownerId: ann.user.id, accountId: accountId(1) }, 3)
    await panel.services.db.sql`update zones set provider_account_id = ${host}`
    await panel.services.db.sql`update accounts set provider_account_ids = array[${host}] where id = ${accountId(0)}`
    await add({ accountId: accountId(1) })
    expect(simZone('new-one.com').account.id).toBe(own)
  })

  test('accepts IPv6, no www, no proxy, another SSL mode and a Unicode name', async () => {
    await add({
      domainName: ' Пример-Новый.рф ',
      ipAddress: '2001:db8::7',
      createWww: false,
      enableProxy: false,
      sslMode: 'full',
      alwaysHttps: false,
    })
    const name = 'xn----dtbfdbtuqk6ae7k.xn--p1ai'
    const [zone] = (await ann.call.domains.list({})).domains
    expect(zone?.displayName).toBe('пример-новый.рф')
    expect(recordsOf(zone?.name ?? name)).toEqual([`AAAA ${zone?.name} 2001:db8::7 open`])
    expect(settingsOf(zone?.name ?? name)).toEqual({ ssl: 'full', https: 'off' })
  })

  test.each([
    [{ domainName: '' }, 'required'],
    [{ domainName: 'https://new-one.com/' }, 'domain_is_url'],
    [{ domainName: 'ann@new-one.com' }, 'domain_is_url'],
    [{ domainName: 'new one.com' }, 'domain_invalid'],
    [{ domainName: 'localhost' }, 'domain_invalid'],
    [{ domainName: `${'a'.repeat(64)}.com` }, 'domain_invalid'],
    [{ domainName: 'www.new-one.com' }, 'domain_is_subdomain'],
    [{ domainName: 'shop.new-one.com' }, 'domain_is_subdomain'],
    [{ domainName: 'shop.new-one.co.uk' }, 'domain_is_subdomain'],
    [{ domainName: 'co.uk' }, 'domain_is_suffix'],
    [{ domainName: 'nic-new.invalidtld' }, 'domain_not_registrable'],
    [{ ipAddress: '192.0.2.700' }, 'invalid_ip'],
  ])('refuses %j before anything is sent', async (more, message) => {
    const error = await errorOf(add(more))
    expect(JSON.stringify(error, ['message', 'cause', 'issues'])).toContain(message)
    expect(panel.simulator.journal.count({ method: 'POST' })).toBe(0)
  })

  test.each([
    [1049, 'zone_not_registered', 'unbought.com'],
    [1116, 'zone_not_root', 'new-one.lg.jp'],
    [1097, 'zone_refused', 'banned.com'],
    [1098, 'zone_refused_for_now', 'waits.com'],
    [1110, 'zone_lookup_failed', 'lookup.com'],
  ])('R-DOM-06 the provider’s %i is reported as %s', async (code, ours, domainName) => {
    const { refusals } = panel.simulator.state
    refusals.unregistered.add('unbought.com')
    refusals.banned.add('banned.com')
    refusals.temporarilyBanned.add('waits.com')
    refusals.lookupFailing.add('lookup.com')
    expect(await errorOf(add({ domainName }))).toMatchObject({ cause: { code: ours, provider: { code: String(code) } } })
    expect((await ann.call.domains.list({})).domains).toEqual([])
  })

  test('R-DOM-06 account limits, too many attempts and a zone hold are reported', async () => {
    simAccount(0).mayCreateZones = false
    expect(await errorOf(add())).toMatchObject({ cause: { code: 'account_may_not_add' } })
    simAccount(0).mayCreateZones = true
    simAccount(0).pendingAllowance = -1_000
    expect(await errorOf(add({ domainName: 'full.com' }))).toMatchObject({ cause: { code: 'account_limit_reached' } })
    simAccount(0).pendingAllowance = 50
    panel.simulator.state.refusals.banned.add('again.com')
    for (let tries = 0; tries < 5; tries++) await errorOf(add({ domainName: 'again.com' }))
    expect(await errorOf(add({ domainName: 'again.com' }))).toMatchObject({ cause: { code: 'zone_too_many_tries' } })
  })

  test('a zone that existed at the provider before is not changed', async () => {
    const [old] = [...panel.simulator.state.zonesById.values()].filter((zone) => zone.account === simAccount(0))
    const before = recordsOf(old?.name ?? '')
    expect(await errorOf(add({ domainName: old?.name }))).toMatchObject({ cause: { code: 'zone_exists' } })
    expect(recordsOf(old?.name ?? '')).toEqual(before)
  })

  test('a second attempt completes the first and duplicates nothing', async () => {
    panel.simulator.faults.add({ path: '/zones/*/dns_records*', effect: { kind: 'forbidden' } })
    const first = await add()
    panel.simulator.faults.clear()
    expect(first.problems.map(({ part }) => part)).toEqual(['records'])
    expect((await add()).problems).toEqual([])
    expect((await add()).problems).toEqual([])
    expect(recordsOf('new-one.com')).toHaveLength(2)
    expect(panel.simulator.journal.count({ method: 'POST', path: '/zones' })).toBe(1)
  })

  test('an attempt that ended after the provider’s answer is continued: its records are found, not created again', async () => {
    const { zone } = await add()
    // The state after a killed process: read before the records were created, and nothing written since.
    await panel.services.db.sql`delete from dns_records where zone_id = ${zone.id}`
    expect((await add()).problems).toEqual([])
    expect(recordsOf('new-one.com')).toHaveLength(2)
    const [row] = await panel.services.db.sql<{ n: number }[]>`select count(*)::int as n from dns_records where zone_id = ${zone.id}`
    expect(row?.n).toBe(2)
  })

  test.each([{ kind: 'timeout-after-write', holdMs: 50 }, { kind: 'cut-body' }] as const)(
    'a zone whose answer was lost ($kind) is found and completed',
    async (effect) => {
      panel.simulator.faults.add({ method: 'POST', path: '/zones', times: 1, effect })
      expect((await add()).problems).toEqual([])
      expect(recordsOf('new-one.com')).toHaveLength(2)
    },
  )

  test('gets the default profile, a chosen one, or none', async () => {
    const make = async (name: string, securityLevel: 'high' | 'low') =>
      (await ann.call.profiles.create({ name, settings: { securityLevel }, records: [{ type: 'TXT', name: '@', content: name }] })).profile
        .id
    const standard = await make('standard', 'high')
    const other = await make('other', 'low')
    await ann.call.profiles.setDefault({ id: standard, isDefault: true })
    await add({ domainName: 'by-default.com' })
    await add({ domainName: 'by-choice.com', profileId: other })
    await add({ domainName: 'bare.com', profileId: null })
    const levelOf = (name: string) => panel.simulator.state.changesOf(simZone(name)).settings.get('security_level')?.value
    expect(['by-default.com', 'by-choice.com', 'bare.com'].map(levelOf)).toEqual(['high', 'low', undefined])
    expect(['by-default.com', 'by-choice.com', 'bare.com'].map((name) => recordsOf(name).length)).toEqual([3, 3, 2])
  })

  test('values that the caller gives win over the default profile, and a chosen profile wins over them; the preview of many shows the same', async () => {
    const { profile } = await ann.call.profiles.create({
      name: 'standard',
      settings: { ssl: 'strict', alwaysUseHttps: false },
      records: [],
    })
    await ann.call.profiles.setDefault({ id: profile.id, isDefault: true })
    const cases = [
      [
        { sslMode: 'full', alwaysHttps: true },
        { ssl: 'full', https: true },
      ],
      [{ sslMode: 'full' }, { ssl: 'full', https: false }],
      [{}, { ssl: 'strict', https: false }],
      [
        { sslMode: 'full', alwaysHttps: true, profileId: profile.id },
        { ssl: 'strict', https: false },
      ],
      [{ profileId: null }, { ssl: 'flexible', https: true }],
    ] as const
    for (const [index, [given, { ssl, https }]] of cases.entries()) {
      const many = { domains: [`many-${index}.com`], accountIds: [accountId()], ipAddress: '192.0.2.7', ...given }
      const { operation } = await ann.call.operations.previewCreate(many)
      const [item] = (await ann.call.operations.items({ id: operation.id })).items
      expect(item?.plan.after).toMatchObject({ settings: { ssl, alwaysUseHttps: https } })
      expect((await add({ domainName: `case-${index}.com`, ...given })).problems).toEqual([])
      const { settings } = await ann.call.domains.settings({
        id: (await ann.call.domains.live({ search: `case-${index}.com` })).data[0]?.id ?? '',
      })
      expect(settings).toMatchObject({ ssl, alwaysUseHttps: https })
    }
  })

  test('an account of another user is not found', async () => {
    const bob = await signIn(panel.services)
    const other = { domainName: 'new-one.com', accountId: accountId(), ipAddress: '192.0.2.7' }
    expect(await errorOf(bob.call.zoneCreation.create(other))).toMatchObject({ cause: { code: 'not_found' } })
  })
})

describe('R-DOM-07 many domains', () => {
  const start = async () => {
    const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
    onTestFinished(() => runner.stop())
  }
  const itemsOf = (id: string) => ann.call.operations.items({ id, limit: 1_000 })
  const ends = (id: string) => expect.poll(async () => (await itemsOf(id)).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  const names = (count: number) => Array.from({ length: count }, (_, index) => `many-${index}.com`)
  const preview = (domains: Parameters<typeof ann.call.operations.previewCreate>[0]['domains'], ids = accountIds, more: object = {}) =>
    ann.call.operations.previewCreate({ domains, accountIds: ids, ipAddress: '192.0.2.7', ...more })

  test('create an operation owned by the user who starts it, even for an administrator in accounts of others', async () => {
    const admin = await signIn(panel.services, { role: 'admin' })
    const given = { domains: ['by-admin.com'], accountIds, ipAddress: '192.0.2.7' }
    const { operation } = await admin.call.operations.previewCreate(given)
    const { operation: own } = await preview(['by-ann.com'])
    const drafts = await panel.services.db.sql<{ id: string; ownerId: string }[]>`select id, owner_id from operations where state = 'draft'`
    expect(new Map(drafts.map(({ id, ownerId }) => [id, ownerId]))).toEqual(
      new Map([
        [operation.id, admin.user.id],
        [own.id, ann.user.id],
      ]),
    )
    expect(await errorOf(ann.call.operations.items({ id: operation.id, limit: 1 }))).toMatchObject({ cause: { code: 'not_found' } })
  })

  test('are planned by name: invalid, repeated and existing ones are reported, and nothing is sent', async () => {
    await add()
    panel.simulator.journal.reset()
    const { operation } = await preview(['a-new.com', 'A-NEW.com.', 'no name', 'http://x.com', 'new-one.com'])
    expect(operation).toMatchObject({ state: 'draft', total: 5, skipped: 4 })
    expect((await itemsOf(operation.id)).items.map(({ state, code }) => [state, code])).toEqual([
      ['pending', null],
      ['skipped', 'domain_repeated'],
      ['skipped', 'domain_invalid'],
      ['skipped', 'domain_is_url'],
      ['skipped', 'domain_ours'],
    ])
    expect(panel.simulator.journal.count({})).toBe(0)
  })

  test('are distributed in the order of the accounts, with the reason for each, and the wait is reported', async () => {
    const { operation, shares, seconds } = await preview(names(80), [accountId(2), accountId(0), accountId(1)])
    const email = (index: number) => panel.credential(index).email
    expect(shares).toEqual([
      { account: email(2), items: 30, reason: 'first' },
      { account: email(0), items: 25, reason: 'window' },
      { account: email(1), items: 25, reason: 'window' },
    ])
    expect(seconds).toBeGreaterThanOrEqual(600)
    const { items } = await itemsOf(operation.id)
    expect(items.slice(75).map(({ account, plan }) => [account, plan.reason])).toEqual(Array.from({ length: 5 }, () => [email(2), 'later']))
  })

  test('are distributed evenly over the accounts on request', async () => {
    const { shares } = await preview(names(7), [accountId(2), accountId(0), accountId(1)], { spread: 'evenly' })
    expect(shares).toEqual([
      { account: panel.credential(2).email, items: 3, reason: 'evenly' },
      { account: panel.credential(0).email, items: 2, reason: 'evenly' },
      { account: panel.credential(1).email, items: 2, reason: 'evenly' },
    ])
  })

  test('skip an account that refused recently and one with too many pending zones', async () => {
    simAccount(0).mayCreateZones = false
    await start()
    const { operation } = await preview(names(2), [accountId(0)])
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    await insertZones(panel.services.db, { ownerId: ann.user.id, accountId: accountId(1) }, 49, () => ({ status: 'pending' }))
    expect((await preview(names(4))).shares).toEqual([
      { account: panel.credential(1).email, items: 1, reason: 'refused' },
      { account: panel.credential(2).email, items: 3, reason: 'slots' },
    ])
    const { accounts } = await ann.call.zoneCreation.standings()
    expect(
      accountIds.map((wanted) => accounts.find(({ id }) => id === wanted)).map((each) => [each?.refusal, each?.places, each?.now]),
    ).toEqual([
      ['account_may_not_add', 0, 0],
      [null, 1, 1],
      [null, 50, 25],
    ])
  })

  test('the address, group and account of a line override the common ones, and an empty address means none', async () => {
    const group = await insertGroup(panel.services.db, { ownerId: ann.user.id, name: 'Shops' })
    await start()
    const { operation, shares } = await preview(
      [{ name: 'own.com', ipAddress: '2001:db8::9', accountId: accountId(1), groupId: group.id }, 'plain.com'],
      [accountId(0)],
      { ipAddress: null },
    )
    expect(shares?.map(({ items, reason }) => [items, reason])).toEqual([
      [1, 'named'],
      [1, 'first'],
    ])
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect(recordsOf('own.com')).toEqual(['AAAA own.com 2001:db8::9 proxied', 'CNAME www.own.com own.com proxied'])
    expect(recordsOf('plain.com')).toEqual([])
    const { domains } = await ann.call.domains.list({})
    expect(domains.map(({ name, groupId, accountId: id }) => [name, groupId, accountIds.indexOf(id)])).toEqual([
      ['own.com', group.id, 1],
      ['plain.com', null, 0],
    ])
  })

  test('a line with its own account stays there, while the others move to the next', async () => {
    simAccount(0).mayCreateZones = false
    await start()
    const { operation } = await preview([{ name: 'stays.com', accountId: accountId(0) }, ...names(3)], [accountId(0), accountId(1)])
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    const { items } = await itemsOf(operation.id)
    expect(items.map(({ domain, state, code }) => [domain, state, code])).toEqual([
      ['stays.com', 'failed', 'account_may_not_add'],
      ...names(3).map((name) => [name, 'done', null]),
    ])
    for (const { account, plan } of items.slice(1)) {
      expect(account).toBe(panel.credential(1).email)
      expect(plan.moved?.map(({ account: from, code }) => [from, code])).toEqual([[panel.credential(0).email, 'account_may_not_add']])
      expect(plan.moved?.[0]?.at).toMatch(/^\d{4}-.+Z$/)
    }
  })

  test('accounts and groups of another user are not found', async () => {
    const bob = await signIn(panel.services)
    const group = await insertGroup(panel.services.db, { ownerId: bob.user.id, name: 'Bob’s' })
    expect(await errorOf(preview(['new.com'], accountIds, { groupId: group.id }))).toMatchObject({ cause: { code: 'not_found' } })
    const theirs = await insertAccount(panel.services.db, { ownerId: bob.user.id })
    expect(await errorOf(preview([{ name: 'new.com', accountId: theirs.id }]))).toMatchObject({ cause: { code: 'not_found' } })
  })

  test('are added with their name servers, even if the worker is stopped in between', async () => {
    const { operation } = await preview(names(12))
    await ann.call.operations.start({ id: operation.id })
    const first = await startOperations(panel.services, operationKinds, { pollMs: 20 })
    await expect.poll(() => panel.simulator.journal.count({ method: 'POST', path: '/zones' }), { interval: 5 }).toBeGreaterThan(2)
    await first.stop()
    await start()
    await ends(operation.id)
    const { items } = await itemsOf(operation.id)
    expect(items.map(({ state, nameServers }) => [state, nameServers?.length])).toEqual(names(12).map(() => ['done', 2]))
    for (const name of names(12))
      expect([name, recordsOf(name), settingsOf(name)]).toEqual([
        name,
        expect.objectContaining({ length: 2 }),
        { ssl: 'flexible', https: 'on' },
      ])
  })

  test.each([
    ['1106', () => (simAccount(0).mayCreateZones = false), 0],
    ['1118', () => (simAccount(0).pendingAllowance = 3), null],
  ])('move to the next account when one returns %s', async (_code, limit, inFirst) => {
    limit()
    await start()
    const { operation } = await preview(names(8))
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    const { items, operation: ended } = await itemsOf(operation.id)
    expect(ended).toMatchObject({ done: 8, failed: 0 })
    const first = items.filter(({ account }) => account === panel.credential(0).email).length
    if (inFirst !== null) expect(first).toBe(inFirst)
    expect(first).toBeLessThan(8)
    for (const name of names(8)) expect(recordsOf(name)).toHaveLength(2)
  })

  test('move to the next account when one has created 25 zones in 10 minutes', async () => {
    await start()
    const { operation } = await preview(names(30), [accountId(2), accountId(0)])
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    const { items } = await itemsOf(operation.id)
    const at = (index: number) => items.filter(({ account, state }) => state === 'done' && account === panel.credential(index).email).length
    expect([at(2), at(0)]).toEqual([25, 5])
    for (const name of names(30)) expect(recordsOf(name)).toHaveLength(2)
  })

  test('fail with a reason when every account is full', async () => {
    for (const index of [0, 1]) simAccount(index).pendingAllowance = -1_000
    await start()
    const { operation } = await preview(names(6), [accountId(0), accountId(1)])
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    const { items } = await itemsOf(operation.id)
    expect(new Set(items.map(({ code, state }) => `${state} ${code}`))).toEqual(new Set(['failed account_limit_reached']))
    expect(panel.simulator.state.zonesNamed('many-0.com')).toEqual([])
  })
})
