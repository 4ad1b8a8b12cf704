import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '#server/app.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { changePreview } from '#shared/features/operations/schema.ts'
import { previews } from './previews.ts'

let panel: TestPanel
let app: FastifyInstance
let anna: SignedIn
let boris: SignedIn
let id: string
let name: string
let groupId: string
let registrarId: string
let trackerId: string
let record: { readonly id: string; readonly content: string }
let rule: { readonly id: string; readonly version: string }
const waf = 'http_request_firewall_custom'
const expression = '(http.request.uri.path eq "/old")'

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 4, accounts: 1, recordsPerZone: 4 } })
  const { services, simulator } = panel
  app = await buildApp(services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
  ;[anna, boris] = [await signIn(services), await signIn(services)]
  const [sim] = [...simulator.state.zonesById.values()].filter(({ status }) => status === 'active')
  if (sim === undefined) throw new Error('the world has no active zone')
  const { email, globalKey } = panel.credential(0)
  const account = await insertAccount(services.db, { ownerId: anna.user.id, email }, { secrets: services.secrets, apiKey: globalKey })
  const owner = { ownerId: anna.user.id, accountId: account.id }
  const zone = await insertZone(services.db, {
    ...owner,
    providerZoneId: sim.id,
    name: sim.name,
    status: 'active',
    nameServers: [...sim.nameServers],
    plan: 'Free Website',
  })
  sim.plan = 'free'
  ;({ id, name } = zone)
  groupId = (await insertGroup(services.db, { ownerId: anna.user.id, name: 'Shops' })).id
  registrarId = (await anna.call.registrars.create({ name: 'By hand', username: 'anna', password: 'long-secret-word' })).registrar.id
  const tracker = { kind: 'KEITARO', name: 'Main', url: 'https://tracker.example.com', apiKey: 'f'.repeat(20) } as const
  trackerId = (await anna.call.trackers.create(tracker)).tracker.id
  await anna.call.zoneSettings.refresh({ id })
  await anna.call.records.create({ id, type: 'A', name: 'shop', content: '192.0.2.10' })
  const { records } = await anna.call.records.list({ id })
  const found = records.find((each) => each.name === `shop.${name}`)
  if (found === undefined) throw new Error('the record is not there')
  record = found
  const { ruleset } = await anna.call.rulesets.createRule({ id, phase: waf, rule: { description: 'Old', expression, action: 'block' } })
  const [made] = ruleset.rules
  if (made === undefined) throw new Error('the rule is not there')
  rule = made
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

const ask = (method: 'PATCH' | 'POST' | 'DELETE', path: string, payload: object | undefined, me = anna, query = 'preview=true') =>
  app.inject({ method, url: `/api/zones/${path}?${query}`, headers: me.headers, ...(payload && { payload }) })
/** Everything a change could affect, in the panel and at the provider. */
const state = async () => {
  const { sql } = panel.services.db
  const counts = await sql`select (select count(*) from activity) as told, (select count(*) from operations) as operations,
    (select json_agg(z order by z.id) from zones z) as zones, (select json_agg(r order by r.record_id) from dns_records r) as records,
    (select json_agg(s) from zone_settings s) as settings, (select json_agg(r) from zone_rulesets r) as rules`
  // Rules are compared with those at Cloudflare, which checks them by a dry run.
  const sent = panel.simulator.journal
    .recent()
    .filter(({ path, method, url }) => !(path.includes('/rulesets') && (method === 'GET' || url.includes('dry_run'))))
  return { counts: counts[0], sent: sent.length, rules: await anna.call.rulesets.list({ id }) }
}

type Call = readonly [procedure: string, 'PATCH' | 'POST' | 'DELETE', () => string, () => object | undefined, expected: () => object]
const calls: readonly Call[] = [
  [
    'zoneSettings.update',
    'PATCH',
    () => `${id}/settings`,
    () => ({ minTlsVersion: '1.3' }),
    () => ({ after: { minTlsVersion: '1.3' }, calls: 1 }),
  ],
  [
    'zoneSettings.setDevelopmentMode',
    'PATCH',
    () => `${id}/development-mode`,
    () => ({ enabled: true }),
    () => ({ after: { developmentMode: true } }),
  ],
  ['zoneSettings.setUniversal', 'PATCH', () => `${id}/ssl/universal`, () => ({ enabled: false }), () => ({ dangers: ['universal_off'] })],
  ['zoneSettings.setGroup', 'PATCH', () => `${id}/group`, () => ({ groupId }), () => ({ before: null, after: 'Shops', calls: 0 })],
  [
    'registrars.setOfDomain',
    'PATCH',
    () => `${id}/registrar`,
    () => ({ registrarId }),
    () => ({ before: { registrar: null }, after: { registrar: 'By hand' } }),
  ],
  [
    'trackers.bind',
    'POST',
    () => `${id}/tracker`,
    () => ({ trackerId }),
    () => ({ before: null, after: { tracker: 'Main', campaign: null }, calls: 1, refused: null }),
  ],
  ['trackers.unbind', 'DELETE', () => `${id}/tracker`, () => undefined, () => ({ refused: 'domain_not_bound' })],
  ['trackers.check', 'POST', () => `${id}/tracker/check`, () => ({}), () => ({ refused: 'domain_not_bound' })],
  ['zoneSettings.purgeCache', 'POST', () => `${id}/purge-cache`, () => ({ purgeEverything: true }), () => ({ calls: 1, refused: null })],
  ['zoneSettings.remove', 'DELETE', () => id, () => undefined, () => ({ after: null, dangers: ['zone_goes'] })],
  [
    'records.changeIp',
    'PATCH',
    () => `${id}/ip-address`,
    () => ({ ipAddress: '198.51.100.7' }),
    () => ({ after: expect.arrayContaining([expect.objectContaining({ name: `shop.${name}`, content: '198.51.100.7' })]) as unknown }),
  ],
  [
    'records.create',
    'POST',
    () => `${id}/dns-records`,
    () => ({ type: 'SRV', name: '_sip._tcp', data: { priority: 5, weight: 1, port: 5060, target: 'sip.example.com' }, priority: 5 }),
    () => ({
      before: [],
      after: [{ type: 'SRV', name: `_sip._tcp.${name}`, content: expect.stringContaining('5060') as unknown, ttl: 1 }],
    }),
  ],
  [
    'records.update',
    'PATCH',
    () => `${id}/dns-records/${record.id}`,
    () => ({ proxied: true, comment: 'behind' }),
    () => ({
      before: [{ content: '192.0.2.10', proxied: false, comment: null }],
      after: [{ content: '192.0.2.10', proxied: true, comment: 'behind' }],
    }),
  ],
  [
    'records.remove',
    'DELETE',
    () => `${id}/dns-records/${record.id}`,
    () => undefined,
    () => ({ before: [{ content: '192.0.2.10' }], after: [], dangers: ['site_goes'], calls: 1 }),
  ],
  [
    'records.change',
    'POST',
    () => `${id}/dns-records/batch`,
    () => ({
      deletes: [],
      updates: [{ recordId: record.id, patch: { type: 'CNAME', content: 'example.com' } }],
      creates: [{ type: 'TXT', name: '@', content: 'one' }],
    }),
    () => ({
      before: [{ type: 'A' }],
      after: [
        { type: 'CNAME', content: 'example.com' },
        { type: 'TXT', name },
      ],
      calls: 1,
    }),
  ],
  [
    'rulesets.createRule',
    'POST',
    () => `${id}/rulesets/${waf}/rules`,
    () => ({ rule: { description: 'New', expression: '(http.host eq "a.example")', action: 'block' }, position: 1 }),
    () => ({
      before: { rules: [] },
      after: { rules: [{ phase: waf, position: 1, description: 'New', action: 'block' }] },
      calls: 2,
      refused: null,
      check: { result: 'accepted' },
      quota: { phase: waf, rules: 2, limit: 5 },
    }),
  ],
  [
    'rulesets.updateRule',
    'PATCH',
    () => `${id}/rulesets/${waf}/rules/${rule.id}`,
    () => ({ rule: { expression: '(http.unknown.field eq "x")' }, version: rule.version }),
    () => ({
      before: { rules: [{ expression, position: 1 }] },
      after: { rules: [{ description: 'Old', expression: '(http.unknown.field eq "x")' }] },
      calls: 0,
      refused: 'provider_rejected',
      check: { result: 'refused', message: expect.stringContaining('unknown') as unknown },
      quota: { phase: waf, rules: 1, limit: 5 },
    }),
  ],
  [
    'rulesets.moveRule',
    'PATCH',
    () => `${id}/rulesets/${waf}/rules/${rule.id}/position`,
    () => ({ position: 3 }),
    () => ({ unchanged: true, calls: 0, check: null }),
  ],
  [
    'rulesets.deleteRule',
    'DELETE',
    () => `${id}/rulesets/${waf}/rules/${rule.id}`,
    () => undefined,
    () => ({ before: { rules: [{ description: 'Old' }] }, after: { rules: [] }, calls: 2, quota: { phase: waf, rules: 0, limit: 5 } }),
  ],
]

describe('R-API-01 ?preview=true', () => {
  test('is supported by every change of one domain that has a plan', () => {
    expect(calls.map(([procedure]) => procedure).toSorted()).toEqual([...previews.keys()].toSorted())
    const routes = listRestRoutes().map(({ path }) => path)
    expect([...previews.keys()].filter((path) => !routes.includes(path))).toEqual([])
  })

  test.each(calls)(
    '%s: the response is the planned change; nothing is sent or written',
    async (_procedure, method, path, body, expected) => {
      const before = await state()
      const answer = await ask(method, path(), body())
      expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
      expect(changePreview.parse(answer.json()).preview).toMatchObject(expected())
      expect(await state()).toEqual(before)
    },
  )

  test.each(calls)('%s: another person’s domain is not revealed', async (_procedure, method, path, body) => {
    const answer = await ask(method, path(), body(), boris)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'not_found'])
  })

  test('a change already in effect is unchanged, and a change that would be refused has a reason', async () => {
    const { data } = z
      .object({ data: z.array(z.object({ id: z.uuid() })) })
      .parse((await app.inject({ url: '/api/zones/live', headers: anna.headers })).json())
    expect(data).toHaveLength(1)
    const same = await ask('PATCH', `${id}/group`, { groupId: null })
    expect(changePreview.parse(same.json()).preview).toMatchObject({ unchanged: true, calls: 0 })
    const alike = await ask('PATCH', `${id}/dns-records/${record.id}`, { content: record.content })
    expect(changePreview.parse(alike.json()).preview).toMatchObject({ unchanged: true, before: [], after: [], calls: 0 })
    await panel.services.db.sql`update zones set status = 'pending' where id = ${id}`
    const refused = await ask('POST', `${id}/purge-cache`, { purgeEverything: true })
    await panel.services.db.sql`update zones set status = 'active' where id = ${id}`
    expect(changePreview.parse(refused.json()).preview).toMatchObject({ refused: 'cache_unavailable', calls: 0 })
  })

  test('of a rule says that its phase has no room, that somebody else has changed the rule, and where it goes', async () => {
    const path = `${id}/rulesets/${waf}/rules`
    const given = (key: string) => ({ description: key, expression: `(http.host eq "${key}.example")`, action: 'block' })
    for (const key of ['a', 'b', 'c', 'd']) await anna.call.rulesets.createRule({ id, phase: waf, rule: given(key) })
    const full = changePreview.parse((await ask('POST', path, { rule: given('e') })).json()).preview
    expect(full).toMatchObject({ refused: 'rule_quota_reached', calls: 0, check: null, quota: { rules: 6, limit: 5 } })
    const moved = changePreview.parse((await ask('PATCH', `${path}/${rule.id}/position`, { position: 3 })).json()).preview
    expect(moved).toMatchObject({ before: { rules: [{ position: 1 }] }, after: { rules: [{ position: 3 }] }, calls: 2, check: null })
    const outdated = await ask('DELETE', `${path}/${rule.id}`, { version: 'another' })
    expect([outdated.statusCode, outdated.json<{ code: string }>().code]).toEqual([409, 'conflict'])
    const missing = await ask('PATCH', `${path}/none`, { rule: { enabled: false } })
    expect(missing.statusCode).toBe(404)
  })

  test('of a rule with a token that may only read is not checked at Cloudflare', async () => {
    const { secret } = await anna.call.apiTokens.create({ name: 'reader', scope: 'read' })
    panel.simulator.journal.reset()
    const answer = await app.inject({
      method: 'PATCH',
      url: `/api/zones/${id}/rulesets/${waf}/rules/${rule.id}?preview=true`,
      headers: { authorization: `Bearer ${secret}` },
      payload: { rule: { enabled: false } },
    })
    expect(changePreview.parse(answer.json()).preview).toMatchObject({ after: { rules: [{ enabled: false }] }, check: null, calls: 2 })
    expect(panel.simulator.journal.recent().map(({ method }) => method)).toEqual(['GET'])
  })

  test('a preview is refused for the same reasons and fields as the call itself', async () => {
    const issuesOf = async (query: string, method: 'PATCH' | 'POST', path: string, payload: object) => {
      const answer = await ask(method, path, payload, anna, query)
      return [answer.statusCode, answer.json<{ issues?: unknown }>().issues]
    }
    const refused: readonly ['PATCH' | 'POST', string, object][] = [
      ['PATCH', `${id}/settings`, {}],
      ['PATCH', `${id}/settings`, { ssl: 'sometimes' }],
      ['PATCH', `${id}/settings`, { sll: 'full' }],
      ['PATCH', `${id}/ip-address`, { ipAddress: '127.0.0.1' }],
      ['POST', `${id}/purge-cache`, { files: ['https://somebody-elses.com/'] }],
      ['POST', `${id}/dns-records`, { type: 'A', name: 'www', content: 'not an address' }],
      ['POST', `${id}/dns-records`, { type: 'A', name: 'www', content: '192.0.2.1', proxied: true, ttl: 300 }],
      ['PATCH', `${id}/dns-records/${record.id}`, { content: 'not an address' }],
      ['POST', `${id}/dns-records/batch`, { creates: [{ type: 'A', name: 'www', content: 'not an address' }] }],
      ['POST', `${id}/rulesets/${waf}/rules`, { rule: { expression, action: 'redirect' } }],
      ['PATCH', `${id}/rulesets/${waf}/rules/${rule.id}`, { rule: { expression: '' } }],
    ]
    for (const [method, path, payload] of refused) {
      const previewed = await issuesOf('preview=true', method, path, payload)
      expect([path, ...previewed]).toEqual([path, ...(await issuesOf('preview=false', method, path, payload))])
      expect(previewed[0]).toBe(400)
    }
    const change = { kind: 'purge_files' as const, files: ['no address'] }
    await expect(anna.call.operations.previewChange({ id, change })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('is never mistaken for the change: values other than true and false are refused, as are calls without a plan', async () => {
    const before = await state()
    const codes = await Promise.all([
      ask('PATCH', `${id}/group`, { groupId }, anna, 'preview=perhaps'),
      ask('PATCH', `${id}/paused`, { paused: true }),
      ask('PATCH', `${id}/group`, { groupId, preview: true }, anna, ''),
    ]).then((answers) => answers.map((answer) => answer.json<{ code: string }>().code))
    expect(codes).toEqual(['validation_failed', 'validation_failed', 'validation_failed'])
    const signedOut = await app.inject({ method: 'DELETE', url: `/api/zones/${id}?preview=true` })
    expect(signedOut.statusCode).toBe(401)
    expect(await state()).toEqual(before)
  })

  test('a key used for a preview cannot be used for the change', async () => {
    const headers = { ...anna.headers, 'idempotency-key': 'one-name' }
    const send = (query: string) => app.inject({ method: 'PATCH', url: `/api/zones/${id}/group${query}`, headers, payload: { groupId } })
    expect((await send('?preview=true')).statusCode).toBe(200)
    expect((await send('')).json()).toMatchObject({ code: 'idempotency_mismatch' })
  })
})
