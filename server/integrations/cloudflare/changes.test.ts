import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { DnsHost, HostConnection, HostedChange } from '#server/ports/dns-host.ts'
import { DASHBOARD } from '#server/simulators/cloudflare/audit-log.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { createCloudflare } from './adapter.ts'

const sync = { priority: 'sync' } as const
const world = buildWorld({ zones: 3, accounts: 1, seed: 5, plain: true })
const [owner] = world.credentials as readonly [AccountCredentials]

let database: TestDatabase
let simulator: CloudflareSimulator
let host: DnsHost
let connection: HostConnection
let zone: SimZone

const connectWith = (apiToken: string) => host.connect({ kind: 'api_token', token: apiToken }, owner.userId)

beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null })
  host = createCloudflare({
    baseUrl: simulator.url,
    budget: { limit: 100_000, windowMs: 300_000 },
    sql: database.db.sql,
    clock: systemClock,
    log: createLog('silent'),
    addressLimitPerSecond: null,
    userAgent: 'zonedeck-test',
    installation: 'f00d',
  })
  connection = host.connect({ kind: 'global_key', email: owner.email, apiKey: owner.globalKey }, owner.userId)
})
beforeEach(() => {
  simulator.reset()
  ;[zone] = [...simulator.state.zonesById.values()] as [SimZone]
})
afterAll(async () => {
  await host.close()
  await simulator.close()
  await database.close()
})

const window = (hours = 1) => ({
  since: new Date(Date.now() - hours * 3_600_000),
  before: new Date(Date.now() + 60_000),
  cursor: null,
})
const list = async (): Promise<readonly HostedChange[]> => (await connection.listChanges(owner.accountId, window(), sync)).changes

test('changes of others and of the panel are listed with who, what, where and when, and the panel recognizes its own', async () => {
  applyEdit(simulator.state, { kind: 'setting', zone: zone.name, setting: 'ssl', value: 'strict' })
  await connection.createRecord(zone.id, { type: 'A', name: `www2.${zone.name}`, content: '192.0.2.7' }, sync)
  await connectWith(owner.apiToken).pauseZone(zone.id, true, sync)
  await connection.listRecords(zone.id, sync)

  const [setting, record, paused, ...others] = await list()
  expect(others).toEqual([])
  const inZone = { providerZoneId: zone.id, name: zone.name }
  expect(setting).toMatchObject({
    kind: 'settings',
    action: 'update',
    subject: 'ssl',
    zone: inZone,
    isOwn: false,
    actor: { email: 'colleague@example.com', via: 'dash', address: '198.51.100.7', type: 'user' },
  })
  expect(record).toMatchObject({
    kind: 'records',
    action: 'create',
    zone: inZone,
    isOwn: true,
    actor: { via: 'api_key', email: owner.email },
  })
  expect(paused).toMatchObject({ kind: 'zone', isOwn: true, actor: { via: 'api_token', tokenName: 'panel' } })
  expect(Math.abs(Date.now() - (record?.changedAt.getTime() ?? 0))).toBeLessThan(60_000)
})

test('a domain that was added, deleted or changed in its rules, and changes of the account, have their kind', async () => {
  const added = applyEdit(simulator.state, { kind: 'create-zone', accountId: owner.accountId, name: 'added.example' })
  applyEdit(simulator.state, { kind: 'delete-zone', zone: 'added.example' })
  applyEdit(simulator.state, { kind: 'ruleset', zone: zone.name, phase: 'http_ratelimit', rules: [] })
  applyEdit(simulator.state, { kind: 'redirect-list', accountId: owner.accountId, name: 'moved', redirects: [] })
  const found = await list()
  expect(found.map(({ kind, action, zone: at }) => [kind, action, at?.providerZoneId ?? null])).toEqual(
    expect.arrayContaining([
      ['zone', 'create', added],
      ['zone', 'delete', added],
      ['rules', 'update', zone.id],
      ['account', 'update', null],
    ]),
  )
  expect(found).toHaveLength(4)
})

