import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { DnsHost, HostConnection, IpRuleScope } from '#server/ports/dns-host.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { createCloudflare } from './adapter.ts'

const person = { priority: 'person' } as const
const world = buildWorld({ zones: 3, accounts: 1, seed: 5, plain: true })
const [owner] = world.credentials as readonly [AccountCredentials]

let database: TestDatabase
let simulator: CloudflareSimulator
let host: DnsHost
let connection: HostConnection
let zone: IpRuleScope
const account: IpRuleScope = { account: owner.accountId }

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
  })
  connection = host.connect({ kind: 'global_key', email: owner.email, apiKey: owner.globalKey }, owner.userId)
  zone = { zone: [...simulator.state.zonesById.keys()][0] ?? '' }
})
afterEach(() => {
  simulator.reset()
  simulator.faults.clear()
})
afterAll(async () => {
  await host.close()
  await simulator.close()
  await database.close()
})

const block = { mode: 'block', target: 'ip6', value: '2001:db8::1', note: 'bots' } as const

test('a rule is created, read back with the same value, changed and deleted, in a zone and in an account', async () => {
  for (const scope of [zone, account]) {
    const made = await connection.createIpRule(scope, block, person)
    expect(made).toMatchObject(block)
    expect(await connection.listIpRules(scope, person)).toEqual([made])
    expect(await connection.updateIpRule(scope, made.ruleId, { mode: 'challenge' }, person)).toEqual({ ...made, mode: 'challenge' })
    expect(await connection.updateIpRule(scope, made.ruleId, { note: '' }, person)).toEqual({ ...made, mode: 'challenge', note: '' })
    await connection.deleteIpRule(scope, made.ruleId, person)
    await connection.deleteIpRule(scope, made.ruleId, person)
    expect(await connection.listIpRules(scope, person)).toEqual([])
  }
})

test('every rule of a long list is read once, and those of the account are not taken for the zone’s', async () => {
  const at = 'zone' in zone ? zone.zone : ''
  for (let count = 0; count < 1_200; count += 1) {
    const value = `203.0.${Math.floor(count / 256)}.${count % 256}`
    applyEdit(simulator.state, { kind: 'access-rule', at, mode: 'block', target: 'ip', value, notes: '' })
  }
  applyEdit(simulator.state, { kind: 'access-rule', at: owner.accountId, mode: 'block', target: 'asn', value: 'AS64500', notes: '' })
  const rules = await connection.listIpRules(zone, person)
  expect(new Set(rules.map(({ value }) => value)).size).toBe(1_200)
  expect(rules).toHaveLength(1_200)
})

test('a value that has a rule is refused as such, and other refusals keep the provider’s words', async () => {
  await connection.createIpRule(zone, block, person)
  const again = connection.createIpRule(zone, { ...block, mode: 'whitelist' }, person)
  await expect(again).rejects.toMatchObject({ code: 'ip_access_exists', provider: { code: '10009' } })
  const country = connection.createIpRule(account, { mode: 'block', target: 'country', value: 'KP', note: '' }, person)
  await expect(country).rejects.toMatchObject({ code: 'provider_rejected', provider: { code: '10015' } })
  await expect(connection.updateIpRule(zone, 'f'.repeat(32), { note: '' }, person)).rejects.toMatchObject({ code: 'provider_not_found' })
})

test('a creation whose answer is lost is not sent twice', async () => {
  simulator.faults.add({
    method: 'POST',
    path: '/zones/*/firewall/access_rules/rules',
    times: 1,
    effect: { kind: 'timeout-after-write', holdMs: 50 },
  })
  await expect(connection.createIpRule(zone, block, person)).rejects.toMatchObject({ isUnclear: true })
  expect(await connection.listIpRules(zone, person)).toHaveLength(1)
})
