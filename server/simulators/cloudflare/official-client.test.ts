import { webcrypto, X509Certificate } from 'node:crypto'

import 'reflect-metadata'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import Cloudflare, { NotFoundError, PermissionDeniedError, RateLimitError } from 'cloudflare'
import type { RulesetGetResponse } from 'cloudflare/resources/rulesets/rulesets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { buildWorld } from '../world.ts'
import type { AccountCredentials } from '../world.ts'
import { applyEdit } from './control.ts'
import { startCloudflareSimulator } from './simulator.ts'
import type { CloudflareSimulator } from './simulator.ts'

const NOW_MS = Date.UTC(2026, 10, 21)

let simulator: CloudflareSimulator
let owner: AccountCredentials
let client: Cloudflare
let zoneId: string
let zoneName: string

beforeAll(async () => {
  const world = buildWorld({ zones: 130, accounts: 1, seed: 3, plain: true, recordsPerZone: 8, nowMs: NOW_MS })
  simulator = await startCloudflareSimulator({ world, now: () => NOW_MS })
  const [credentials] = world.credentials
  if (credentials === undefined) throw new Error('no credentials')
  owner = credentials
  client = new Cloudflare({ apiEmail: owner.email, apiKey: owner.globalKey, apiToken: null, baseURL: simulator.url, maxRetries: 0 })
  const zone = [...simulator.state.zonesById.values()][0]
  if (zone === undefined) throw new Error('no zone')
  zoneId = zone.id
  zoneName = zone.name
})
afterAll(() => simulator.close())

function clientWithToken(apiToken: string): Cloudflare {
  return new Cloudflare({ apiToken, apiKey: null, apiEmail: null, baseURL: simulator.url, maxRetries: 0 })
}

