import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { DnsHost, HostConnection } from '#server/ports/dns-host.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { createCloudflare } from './adapter.ts'

const bulk = { priority: 'bulk' } as const
const world = buildWorld({ zones: 3, accounts: 1, seed: 5, plain: true })
const [owner] = world.credentials as readonly [AccountCredentials]
const account = owner.accountId

let database: TestDatabase
let simulator: CloudflareSimulator
let host: DnsHost
let connection: HostConnection
let nowMs = Date.now()

beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null, now: () => nowMs })
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
})
afterEach(() => simulator.reset())
afterAll(async () => {
  await host.close()
  await simulator.close()
  await database.close()
})

const to = (source: string, target: string, more: Partial<Redirect> = {}): Redirect => ({
  source,
  target,
  status: 301,
  preserveQueryString: false,
  includeSubdomains: false,
  subpathMatching: false,
  preservePathSuffix: false,
  ...more,
})
const wait = () => (nowMs += 1_000)

test('every redirect of a long list is read once, with all its fields', async () => {
  const { id } = await connection.createRedirectList(account, { name: 'zonedeck_redirects', description: '' }, bulk)
  const redirects = Array.from({ length: 1_203 }, (_, at) =>
    to(`a.example/${at}`, `https://b.example/${at}`, at === 7 ? { status: 308, subpathMatching: true, preservePathSuffix: true } : {}),
  )
  await connection.putRedirects(account, id, redirects, bulk)
  wait()
  const read = await connection.listRedirects(account, id, bulk)
  const bySource = new Map(read.map(({ itemId: _id, ...redirect }) => [redirect.source, redirect]))
  expect(read).toHaveLength(1_203)
  expect(redirects.map(({ source }) => bySource.get(source))).toEqual(redirects)
  expect(await connection.listRedirectLists(account, bulk)).toEqual([{ id, name: 'zonedeck_redirects', redirectsCount: 1_203 }])
})

test('changes made outside with only the fields that Cloudflare requires are read with its defaults', async () => {
  const redirects = [{ source_url: 'a.example', target_url: 'https://b.example/' }]
  const id = applyEdit(simulator.state, { kind: 'redirect-list', accountId: account, name: 'theirs', redirects }) ?? ''
  expect(await connection.listRedirects(account, id, bulk)).toMatchObject([
    { source: 'a.example/', status: 301, subpathMatching: false, preservePathSuffix: true },
  ])
})

test('a change while another one is processed is refused without effect, and the other one ends as completed', async () => {
  const { id } = await connection.createRedirectList(account, { name: 'zonedeck_redirects', description: '' }, bulk)
  const operation = await connection.putRedirects(account, id, [to('a.example/', 'https://b.example/')], bulk)
  expect(await connection.getListOperation(account, operation, bulk)).toEqual({ state: 'running' })
  await expect(connection.putRedirects(account, id, [to('c.example/', 'https://b.example/')], bulk)).rejects.toMatchObject({
    code: 'provider_rate_limited',
  })
  wait()
  expect(await connection.getListOperation(account, operation, bulk)).toEqual({ state: 'completed' })
  const [item, ...others] = await connection.listRedirects(account, id, bulk)
  expect(others).toEqual([])
  await connection.deleteRedirects(account, id, [item?.itemId ?? ''], bulk)
  wait()
  expect(await connection.listRedirects(account, id, bulk)).toEqual([])
})

test('10,000 redirects are accepted on Free, more are refused', async () => {
  const { id } = await connection.createRedirectList(account, { name: 'zonedeck_redirects', description: '' }, bulk)
  for (const zone of simulator.state.zonesOfAccount(account)) zone.plan = 'free'
  const redirects = Array.from({ length: 10_001 }, (_, at) => to(`a.example/${at}`, 'https://b.example/'))
  await expect(connection.putRedirects(account, id, redirects, bulk)).rejects.toMatchObject({ code: 'provider_rejected' })
  await connection.putRedirects(account, id, redirects.slice(1), bulk)
})

test('rules of others keep their content when one is added', async () => {
  const { name } = await connection.createRedirectList(account, { name: 'zonedeck_redirects', description: '' }, bulk)
  const rule = (ref: string) => ({
    ref,
    description: '',
    enabled: true,
    action: 'redirect',
    expression: `http.request.full_uri in $${name}`,
    action_parameters: { from_list: { name, key: 'http.request.full_uri' } },
  })
  expect(await connection.getRedirectRules(account, bulk)).toBeNull()
  const foreign = await connection.createRedirectRules(account, [rule('theirs')], bulk)
  const added = await connection.createRedirectRule(account, foreign.id, rule('zonedeck_redirects'), bulk)
  expect(added.rules.map(({ ref, definition }) => [ref, definition.enabled])).toEqual([
    ['theirs', true],
    ['zonedeck_redirects', true],
  ])
  expect(added.rules[0]).toEqual(foreign.rules[0])
})