test('changes that can take sites down or give access away are recognized by call and body', async () => {
  const account = simulator.state.accountsById.get(owner.accountId)
  const inZone = simulator.state.zonesById.get(zone.id)
  if (account === undefined || inZone === undefined) throw new Error('no account')
  const log = (method: string, path: string, request?: Record<string, unknown>) => {
    const ofZone = path.startsWith('/zones') ? inZone : null
    const uri = `/client/v4${path.replace('{zone}', zone.id).replace('{account}', account.id)}`
    simulator.state.auditLog.log({ account, zone: ofZone, method, uri, actor: DASHBOARD, userAgent: 'Mozilla/5.0', request })
  }
  const deletes = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `record-${n}` }))
  const cases = [
    ['DELETE', '/zones/{zone}', undefined, 'zone_removed', [], 0],
    ['PATCH', '/zones/{zone}', { vanity_name_servers: ['ns1.x.example', 'ns2.x.example'] }, 'name_servers', [], 0],
    ['PATCH', '/zones/{zone}', { paused: true }, null, [], 0],
    ['POST', '/zones/{zone}/custom_ns', {}, 'name_servers', [], 0],
    ['PUT', '/accounts/{account}/registrar/domains/x.example', { name_servers: ['ns1.x.example'] }, 'name_servers', [], 0],
    ['PUT', '/accounts/{account}/registrar/domains/x.example', { auto_renew: true }, null, [], 0],
    ['PATCH', '/zones/{zone}/dnssec', { status: 'disabled' }, 'dnssec_off', [], 0],
    ['PATCH', '/zones/{zone}/dnssec', { status: 'active' }, null, [], 0],
    ['DELETE', '/zones/{zone}/dnssec', undefined, 'dnssec_off', [], 0],
    ['POST', '/accounts/{account}/tokens', { name: 'deploy' }, 'token_created', [], 0],
    ['PUT', '/accounts/{account}/tokens/1', { name: 'deploy' }, null, [], 0],
    ['PATCH', '/zones/{zone}/dns_records/one', { proxied: false }, null, ['one'], 0],
    ['PATCH', '/zones/{zone}/dns_records/one', { proxied: true }, null, [], 0],
    ['DELETE', '/zones/{zone}/dns_records/one', undefined, null, [], 1],
    ['POST', '/zones/{zone}/dns_records', { proxied: false }, null, [], 0],
    ['POST', '/zones/{zone}/dns_records/batch', { deletes: deletes(20) }, null, [], 20],
    [
      'POST',
      '/zones/{zone}/dns_records/batch',
      { patches: [{ id: 'a', proxied: false }, null, 7], puts: [{ id: 'b', proxied: false }, { id: 'c' }] },
      null,
      ['a', 'b'],
      0,
    ],
    ['POST', '/zones/{zone}/dns_records/batch', { patches: 'no list', deletes: {} }, null, [], 0],
  ] as const
  for (const [method, path, request] of cases) log(method, path, request)
  // All have the same time, so that their order is undefined.
  const sorted = (found: readonly (readonly [string | null, readonly string[], number])[]) =>
    found.map((each) => JSON.stringify(each)).toSorted()
  expect(sorted((await list()).map(({ critical, unproxied, deletions }) => [critical, unproxied, deletions]))).toEqual(
    sorted(cases.map(([, , , critical, ids, deletions]) => [critical, ids, deletions])),
  )
})

test('more changes than a page holds follow by cursor, in order, each once', async () => {
  const account = { id: owner.accountId }
  const ids = Array.from({ length: 2_300 }, (_, n) => simulator.state.auditLog.add(account, {}, { timeMs: Date.now() - 60_000 + n }))
  const first = await connection.listChanges(owner.accountId, window(), sync)
  const second = await connection.listChanges(owner.accountId, { ...window(), cursor: first.cursor }, sync)
  const third = await connection.listChanges(owner.accountId, { ...window(), cursor: second.cursor }, sync)
  expect([first, second, third].flatMap(({ changes }) => changes.map(({ changeId }) => changeId))).toEqual(ids)
  expect(third.cursor).toBeNull()
})

test('entries with missing fields or of unknown kinds are read, those that cannot be stored are left out', async () => {
  const { auditLog } = simulator.state
  const account = { id: owner.accountId }
  auditLog.add(account, {
    actor: { type: 'robot' as never, context: 'telepathy' as never },
    resource: { product: 'quantum' },
    zone: { id: zone.id },
  })
  auditLog.add(account, { resource: { type: 'DNS Record', request: 'text' }, zone: { id: zone.id, name: 5 as never } })
  auditLog.add(account, { id: 7 as never })
  auditLog.add(account, { id: 'zero\0' })
  auditLog.add(account, { action: { time: '+275760-01-01T00:00:00Z' } })
  auditLog.add(account, { action: { time: '0001-01-01T00:00:00Z' } })
  auditLog.add(account, { resource: { product: `\0${'x'.repeat(254)}😀` }, zone: { id: zone.id } })
  auditLog.add(account, { action: { time: 'yesterday' } })
  auditLog.add(account, { action: { type: 'view' } })
  auditLog.add(account, { action: { result: 'failure' } })
  const none = { email: null, tokenId: null, tokenName: null, address: null }
  expect(await list()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'other', product: 'quantum', actor: { ...none, type: 'robot', via: 'telepathy' }, isOwn: false }),
      expect.objectContaining({ kind: 'records', action: 'update', zone: { providerZoneId: zone.id, name: null } }),
      expect.objectContaining({ product: `${'x'.repeat(254)}\uFFFD` }),
    ]),
  )
  expect(await list()).toHaveLength(3)
})

test('a lacking permission, an expired cursor and a foreign account have codes of their own', async () => {
  const codeOf = (calling: Promise<unknown>) =>
    calling.then(
      () => null,
      (error: unknown) => (error as { readonly code: string }).code,
    )
  expect(await codeOf(connectWith(owner.readOnlyToken).listChanges(owner.accountId, window(), sync))).toBe('provider_forbidden')
  expect(await codeOf(connection.listChanges('f'.repeat(32), window(), sync))).toBe('provider_forbidden')
  simulator.state.auditLog.settings.cursorsExpired = true
  expect(await codeOf(connection.listChanges(owner.accountId, { ...window(), cursor: 'old' }, sync))).toBe('provider_rejected')
})