describe('the official cloudflare package drives the simulator unchanged', () => {
  test('lists every zone once with its own paging', async () => {
    const ids: string[] = []
    for await (const zone of client.zones.list({ account: { id: owner.accountId }, per_page: 50 })) ids.push(zone.id)
    expect(ids).toHaveLength(130)
    expect(new Set(ids).size).toBe(130)
  })

  test('filters zones by operators, status and order', async () => {
    const found = await client.zones.list({ name: `contains:${zoneName.slice(2, 8)}`, status: 'active', order: 'name', direction: 'desc' })
    expect(found.result.map((zone) => zone.name)).toContain(zoneName)
  })

  test('creates, reads, pauses and deletes a zone', async () => {
    const created = await client.zones.create({ account: { id: owner.accountId }, name: 'driven-by-sdk.com', type: 'full' })
    expect(created).toMatchObject({ name: 'driven-by-sdk.com', status: 'pending', account: { id: owner.accountId } })
    expect((await client.zones.edit({ zone_id: created.id, paused: true })).paused).toBe(true)
    expect((await client.zones.get({ zone_id: created.id })).paused).toBe(true)
    expect(await client.zones.activationCheck.trigger({ zone_id: created.id })).toEqual({ id: created.id })
    expect(await client.zones.delete({ zone_id: created.id })).toEqual({ id: created.id })
    await expect(client.zones.get({ zone_id: created.id })).rejects.toThrow(NotFoundError)
  })

  test('lists the audit log of an account with its own paging, each change once', async () => {
    const { auditLog } = simulator.state
    const ids = Array.from({ length: 25 }, (_, n) => auditLog.add({ id: owner.accountId }, {}, { timeMs: NOW_MS - 3_600_000 + n }))
    const since = new Date(NOW_MS - 7_200_000).toISOString()
    const before = new Date(NOW_MS - 1_800_000).toISOString()
    const found: (string | undefined)[] = []
    const window = { account_id: owner.accountId, since, before, direction: 'asc', limit: 10 } as const
    for await (const entry of client.accounts.logs.audit.list(window)) found.push(entry.id)
    expect(found).toEqual(ids)
    await expect(clientWithToken(owner.readOnlyToken).accounts.logs.audit.list(window)).rejects.toThrow(PermissionDeniedError)
  })

  test('reads and changes single settings', async () => {
    expect(await client.zones.settings.edit('ssl', { zone_id: zoneId, value: 'strict' })).toMatchObject({ id: 'ssl', value: 'strict' })
    expect(await client.zones.settings.get('ssl', { zone_id: zoneId })).toMatchObject({ id: 'ssl', value: 'strict', editable: true })
    await client.zones.settings.edit('development_mode', { zone_id: zoneId, value: 'on' })
    expect(await client.zones.settings.get('development_mode', { zone_id: zoneId })).toMatchObject({ value: 'on', time_remaining: 10_800 })
    expect((await client.zones.get({ zone_id: zoneId })).development_mode).toBe(10_800)
  })

  test('reads and changes the settings of bots field by field, as the plan allows', async () => {
    const of = (plan: string) => {
      const zone = [...simulator.state.zonesById.values()].find((each) => each.plan === plan)
      if (zone === undefined) throw new Error(`no zone on ${plan}`)
      return { zone_id: zone.id }
    }
    const free = of('free')
    await client.botManagement.update({ ...free, ai_bots_protection: 'only_on_ad_pages', crawler_protection: 'disabled' })
    expect(await client.botManagement.update({ ...free, fight_mode: true })).toMatchObject({
      fight_mode: true,
      ai_bots_protection: 'only_on_ad_pages',
    })
    expect(await client.botManagement.get(free)).toMatchObject({ fight_mode: true, crawler_protection: 'disabled' })
    simulator.state.getZone(free.zone_id).plan = 'enterprise'
    expect(await client.botManagement.get(free)).not.toHaveProperty('fight_mode')
    await expect(client.botManagement.update({ ...free, fight_mode: false })).rejects.toMatchObject({ status: 400 })
    await expect(client.botManagement.update({ ...free, ai_bots_protection: 'only_on_ad_pages' })).rejects.toMatchObject({ status: 400 })
    simulator.state.getZone(free.zone_id).plan = 'free'
    const reader = clientWithToken(owner.readOnlyToken)
    await expect(reader.botManagement.get(free)).rejects.toThrow(PermissionDeniedError)
  })

  test('enables and disables DNSSEC, which becomes active once the registrar has the DS record', async () => {
    const zone = { zone_id: zoneId }
    const registrar = (present: boolean) => applyEdit(simulator.state, { kind: 'registrar-ds', name: zoneName, present })
    expect(await client.dns.dnssec.get(zone)).toMatchObject({ status: 'disabled', modified_on: null })
    const enabled = await client.dns.dnssec.edit({ ...zone, status: 'active' })
    expect(enabled).toMatchObject({ status: 'pending', algorithm: '13', digest_type: '2' })
    expect(enabled.ds).toBe(`${zoneName}. 3600 IN DS ${enabled.key_tag} 13 2 ${enabled.digest}`)
    registrar(true)
    expect(await client.dns.dnssec.get(zone)).toEqual({ ...enabled, status: 'active' })
    expect((await client.dns.dnssec.edit({ ...zone, status: 'disabled' })).status).toBe('pending-disabled')
    registrar(false)
    expect((await client.dns.dnssec.get(zone)).status).toBe('disabled')
    await expect(clientWithToken(owner.readOnlyToken).dns.dnssec.edit({ ...zone, status: 'active' })).rejects.toThrow(PermissionDeniedError)
  })

  test('lists, creates, overwrites, edits and deletes records', async () => {
    const before = await client.dns.records.list({ zone_id: zoneId })
    expect(before.result).toHaveLength(8)
    const made = await client.dns.records.create({ zone_id: zoneId, type: 'A', name: 'sdk', content: '203.0.113.9', ttl: 300 })
    expect(made).toMatchObject({ name: `sdk.${zoneName}`, content: '203.0.113.9', proxied: false, ttl: 300 })
    await client.dns.records.edit(made.id, { zone_id: zoneId, type: 'A', name: 'sdk', content: '203.0.113.10', ttl: 300 })
    const put = { zone_id: zoneId, type: 'A', name: 'sdk', content: '203.0.113.11', ttl: 1 } as const
    expect(await client.dns.records.update(made.id, put)).toMatchObject({ content: '203.0.113.11', ttl: 1 })
    expect(await client.dns.records.get(made.id, { zone_id: zoneId })).toMatchObject({ content: '203.0.113.11' })
    const found = await client.dns.records.list({ zone_id: zoneId, name: { startswith: 'sdk.' }, type: 'A' })
    expect(found.result.map((record) => record.id)).toEqual([made.id])
    expect(await client.dns.records.delete(made.id, { zone_id: zoneId })).toEqual({ id: made.id })
  })

  test('changes many records in one batch', async () => {
    const made = await client.dns.records.create({ zone_id: zoneId, type: 'TXT', name: 'batch', content: '"old"', ttl: 1 })
    const answer = await client.dns.records.batch({
      zone_id: zoneId,
      deletes: [{ id: made.id }],
      posts: [{ type: 'MX', name: 'batch', content: 'mail.example.net', priority: 5, ttl: 1 }],
    })
    expect(answer.deletes?.map((record) => record.id)).toEqual([made.id])
    expect(answer.posts?.[0]).toMatchObject({ type: 'MX', priority: 5 })
  })

  test('exports a zone and imports the file', async () => {
    const file = await client.dns.records.export({ zone_id: zoneId })
    expect(file).toContain(`$ORIGIN ${zoneName}.`)
    const target = await client.zones.create({ account: { id: owner.accountId }, name: 'imported.com' })
    const moved = file.replaceAll(zoneName, 'imported.com')
    const answer = await client.dns.records.import({ zone_id: target.id, file: moved, proxied: 'false' })
    const count = (await client.dns.records.list({ zone_id: zoneId })).result.length
    expect(answer).toEqual({ recs_added: count, total_records_parsed: count })
    expect(await client.dns.usage.zone.get({ zone_id: target.id })).toEqual({ record_quota: 200, record_usage: count })
  })

  test('reads certificates and switches universal SSL', async () => {
    const packs = await client.ssl.certificatePacks.list({ zone_id: zoneId, status: 'all' })
    expect(packs.result[0]).toMatchObject({ type: 'universal', hosts: [zoneName, `*.${zoneName}`] })
    expect(await client.ssl.universal.settings.edit({ zone_id: zoneId, enabled: false })).toEqual({ enabled: false })
    expect(await client.ssl.universal.settings.get({ zone_id: zoneId })).toEqual({ enabled: false })
    expect((await client.ssl.certificatePacks.list({ zone_id: zoneId, status: 'all' })).result).toMatchObject([{ status: 'deleted' }])
    expect((await client.ssl.certificatePacks.list({ zone_id: zoneId })).result).toEqual([])
    await client.ssl.universal.settings.edit({ zone_id: zoneId, enabled: true })
    const [ordered] = await client.ssl.verification.get({ zone_id: zoneId })
    expect(ordered).toMatchObject({ certificate_status: 'initializing' })
    const packId = ordered?.cert_pack_uuid ?? ''
    expect(await client.ssl.verification.edit(packId, { zone_id: zoneId, validation_method: 'http' })).toMatchObject({
      validation_method: 'http',
    })
    expect((await client.ssl.verification.get({ zone_id: zoneId, retry: true }))[0]).toMatchObject({ certificate_status: 'active' })
  })

  test('issues, lists by zone in pages, reads and revokes Origin CA certificates, with its refusals', async () => {
    const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const csr = (await Pkcs10CertificateRequestGenerator.create({ name: `CN=${zoneName}`, keys, signingAlgorithm })).toString('pem')
    const hostnames = [zoneName, `*.${zoneName}`]
    const order = { csr, hostnames, request_type: 'origin-ecc', requested_validity: 90 } as const
    const issued = await client.originCACertificates.create(order)
    expect(issued).toMatchObject({ ...order, expires_on: '2027-02-19 00:00:00 +0000 UTC' })
    const certificate = new X509Certificate(issued.certificate ?? '')
    expect(certificate.checkHost(`www.${zoneName}`)).toBe(`*.${zoneName}`)
    expect(BigInt(`0x${certificate.serialNumber}`).toString()).toBe(issued.id)
    expect(certificate.publicKey.export({ type: 'spki', format: 'der' })).toEqual(
      Buffer.from(await webcrypto.subtle.exportKey('spki', keys.publicKey)),
    )
    for (let n = 0; n < 5; n += 1) await client.originCACertificates.create({ ...order, request_type: 'origin-rsa', requested_validity: 7 })
    const ids: string[] = []
    for await (const { id } of client.originCACertificates.list({ zone_id: zoneId, per_page: 5 })) ids.push(id ?? '')
    expect(new Set(ids).size).toBe(6)
    expect(await client.originCACertificates.get(ids[5] ?? '')).toMatchObject({ id: issued.id })
    expect(await client.originCACertificates.delete(ids[5] ?? '')).toMatchObject({ id: issued.id, revoked_at: '2026-11-21T00:00:00.000Z' })
    expect((await client.originCACertificates.list({ zone_id: zoneId })).result).toHaveLength(5)

    const refused = (code: number) => ({ errors: [{ code }] })
    await expect(client.originCACertificates.delete(ids[5] ?? '')).rejects.toMatchObject(refused(1014))
    await expect(client.originCACertificates.get('4711')).rejects.toMatchObject(refused(1101))
    const create = (change: object) => client.originCACertificates.create({ ...order, ...change })
    for (const hostname of ['elsewhere.example', `*.*.${zoneName}`, `a.*.${zoneName}`, '*.com'])
      await expect(create({ hostnames: [hostname] })).rejects.toMatchObject(refused(1010))
    await expect(create({ requested_validity: 8 })).rejects.toMatchObject(refused(1009))
    await expect(create({ csr: 'MIIB' })).rejects.toMatchObject(refused(1007))
    await expect(create({ csr: csr.slice(0, 120) })).rejects.toMatchObject(refused(1011))
    await expect(create({ hostnames: Array.from({ length: 201 }, (_, n) => `h${n}.${zoneName}`) })).rejects.toMatchObject(refused(1005))
    await expect(clientWithToken(owner.readOnlyToken).originCACertificates.create(order)).rejects.toMatchObject(refused(1016))
  })

  test('creates a list of redirects, adds, replaces and deletes its items, one operation at a time, and enables it', async () => {
    const account = { account_id: owner.accountId }
    let nowMs = NOW_MS
    const timed = await startCloudflareSimulator({ world: buildWorld({ zones: 3, accounts: 1, seed: 3, plain: true }), now: () => nowMs })
    const sdk = new Cloudflare({ apiEmail: owner.email, apiKey: owner.globalKey, apiToken: null, baseURL: timed.url, maxRetries: 0 })
    const made = await sdk.rules.lists.create({ ...account, kind: 'redirect', name: 'moved' })
    expect(made).toMatchObject({ kind: 'redirect', name: 'moved', num_items: 0 })
    await expect(sdk.rules.lists.create({ ...account, kind: 'redirect', name: 'Not-valid' })).rejects.toMatchObject({ status: 400 })
    const body = Array.from({ length: 60 }, (_, at) => ({
      redirect: { source_url: `a.example/${at}`, target_url: `https://b.example/${at}` },
    }))
    const { operation_id: id } = await sdk.rules.lists.items.create(made.id, { ...account, body })
    expect(await sdk.rules.lists.bulkOperations.get(id, account)).toEqual({ id, status: 'pending' })
    await expect(sdk.rules.lists.items.create(made.id, { ...account, body })).rejects.toBeInstanceOf(RateLimitError)
    nowMs += 1_000
    expect(await sdk.rules.lists.bulkOperations.get(id, account)).toMatchObject({ id, status: 'completed' })
    const items = async () => {
      const found = []
      for await (const item of sdk.rules.lists.items.list(made.id, { ...account, per_page: 25 })) if ('redirect' in item) found.push(item)
      return found
    }
    expect(await items()).toHaveLength(60)
    const again = { redirect: { source_url: 'a.example/7', target_url: 'https://c.example/', status_code: 308 as const } }
    await sdk.rules.lists.items.create(made.id, { ...account, body: [again] })
    nowMs += 1_000
    const replaced = (await items()).filter(({ redirect }) => redirect.source_url === 'a.example/7')
    expect(replaced).toMatchObject([{ redirect: { target_url: 'https://c.example/', status_code: 308 } }])
    await sdk.rules.lists.items.delete(made.id, { ...account, items: replaced.map((item) => ({ id: item.id })) })
    nowMs += 1_000
    expect(await items()).toHaveLength(59)
    await sdk.rules.lists.items.update(made.id, { ...account, body: [again] })
    nowMs += 1_000
    expect(await items()).toHaveLength(1)
    const rule = {
      action: 'redirect',
      expression: 'http.request.full_uri in $moved',
      action_parameters: { from_list: { name: 'moved', key: 'http.request.full_uri' } },
    } as const
    const phase = 'http_request_redirect'
    await expect(sdk.rulesets.phases.get(phase, account)).rejects.toBeInstanceOf(NotFoundError)
    const ruleset = (await sdk.rulesets.create({ ...account, kind: 'root', name: 'default', phase, rules: [rule] })) as RulesetGetResponse
    expect(ruleset).toMatchObject({ kind: 'root', phase, rules: [rule] })
    const second = (await sdk.rulesets.rules.create(ruleset.id, { ...account, ...rule, ref: 'second' })) as RulesetGetResponse
    expect(second.rules).toHaveLength(2)
    expect(await sdk.rulesets.phases.get(phase, account)).toEqual(second)
    const edit = { ...account, ruleset_id: ruleset.id, ...rule, enabled: false, ref: 'second' }
    const edited = (await sdk.rulesets.rules.edit(second.rules[1]?.id ?? '', edit)) as RulesetGetResponse
    expect(edited.rules[1]).toMatchObject({ enabled: false, ref: 'second' })
    await sdk.rulesets.rules.delete(second.rules[1]?.id ?? '', { ...account, ruleset_id: ruleset.id })
    expect(await sdk.rules.lists.delete(made.id, account)).toEqual({ id: made.id })
    await timed.close()
  })

  test('lists, creates, edits, moves and deletes rules, and reads old versions', async () => {
    const phase = 'http_request_firewall_custom'
    const zone = { zone_id: zoneId }
    await expect(client.rulesets.phases.get(phase, zone)).rejects.toMatchObject({ status: 404, errors: [{ code: 10003 }] })
    const rule = { action: 'block', expression: 'ip.src.country eq "XX"', description: 'sdk' } as const
    const made = (await client.rulesets.create({ ...zone, kind: 'zone', name: 'default', phase, rules: [rule] })) as RulesetGetResponse
    expect(made).toMatchObject({ kind: 'zone', phase, version: '1', rules: [{ ...rule, enabled: true }] })
    const [first] = made.rules
    expect(first?.ref).toBe(first?.id)
    const again = { ...rule, description: 'second', position: { before: '' } }
    const added = (await client.rulesets.rules.create(made.id, { ...zone, ...again })) as RulesetGetResponse
    expect(added.rules.map(({ description }) => description)).toEqual(['second', 'sdk'])
    const where = { ...zone, ruleset_id: made.id }
    const edit = { ...where, action: 'js_challenge', expression: 'ssl' } as const
    const edited = (await client.rulesets.rules.edit(first?.id ?? '', edit)) as RulesetGetResponse
    expect(edited.rules[1]).toMatchObject({ id: first?.id, action: 'js_challenge', description: '', version: '2' })
    expect(await client.rulesets.rules.edit(first?.id ?? '', { ...where, position: { index: 1 } })).toMatchObject({ version: '4' })
    expect(await client.rulesets.rules.delete(added.rules[0]?.id ?? '', where)).toMatchObject({ version: '5' })
    expect(await client.rulesets.get(made.id, zone)).toEqual(await client.rulesets.phases.get(phase, zone))
    const replaced = (await client.rulesets.phases.update(phase, {
      ...zone,
      rules: [{ ...rule, id: first?.id ?? '' }],
    })) as RulesetGetResponse
    expect(replaced).toMatchObject({ version: '6', rules: [{ id: first?.id, version: '3' }] })
    expect(await client.rulesets.phases.update(phase, { ...zone, rules: [], dry_run: true })).toBeNull()
    const versions = await client.rulesets.versions.list(made.id, zone)
    expect(versions.result.map(({ version }) => version)).toEqual(['6', '5', '4', '3', '2', '1'])
    expect(await client.rulesets.versions.get('2', where)).toEqual(added)
    expect(await client.rulesets.phases.versions.get('2', { ...zone, ruleset_phase: phase })).toEqual(added)
    const kinds: string[] = []
    for await (const ruleset of client.rulesets.list({ ...zone, per_page: 1 })) kinds.push(ruleset.kind)
    expect(kinds).toEqual(['managed', 'managed', 'zone'])
    await client.rulesets.delete(made.id, zone)
    await expect(client.rulesets.get(made.id, zone)).rejects.toThrow(NotFoundError)
  })

  test('lists, creates, edits and deletes IP Access rules of a zone and of its account', async () => {
    const rules = client.firewall.accessRules
    const [zone, account] = [{ zone_id: zoneId }, { account_id: owner.accountId }]
    const made = await rules.create({ ...zone, mode: 'block', configuration: { target: 'ip6', value: '2001:db8::1' }, notes: 'bots' })
    expect(made).toMatchObject({
      mode: 'block',
      configuration: { target: 'ip6', value: '2001:0db8:0000:0000:0000:0000:0000:0001' },
      notes: 'bots',
    })
    const again = rules.create({ ...zone, mode: 'whitelist', configuration: { target: 'ip6', value: '2001:db8:0::1' } })
    await expect(again).rejects.toMatchObject({ errors: [{ code: 10009, message: 'firewallaccessrules.api.duplicate_of_existing' }] })
    const wide = rules.create({ ...zone, mode: 'block', configuration: { target: 'ip_range', value: '192.0.2.0/22' } })
    await expect(wide).rejects.toMatchObject({ status: 400 })
    const country = { target: 'country', value: 'T1' } as const
    simulator.state.getZone(zoneId).plan = 'free'
    await expect(rules.create({ ...zone, mode: 'block', configuration: country })).rejects.toMatchObject({ status: 400 })
    const challenge = await rules.create({ ...zone, mode: 'managed_challenge', configuration: country })
    expect(challenge.allowed_modes).not.toContain('block')
    const everywhere = await rules.create({ ...account, mode: 'whitelist', configuration: { target: 'asn', value: 'AS13335' } })
    const listed: unknown[] = []
    for await (const rule of rules.list({ ...zone, per_page: 1 })) listed.push([rule.id, rule.scope?.type])
    expect(listed).toEqual([
      [made.id, 'zone'],
      [challenge.id, 'zone'],
      [everywhere.id, 'organization'],
    ])
    expect((await rules.list({ ...account, mode: 'whitelist' })).result).toMatchObject([{ id: everywhere.id }])
    const edit = { ...zone, mode: 'challenge', configuration: { target: 'ip6', value: '2001:db8::1' }, notes: '' } as const
    expect(await rules.edit(made.id, edit)).toMatchObject({ id: made.id, mode: 'challenge', notes: '' })
    expect(await rules.delete(made.id, zone)).toEqual({ id: made.id })
    expect(await rules.delete(made.id, zone)).toBeNull()
    await expect(rules.get(made.id, zone)).rejects.toThrow(NotFoundError)
    const reader = clientWithToken(owner.readOnlyToken)
    await expect(reader.firewall.accessRules.list(account)).rejects.toThrow(PermissionDeniedError)
  })

  test('purges the cache', async () => {
    expect(await client.cache.purge({ zone_id: zoneId, purge_everything: true })).toEqual({ id: zoneId })
    expect(await client.cache.purge({ zone_id: zoneId, files: [`https://${zoneName}/a.js`] })).toEqual({ id: zoneId })
  })

  test('reads accounts, the user, page rules and analytics', async () => {
    expect((await client.accounts.list()).result).toMatchObject([{ id: owner.accountId, name: owner.accountName }])
    expect(await client.accounts.get({ account_id: owner.accountId })).toMatchObject({ id: owner.accountId })
    expect(await client.user.get()).toMatchObject({ id: owner.userId, email: owner.email })
    expect(await client.pageRules.list({ zone_id: zoneId })).toBeInstanceOf(Array)
    const query = `query { viewer { zones(filter: { zoneTag: "${zoneId}" }) { zoneTag httpRequests1dGroups(limit: 30) { dimensions { date } } } } }`
    expect(await client.post('/graphql', { body: { query } })).toMatchObject({ data: { viewer: { zones: [{ zoneTag: zoneId }] } } })
  })

  test('verifies each kind of token at its own address only', async () => {
    const user = clientWithToken(owner.apiToken)
    expect(await user.user.tokens.verify()).toMatchObject({ status: 'active' })
    const account = clientWithToken(owner.accountToken)
    await expect(account.user.tokens.verify()).rejects.toMatchObject({ status: 401, errors: [{ code: 1000 }] })
    expect(await account.accounts.tokens.verify({ account_id: owner.accountId })).toMatchObject({ status: 'active' })
    await expect(user.accounts.tokens.verify({ account_id: owner.accountId })).rejects.toMatchObject({ errors: [{ code: 1000 }] })
  })

  test('gets typed errors: permission, throttling', async () => {
    const reader = clientWithToken(owner.readOnlyToken)
    await expect(reader.cache.purge({ zone_id: zoneId, purge_everything: true })).rejects.toThrow(PermissionDeniedError)
    const remove = simulator.faults.add({ effect: { kind: 'rate-limited', retryAfterSeconds: 7 }, times: 1 })
    await expect(client.user.get()).rejects.toThrow(RateLimitError)
    remove()
  })
})
