import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Credential, DnsHost, HostConnection, HostedRule, HostedRuleDefinition } from '#server/ports/dns-host.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { listen } from '#server/simulators/listen.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { createCloudflare } from './adapter.ts'

const person = { priority: 'person' } as const
const phase = 'http_request_firewall_custom'
/** Real time, but with short pauses between attempts. */
const hasty: Clock = { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms > 100 ? ms / 50 : ms, signal) }
const world = buildWorld({ zones: 10, accounts: 1, seed: 5, plain: true })
const [owner] = world.credentials as readonly [AccountCredentials]
const zone = world.content().zones[0]?.id ?? ''
const block: HostedRuleDefinition = { description: '', expression: 'ip.src.country eq "XX"', enabled: true, action: 'block' }
const lost = { kind: 'timeout-after-write', holdMs: 20 } as const

let database: TestDatabase
let simulator: CloudflareSimulator
let host: DnsHost
let connection: HostConnection

beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startCloudflareSimulator({ world, budget: null, addressLimitPerSecond: null })
  host = createCloudflare({
    baseUrl: simulator.url,
    budget: { limit: 100_000, windowMs: 300_000 },
    sql: database.db.sql,
    clock: hasty,
    log: createLog('silent'),
    addressLimitPerSecond: null,
    userAgent: 'zonedeck-test',
  })
  connection = connectWith({ kind: 'global_key', email: owner.email, apiKey: owner.globalKey })
})
afterEach(() => simulator.reset())
afterAll(async () => {
  await host.close()
  await simulator.close()
  await database.close()
})

const connectWith = (credential: Credential) => host.connect(credential, owner.userId)
const outside = (rules: readonly Record<string, unknown>[]) =>
  applyEdit(simulator.state, { kind: 'ruleset', zone, phase, rules: [...rules] }) ?? ''
const ruleset = async () => {
  const found = await connection.getRuleset(zone, phase, person)
  if (found === null) throw new Error('no ruleset')
  return found
}
const only = (rules: readonly HostedRule[]): HostedRule => {
  const [rule] = rules
  if (rule === undefined || rules.length > 1) throw new Error(`${rules.length} rules`)
  return rule
}

describe('a rule of others', () => {
  const foreign = {
    action: 'block',
    expression: '(http.request.uri.path eq "/x")',
    ref: 'theirs',
    categories: ['a'],
    logging: { enabled: false },
    action_parameters: { response: { status_code: 451, content: '{}', content_type: 'application/json' } },
    brand_new: { nested: [1, null, 'x'] },
  }

  test('keeps every field when it is read and changed, also those that the panel does not know', async () => {
    outside([foreign])
    const { id, rules } = await ruleset()
    const rule = only(rules)
    const { categories: _, ...definition } = foreign
    expect(rule).toMatchObject({ ref: 'theirs', version: '1', lastUpdated: expect.any(Date) as Date })
    expect(rule.definition).toEqual({ ...definition, description: '', enabled: true })
    const changed = await connection.updateRule(zone, id, rule.id, { ...rule.definition, enabled: false }, {}, person)
    expect(only(changed?.rules ?? [])).toMatchObject({ id: rule.id, ref: 'theirs', version: '2' })
    expect(only(changed?.rules ?? []).definition).toEqual({ ...definition, description: '', enabled: false })
  })

  test('keeps its place and content while others are moved', async () => {
    outside([foreign, { ...block, ref: 'zonedeck_1' }])
    const { id, rules } = await ruleset()
    const moved = await connection.moveRule(zone, id, rules[1]?.id ?? '', { index: 1 }, {}, person)
    expect(moved?.rules).toEqual(rules.toReversed())
  })
})

describe('a lost response', () => {
  test('a created rule is not sent again, and its outcome is unknown', async () => {
    const id = outside([])
    simulator.faults.add({ method: 'POST', effect: lost })
    await expect(connection.createRule(zone, id, block, {}, person)).rejects.toMatchObject({ isUnclear: true })
    expect(simulator.journal.count({ method: 'POST' })).toBe(1)
    simulator.faults.clear()
    expect((await ruleset()).rules).toHaveLength(1)
  })

  test('a deletion is repeated, and the ruleset is read if it had succeeded', async () => {
    const id = outside([block, { ...block, ref: 'kept' }])
    const [rule] = (await ruleset()).rules
    simulator.faults.add({ method: 'DELETE', effect: lost, times: 1 })
    const left = await connection.deleteRule(zone, id, rule?.id ?? '', {}, person)
    expect(simulator.journal.count({ method: 'DELETE' })).toBe(2)
    expect(left).toEqual(await ruleset())
    expect(left?.rules.map(({ ref }) => ref)).toEqual(['kept'])
  })

  test('a change and a move are repeated', async () => {
    const id = outside([block, { ...block, ref: 'last' }])
    const [rule] = (await ruleset()).rules
    simulator.faults.add({ method: 'PATCH', effect: lost, times: 1 })
    await connection.updateRule(zone, id, rule?.id ?? '', { ...block, enabled: false }, {}, person)
    simulator.faults.add({ method: 'PATCH', effect: lost, times: 1 })
    const moved = await connection.moveRule(zone, id, rule?.id ?? '', { after: '' }, {}, person)
    expect(moved?.rules.map(({ definition }) => definition.enabled)).toEqual([true, false])
  })

  test('a dry run is sent like the change itself, because Cloudflare might ignore that it is one', async () => {
    const id = outside([])
    simulator.faults.add({ method: 'POST', effect: lost })
    await expect(connection.createRule(zone, id, block, { dryRun: true }, person)).rejects.toMatchObject({ isUnclear: true })
    expect(simulator.journal.count({ method: 'POST' })).toBe(1)
  })
})

test('a dry run that Cloudflare took for a change returns the ruleset that was written', async () => {
  const id = outside([])
  expect(await connection.createRule(zone, id, block, { dryRun: true }, person)).toBeNull()
  simulator.state.ignoresDryRun = true
  const written = await connection.createRule(zone, id, block, { dryRun: true }, person)
  expect(written?.rules).toHaveLength(1)
  expect(await ruleset()).toEqual(written)
})

describe('refusals', () => {
  const refused = (rule: HostedRuleDefinition) => connection.createRule(zone, outside([]), rule, {}, person)

  test('an expression is refused in Cloudflare’s words, with the place; of a long one the reason is kept', async () => {
    await expect(refused({ ...block, expression: 'ip.source eq 192.0.2.1' })).rejects.toMatchObject({
      code: 'provider_rejected',
      provider: { code: '20127', pointer: '/expression', message: expect.stringContaining('^^^^^^^^^ unknown identifier') as string },
    })
    const long = `${'ip.src eq 192.0.2.1 or '.repeat(170)}ip.source eq 192.0.2.1`
    const error = await refused({ ...block, expression: long }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      provider: { message: expect.stringMatching(/^'ip\.src eq [^]* … [^]*\^ unknown identifier$/) as string },
    })
  })

  test('a full plan and a ruleset that exists have codes of their own', async () => {
    const id = outside(Array.from({ length: 5 }, () => block))
    const quota = { code: 'rule_quota_reached', provider: { code: '50001', message: expect.stringMatching(/6 out of 5/) as string } }
    await expect(connection.createRule(zone, id, block, {}, person)).rejects.toMatchObject(quota)
    await expect(connection.createRule(zone, id, block, { dryRun: true }, person)).rejects.toMatchObject(quota)
    await expect(connection.createRuleset(zone, phase, [block], {}, person)).rejects.toMatchObject({
      code: 'conflict',
      provider: { code: '20217' },
    })
    expect((await ruleset()).rules).toHaveLength(5)
  })

  test('a token without the permission for rules is forbidden, which differs from a phase without rules', async () => {
    const reader = connectWith({ kind: 'api_token', token: owner.readOnlyToken })
    await expect(reader.listRulesets(zone, person)).rejects.toMatchObject({ code: 'provider_forbidden' })
    await expect(reader.getRuleset(zone, phase, person)).rejects.toMatchObject({ code: 'provider_forbidden' })
    expect(await connection.getRuleset(zone, phase, person)).toBeNull()
    await expect(connection.getRuleset('0'.repeat(32), phase, person)).rejects.toMatchObject({ code: 'provider_not_found' })
  })
})

test('all rulesets are listed, whichever way Cloudflare names the next page', async () => {
  const page = (id: string, info: object) => ({
    success: true,
    result: [{ id, kind: 'zone', phase, version: '3', last_updated: '2026-11-20T10:00:00Z' }],
    result_info: info,
  })
  const pages = new Map([
    ['', page('a', { cursors: { after: 'two words' } })],
    ['two words', page('b', { cursor: 'third' })],
    ['third', page('c', { cursor: 'third' })],
  ])
  const own = createServer((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://own').searchParams.get('cursor') ?? ''
    response.end(JSON.stringify(pages.get(cursor)))
  })
  const { port, close } = await listen(own, 0, '127.0.0.1')
  const other = createCloudflare({
    baseUrl: `http://127.0.0.1:${port}`,
    budget: { limit: 100, windowMs: 300_000 },
    sql: database.db.sql,
    clock: hasty,
    log: createLog('silent'),
    userAgent: 'zonedeck-test',
  })
  const listed = await other.connect({ kind: 'api_token', token: 'a'.repeat(40) }, null).listRulesets(zone, person)
  expect(listed.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(listed[0]).toEqual({ id: 'a', kind: 'zone', phase, version: '3', lastUpdated: new Date('2026-11-20T10:00:00Z') })
  await other.close()
  await close()
})

test('page rules are read with their targets and actions', async () => {
  const lists = await Promise.all(world.content().zones.map(({ id }) => connection.listPageRules(id, person)))
  const found = lists.flat()
  expect(found.length).toBeGreaterThan(0)
  for (const rule of found)
    expect(rule).toMatchObject({
      targets: [expect.stringMatching(/^\*.+\/old\/\*$/)],
      actions: [{ id: 'forwarding_url', value: { status_code: 301 } }],
      priority: 1,
      status: 'active',
      modifiedAt: expect.any(Date) as Date,
    })
})
