import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { openZone } from '../access/open-zone.ts'
import { zoneChanges, zones } from '#server/db/schema/index.ts'
import type { FaultEffect } from '#server/simulators/faults.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { contextOf } from '#server/testing/services.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { dnsRecord } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord, RecordInput } from '#shared/features/domains/records/schema.ts'
import { eq } from 'drizzle-orm'
import { applyRecordChanges } from './apply-changes.ts'

let panel: TestPanel
let app: FastifyInstance
let me: SignedIn
let accountId: string
let zoneAt = 0
/** A zone that no other test has changed. */
let id: string
let name: string
let providerId: string

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 80, accounts: 1, recordsPerZone: 8 } })
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
  me = await signIn(panel.services)
  const { email, globalKey } = panel.credential(0)
  const credential = { secrets: panel.services.secrets, apiKey: globalKey }
  accountId = (await insertAccount(panel.services.db, { ownerId: me.user.id, email }, credential)).id
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

beforeEach(async () => {
  const zone = [...panel.simulator.state.zonesById.values()].filter(({ plan }) => plan === 'free')[zoneAt]
  zoneAt += 1
  if (zone === undefined) throw new Error('no zone is left')
  providerId = zone.id
  name = zone.name
  const given = { ownerId: me.user.id, accountId, providerZoneId: zone.id, name: zone.name, plan: 'Free Website' }
  id = (await insertZone(panel.services.db, given)).id
  await me.call.records.refresh({ id })
})

const list = async (): Promise<DnsRecord[]> => (await me.call.records.list({ id })).records
/** The provider's records, read directly from it. */
async function atProvider(): Promise<DnsRecord[]> {
  const before = await list()
  const zone = await openZone(contextOf(panel.services, me.actor), id)
  const records = await zone.connection.listRecords(providerId, { priority: 'person' })
  expect(await list()).toEqual(before)
  return records.map(({ recordId, modifiedAt, ...record }) =>
    dnsRecord.parse({ ...record, id: recordId, modifiedAt: modifiedAt?.toISOString() ?? null }),
  )
}
const byId = (records: readonly DnsRecord[]) => records.toSorted((one, other) => (one.id < other.id ? -1 : 1))
/** Checked after every test: the mirror and the lists match the provider. */
async function expectTrue(): Promise<void> {
  const records = await list()
  expect(byId(records)).toEqual(byId(await atProvider()))
  const [zone] = await panel.services.db.orm.select().from(zones).where(eq(zones.id, id))
  expect(zone).toMatchObject({ recordsCount: records.length, proxiedCount: records.filter(({ proxied }) => proxied).length })
  const addresses = records.filter(({ type }) => type === 'A' || type === 'AAAA').map(({ content }) => content)
  expect(zone?.originIps).toEqual([...new Set(addresses)].toSorted())
}
const history = () => panel.services.db.orm.select().from(zoneChanges).where(eq(zoneChanges.domainId, id)).orderBy(zoneChanges.id)
const find = async (type: string, label: string): Promise<DnsRecord> => {
  const found = (await list()).find((record) => record.type === type && record.name === (label === '@' ? name : `${label}.${name}`))
  if (found === undefined) throw new Error(`no ${type} ${label}`)
  return found
}
const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  if (error instanceof Error && error.cause instanceof AppError) return error.cause
  throw new Error('it did not fail as it should', { cause: error })
}
/** Runs `work` and counts the calls that it made, by method and path. */
async function callsOf<T>(work: () => Promise<T>): Promise<{ result: T; calls: string[] }> {
  const { journal } = panel.simulator
  journal.reset()
  const result = await work()
  return { result, calls: journal.recent().map(({ method, path }) => `${method} ${path.replace('/zones/{zone}/', '')}`) }
}
async function withFault<T>(
  fault: { method?: string; path?: string; times?: number; effect: FaultEffect },
  work: () => Promise<T>,
): Promise<T> {
  const remove = panel.simulator.faults.add(fault)
  try {
    return await work()
  } finally {
    remove()
  }
}

const a = (label: string, content = '192.0.2.50'): RecordInput => ({ type: 'A', name: label, content })

describe('R-DNS-01 one record', () => {
  test('is added with one call, changed and deleted with one more after a read, and written to history and events', async () => {
    const { result: made, calls } = await callsOf(() => me.call.records.create({ id, ...a('new'), ttl: 300, comment: 'mine' }))
    expect(calls).toEqual(['POST dns_records'])
    expect(made.record).toMatchObject({ name: `new.${name}`, content: '192.0.2.50', ttl: 300, comment: 'mine', proxied: false })
    await expectTrue()

    const change = { id, recordId: made.record.id, proxied: true, content: '192.0.2.51', comment: null }
    const updated = await callsOf(() => me.call.records.update(change))
    expect(updated.calls).toEqual(['GET dns_records/{record}', 'PATCH dns_records/{record}'])
    expect(updated.result.record).toMatchObject({ id: made.record.id, content: '192.0.2.51', proxied: true, ttl: 1, comment: null })
    await expectTrue()

    const removed = await callsOf(() => me.call.records.remove({ id, recordId: made.record.id }))
    expect(removed.calls).toEqual(['GET dns_records/{record}', 'DELETE dns_records/{record}'])
    await expectTrue()

    const entries = await history()
    expect(entries.map(({ before, after, source, label, actorName }) => ({ before, after, source, label, actorName }))).toEqual(
      [
        [null, made.record],
        [made.record, updated.result.record],
        [updated.result.record, null],
      ].map(([before, after]) => ({ before, after, source: 'panel', label: `A new.${name}`, actorName: me.actor.name })),
    )
    const log = await panel.services.db.sql`select details from activity where entity_id = ${id} order by id`
    expect(log.map(({ details }) => (details as Record<string, unknown>)['records'])).toEqual([
      [`A new.${name}`],
      [`A new.${name}`],
      [`A new.${name}`],
    ])
  })

  test('a change without a difference makes no call and leaves no entry', async () => {
    const record = await find('A', '@')
    const { result, calls } = await callsOf(() =>
      me.call.records.update({ id, recordId: record.id, content: ` ${record.content} `, ttl: 1 }),
    )
    expect([result.record, calls, await history()]).toEqual([record, [], []])
  })

  test('a new type takes a read, one batch of a deletion and a creation, and one history entry', async () => {
    const record = await find('A', 'mail')
    const { result, calls } = await callsOf(() =>
      me.call.records.update({ id, recordId: record.id, type: 'CNAME', content: 'mail.example.net' }),
    )
    expect(calls).toEqual(['GET dns_records/{record}', 'POST dns_records/batch'])
    expect(result.record).toMatchObject({ type: 'CNAME', name: record.name, content: 'mail.example.net' })
    expect((await list()).some(({ id: other }) => other === record.id)).toBe(false)
    expect(await history()).toMatchObject([{ key: result.record.id, before: record, after: result.record }])
    await expectTrue()
  })

  test('structured types are sent as data and returned as text', async () => {
    const { record } = await me.call.records.create({ id, type: 'SRV', name: '_sip._tcp', content: '10 5 5060 sip.example.net' })
    expect(record).toMatchObject({
      priority: 10,
      content: '5 5060 sip.example.net',
      data: { weight: 5, port: 5060, target: 'sip.example.net' },
    })
    const other = await me.call.records.update({ id, recordId: record.id, priority: 20 })
    expect(other.record).toMatchObject({ priority: 20, content: '5 5060 sip.example.net' })
    const caa = await me.call.records.create({
      id,
      type: 'CAA',
      name: '@',
      data: { flags: 0, tag: 'iodef', value: 'mailto:ops@example.com' },
    })
    expect(caa.record.content).toBe('0 iodef "mailto:ops@example.com"')
    await expectTrue()
  })
})

describe('R-DNS-02 R-DNS-03 invalid records are refused before anything is sent', () => {
  test.each([
    [{ ...a('x', '300.1.1.1') }, 'content', 'record_ipv4'],
    [{ type: 'MX' as const, name: '@', content: 'mail.example.net' }, 'priority', 'required'],
    [{ type: 'TXT' as const, name: '@', content: 'x', proxied: true }, 'proxied', 'record_not_proxiable'],
    [{ ...a('x'), ttl: 30 }, 'ttl', 'record_ttl'],
    [{ ...a('www.elsewhere.org.') }, 'name', 'record_name_outside'],
    [{ type: 'SRV' as const, name: '_a._b', data: { port: 1 } }, 'content', 'record_parts'],
  ])('%j', async (record, path, message) => {
    const { result, calls } = await callsOf(() => failureOf(me.call.records.create({ id, ...record })))
    expect(result.code).toBe('validation_failed')
    expect(result.issues).toContainEqual(expect.objectContaining({ path, message }))
    expect(calls).toEqual([])
  })

  test('among many records, with its index', async () => {
    const { id: recordId } = await find('A', '@')
    const error = await failureOf(
      me.call.records.change({
        id,
        creates: [a('ok'), a('bad', 'no')],
        updates: [{ recordId, patch: { type: 'TXT', content: 'x', proxied: true } }],
      }),
    )
    expect(error.issues?.map(({ path }) => path)).toEqual(['updates.0.proxied', 'creates.1.content'])
    await expectTrue()
  })
})

describe('R-DNS-01 two users edit the same record', () => {
  test('the second one gets the current record, and nothing is overwritten', async () => {
    const seen = await find('A', '@')
    const first = await me.call.records.update({ id, recordId: seen.id, content: '192.0.2.60', seen })
    const error = await failureOf(me.call.records.update({ id, recordId: seen.id, content: '192.0.2.61', seen }))
    expect(error.code).toBe('conflict')
    expect(JSON.parse(String(error.params['record']))).toEqual(first.record)
    expect(await failureOf(me.call.records.change({ id, updates: [{ recordId: seen.id, patch: { ttl: 60 }, seen }] }))).toMatchObject({
      code: 'conflict',
    })
    await expectTrue()
  })

  test('at the same moment: one change is made, the other is reported as a conflict', async () => {
    const seen = await find('A', '@')
    const both = await Promise.allSettled(
      ['192.0.2.62', '192.0.2.63'].map((content) => me.call.records.update({ id, recordId: seen.id, content, seen })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expectTrue()
  })

  test('a user who edits a record that another one deleted is informed of the deletion', async () => {
    const seen = await find('A', 'mail')
    await me.call.records.remove({ id, recordId: seen.id })
    expect(await failureOf(me.call.records.update({ id, recordId: seen.id, ttl: 60, seen }))).toMatchObject({
      code: 'conflict',
      params: { record: 'null' },
    })
    expect(await failureOf(me.call.records.remove({ id, recordId: seen.id }))).toMatchObject({ code: 'not_found' })
  })
})

describe('many records', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => a(`h${index}`))

  test('200 changes take one call', async () => {
    await me.call.records.change({ id, creates: many(100) })
    const records = (await list()).filter((record) => /^h\d+\./.test(record.name))
    const change = {
      id,
      deletes: records.slice(0, 60).map((record) => record.id),
      updates: records.slice(60, 100).map((record) => ({ recordId: record.id, patch: { proxied: true } })),
      creates: Array.from({ length: 100 }, (_, index) => a(`n${index}`)),
    }
    const { result, calls } = await callsOf(() => me.call.records.change(change))
    expect(calls).toEqual(['POST dns_records/batch'])
    expect(result).toMatchObject({ done: 200, failed: [] })
    expect(result.records).toHaveLength(140)
    expect(new Set((await history()).slice(100).map(({ batchId }) => batchId)).size).toBe(1)
    await expectTrue()
  })

  test('more changes than a Free batch holds are sent in several calls', async () => {
    await me.call.records.change({ id, creates: many(180) })
    const deletes = (await list()).filter((record) => /^h\d+\./.test(record.name)).map((record) => record.id)
    const creates = many(100).map((record) => ({ ...record, name: `again-${record.name}` }))
    const { result, calls } = await callsOf(() => me.call.records.change({ id, deletes, creates }))
    expect(calls).toEqual(['POST dns_records/batch', 'POST dns_records/batch'])
    expect(result).toMatchObject({ done: 280, failed: [] })
    await expectTrue()
  })

  test('when a later batch is refused, completed changes stay and unsent ones are reported', async () => {
    await me.call.records.change({ id, creates: many(180) })
    const updates = (await list())
      .filter((record) => /^h\d+\./.test(record.name))
      .map((record) => ({ recordId: record.id, patch: { ttl: 600 } }))
    const named = (prefix: string, count: number) => many(count).map((record) => ({ ...record, name: `${prefix}-${record.name}` }))
    const clash: RecordInput = { type: 'CNAME', name: 'mail', content: 'example.net' }
    const creates = [...named('first', 20), ...named('second', 199), clash, ...named('third', 5)]
    const { result, calls } = await callsOf(() => me.call.records.change({ id, updates, creates }))
    expect(calls.filter((call) => call.startsWith('POST'))).toHaveLength(2)
    expect(result.done).toBe(200)
    expect(result.failed.filter(({ code }) => code === 'provider_rejected').map(({ kind, index }) => [kind, index])).toEqual([
      ['create', 219],
    ])
    expect(result.failed.filter(({ code }) => code === 'held_back')).toHaveLength(204)
    await expectTrue()
  })

  test('a paid plan takes 3,500 changes in one call', async () => {
    const zone = panel.simulator.state.zonesById.get(providerId)
    if (zone === undefined) throw new Error('no zone')
    zone.plan = 'pro'
    await panel.services.db.orm.update(zones).set({ plan: 'Pro Website' }).where(eq(zones.id, id))
    const { result, calls } = await callsOf(() => me.call.records.change({ id, creates: many(3_000) }))
    expect(calls).toEqual(['POST dns_records/batch'])
    expect(result).toMatchObject({ done: 3_000, failed: [] })
    await expectTrue()
  })

  test('a row refused by the provider gets its message; the others of the batch are held back', async () => {
    const apex = await find('A', '@')
    const answer = await me.call.records.change({
      id,
      updates: [{ recordId: apex.id, patch: { ttl: 600, proxied: false } }],
      creates: [a('fine'), { type: 'CNAME', name: 'mail', content: 'example.net' }],
    })
    expect(answer).toMatchObject({ done: 0, records: [] })
    expect(answer.failed).toEqual([
      { kind: 'update', index: 0, recordId: apex.id, code: 'held_back', message: null },
      { kind: 'create', index: 0, recordId: null, code: 'held_back', message: null },
      {
        kind: 'create',
        index: 1,
        recordId: null,
        code: 'provider_rejected',
        message: expect.stringContaining('already exists') as unknown,
      },
    ])
    expect(await history()).toEqual([])
    await expectTrue()
  })

  test('a record that only the provider refuses is identified by the provider’s pointer', async () => {
    const creates = [a('fine'), { ...a('tagged'), tags: ['team:dns'] }, a('fine-too')]
    const { failed } = await me.call.records.change({ id, creates })
    expect(failed.map(({ index, code }) => [index, code])).toEqual([
      [0, 'held_back'],
      [1, 'provider_rejected'],
      [2, 'held_back'],
    ])
    expect(failed[1]?.message).toContain('quota')
    await expectTrue()
  })

  test('a single refused record is reported with the provider’s code and message', async () => {
    const error = await failureOf(me.call.records.create({ id, type: 'CNAME', name: 'mail', content: 'example.net' }))
    expect(error).toMatchObject({
      code: 'provider_rejected',
      provider: { code: '81053', message: expect.stringContaining('already exists') as unknown },
    })
  })

  test('a record deleted outside is detected, and the mirror is corrected', async () => {
    const record = await find('A', 'mail')
    const zone = await openZone(contextOf(panel.services, me.actor), id)
    await zone.connection.deleteRecord(providerId, record.id, { priority: 'person' })
    const error = await failureOf(me.call.records.update({ id, recordId: record.id, ttl: 600 }))
    expect(error).toMatchObject({ code: 'conflict', params: { record: 'null' } })
    await expectTrue()
    expect((await history()).map(({ source, after }) => ({ source, after }))).toEqual([{ source: 'outside', after: null }])
  })
})

describe('the provider fails halfway', () => {
  test.each([
    ['cut-body', { kind: 'cut-body' }],
    ['malformed-json', { kind: 'malformed-json' }],
    ['timeout-after-write', { kind: 'timeout-after-write', holdMs: 50 }],
  ] satisfies [string, FaultEffect][])('%s: changes that took effect are detected and count as done', async (_, effect) => {
    const record = await find('A', 'mail')
    const created = await withFault({ method: 'POST', times: 1, effect }, () => me.call.records.create({ id, ...a('lost') }))
    expect(created.record.name).toBe(`lost.${name}`)
    const updated = await withFault({ method: 'PATCH', times: 1, effect }, () =>
      me.call.records.update({ id, recordId: record.id, content: '192.0.2.70' }),
    )
    expect(updated.record.content).toBe('192.0.2.70')
    const many = await withFault({ method: 'POST', path: '/zones/*/dns_records/batch', times: 1, effect }, () =>
      me.call.records.change({ id, deletes: [record.id], creates: [a('one'), a('two')] }),
    )
    expect(many).toMatchObject({ done: 3, failed: [] })
    expect((await history()).map(({ source }) => source)).toEqual(['panel', 'panel', 'panel', 'panel', 'panel'])
    await expectTrue()
  })

  test('changes that it did not accept are reported, and nothing is shown as done', async () => {
    const effect: FaultEffect = { kind: 'server-error', status: 502 }
    const error = await withFault({ method: 'POST', times: 1, effect }, () => failureOf(me.call.records.create({ id, ...a('lost') })))
    expect(error.code).toBe('provider_unavailable')
    expect(await history()).toEqual([])
    await expectTrue()
  })

  test('an existing record accounts for only one of two identical creations', async () => {
    const zone = await openZone(contextOf(panel.services, me.actor), id)
    const record = { type: 'A', name: `twice.${name}`, content: '192.0.2.50', ttl: 1, proxied: false } as const
    await zone.connection.createRecord(providerId, record, { priority: 'person' })
    const effect: FaultEffect = { kind: 'server-error', status: 502 }
    const many = await withFault({ method: 'POST', path: '/zones/*/dns_records/batch', times: 1, effect }, () =>
      me.call.records.change({ id, creates: [a('twice'), a('twice')] }),
    )
    expect(many).toMatchObject({ done: 1, failed: [{ kind: 'create', index: 1 }] })
    await expectTrue()
  })

  test('if the provider cannot be read, the next sync reads the records again', async () => {
    const effect: FaultEffect = { kind: 'server-error', status: 502 }
    const error = await withFault({ effect }, () => failureOf(me.call.records.create({ id, ...a('lost') })))
    expect(error.code).toBe('provider_unavailable')
    const [zone] = await panel.services.db.orm.select().from(zones).where(eq(zones.id, id))
    expect(zone?.recordsDueAt).not.toBeNull()
    await expectTrue()
  })
})

test('a comment is a single line, as in a zone file', async () => {
  await expect(me.call.records.create({ id, ...a('note', '192.0.2.1'), comment: 'a\nevil IN A 192.0.2.6' })).rejects.toThrow(
    'invalid_characters',
  )
})

describe('R-DOM-14 change IP', () => {
  test.each([
    '0.0.0.0',
    '127.0.0.1',
    '169.254.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'FE80::1',
    'ff02::1',
  ])('an address that cannot be a server is refused: %s', async (ipAddress) => {
    const before = await list()
    await expect(me.call.records.changeIp({ id, ipAddress })).rejects.toThrow('address_of_nobody')
    expect(await list()).toEqual(before)
  })

  test('replaces every A record in one call; one record per name remains', async () => {
    await me.call.records.create({ id, ...a('@', '192.0.2.99') })
    const before = await list()
    const names = new Set(before.filter(({ type }) => type === 'A').map((record) => record.name))
    const { result, calls } = await callsOf(() => me.call.records.changeIp({ id, ipAddress: '203.0.113.200' }))
    expect(calls).toEqual(['POST dns_records/batch'])
    expect(result.zone.originIPs.filter((ip) => !ip.includes(':'))).toEqual(['203.0.113.200'])
    const { entries } = await me.call.history.list({ id, subject: 'record', limit: 200 })
    expect(entries.filter(({ batchId }) => batchId === result.batchId)).toHaveLength(before.filter(({ type }) => type === 'A').length)
    const after = (await list()).filter(({ type }) => type === 'A')
    expect(after.map((record) => record.name).toSorted()).toEqual([...names].toSorted())
    expect(after.every(({ content }) => content === '203.0.113.200')).toBe(true)
    // The proxy status is kept, and other types are not changed.
    for (const record of after) expect(before.find((old) => old.id === record.id)?.proxied).toBe(record.proxied)
    expect((await list()).filter(({ type }) => type !== 'A')).toEqual(before.filter(({ type }) => type !== 'A'))
    await expectTrue()
    expect((await callsOf(() => me.call.records.changeIp({ id, ipAddress: '203.0.113.200' }))).calls).toEqual([])
  })

  test('adds one record beside each', async () => {
    const before = (await list()).filter(({ type }) => type === 'A')
    await me.call.records.changeIp({ id, ipAddress: '203.0.113.201', mode: 'add' })
    const after = (await list()).filter(({ type }) => type === 'A')
    expect(after).toHaveLength(before.length + new Set(before.map((record) => record.name)).size)
    expect(after).toEqual(expect.arrayContaining(before))
    await expectTrue()
    expect((await callsOf(() => me.call.records.changeIp({ id, ipAddress: '203.0.113.201', mode: 'add' }))).calls).toEqual([])
  })

  test('an IPv6 address changes AAAA records, and is refused in a zone without any', async () => {
    const has = (await list()).filter(({ type }) => type === 'AAAA')
    if (has.length > 0) await me.call.records.change({ id, deletes: has.map((record) => record.id) })
    const error = await failureOf(me.call.records.changeIp({ id, ipAddress: '2001:db8::7' }))
    expect(error.issues).toEqual([{ path: 'ipAddress', message: 'record_none_of_type', params: { type: 'AAAA' } }])
    await me.call.records.create({ id, type: 'AAAA', name: 'six', content: '2001:db8::1' })
    const { zone } = await me.call.records.changeIp({ id, ipAddress: '2001:DB8:0::7' })
    expect(zone.originIPs).toContain('2001:db8::7')
    await expectTrue()
  })
})

test('R-DOM-13 refreshing reads the addresses from the provider', async () => {
  const zone = await openZone(contextOf(panel.services, me.actor), id)
  const record = await find('A', 'mail')
  await zone.connection.editRecord(providerId, record.id, { content: '198.51.100.77' }, { priority: 'person' })
  const { result, calls } = await callsOf(() => me.call.records.refreshIp({ id }))
  expect(calls).toEqual(['GET dns_records'])
  expect(result.zone.originIPs).toContain('198.51.100.77')
  await expectTrue()
})

test('a change that reverts an entry refers to it, for each change or for all', async () => {
  const ctx = contextOf(panel.services, me.actor)
  const zone = await openZone(ctx, id)
  const revertsId = '01a1fcdd-50f5-7bb3-90c9-934147e5e7fb'
  const own = '01a1fcdd-50f5-7bb3-90c9-934147e5e7fc'
  const creates = [{ record: a('r1') }, { record: a('r2'), revertsId: own }]
  await applyRecordChanges(ctx, zone, { creates }, { priority: 'person', source: 'revert', revertsId, batchId: own })
  expect(await history()).toMatchObject([
    { source: 'revert', revertsId, batchId: own },
    { source: 'revert', revertsId: own, batchId: own },
  ])
})

test('R-DNS-01 a zone whose records were never read is read before its first change', async () => {
  const zone = [...panel.simulator.state.zonesById.values()].at(-1)
  if (zone === undefined) throw new Error('no zone')
  const fresh = await insertZone(panel.services.db, { ownerId: me.user.id, accountId, providerZoneId: zone.id, name: zone.name })
  expect((await me.call.records.list({ id: fresh.id })).readAt).toBeNull()
  const { zone: changed } = await me.call.records.changeIp({ id: fresh.id, ipAddress: '203.0.113.9' })
  expect(changed.recordsCount).toBeGreaterThan(1)

  const other = [...panel.simulator.state.zonesById.values()].at(-2)
  if (other === undefined) throw new Error('no zone')
  const unread = await insertZone(panel.services.db, { ownerId: me.user.id, accountId, providerZoneId: other.id, name: other.name })
  await me.call.records.create({ id: unread.id, ...a('first') })
  expect((await me.call.records.list({ id: unread.id })).records.length).toBeGreaterThan(1)
})

describe('R-DNS-01 over REST', () => {
  const url = (rest = '') => `/api/zones/${id}/dns-records${rest}`

  test('a refusal is a conflict if the record already exists, otherwise unprocessable, with the provider’s message', async () => {
    const add = async (payload: object) => {
      const answer = await app.inject({ method: 'POST', url: url(), headers: me.headers, payload })
      return [answer.statusCode, answer.json()] as const
    }
    const refusal = (code: string) => ({ code: 'provider_rejected', provider: { code, message: expect.stringMatching(/./) as unknown } })
    expect(await add({ type: 'CNAME', name: 'mail', content: 'example.net' })).toMatchObject([409, refusal('81053')])
    const nameless = await add({ type: 'A', name: ' ', content: '192.0.2.1' })
    expect(nameless).toMatchObject([400, { issues: [{ path: 'name', message: 'This field is required' }] }])
    const tagged = await add({ type: 'A', name: 'tagged', content: '192.0.2.1', tags: ['a:b'] })
    expect(tagged).toMatchObject([422, refusal('9300')])
  })

  test('a record is listed, added, changed and deleted', async () => {
    const { headers } = me
    expect((await app.inject({ url: url(), headers })).json()).toMatchObject({ records: await list() })
    const added = await app.inject({ method: 'POST', url: url(), headers, payload: a('rest') })
    expect([added.statusCode, added.json()]).toMatchObject([201, { record: { name: `rest.${name}`, ttl: 1 } }])
    const { record } = added.json<{ record: DnsRecord }>()
    const changed = await app.inject({ method: 'PATCH', url: url(`/${record.id}`), headers, payload: { content: '192.0.2.51' } })
    expect([changed.statusCode, changed.json()]).toMatchObject([200, { record: { id: record.id, content: '192.0.2.51' } }])
    const removed = await app.inject({ method: 'DELETE', url: url(`/${record.id}`), headers })
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    const refused = await app.inject({ method: 'POST', url: url(), headers, payload: a('rest', 'nowhere') })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { issues: [{ path: 'content', message: expect.stringContaining('IPv4') as unknown }] },
    ])
    await expectTrue()
  })

  test('R-DOM-13 R-DOM-14 addresses are changed and refreshed', async () => {
    const { headers } = me
    const payload = { ipAddress: '203.0.113.210', mode: 'replace' }
    const changed = await app.inject({ method: 'PATCH', url: `/api/zones/${id}/ip-address`, headers, payload })
    expect(changed.json<{ zone: { originIPs: string[] } }>().zone.originIPs).toContain('203.0.113.210')
    const read = await app.inject({ method: 'POST', url: `/api/zones/${id}/refresh-ip`, headers })
    expect([read.statusCode, read.json()]).toMatchObject([200, { zone: { id } }])
  })
})

describe('R-DNS-01 a record that was changed at the provider since it was last read', () => {
  const changeOutside = async () => {
    const seen = await find('A', 'mail')
    const zone = await openZone(contextOf(panel.services, me.actor), id)
    await zone.connection.editRecord(providerId, seen.id, { content: '192.0.2.80' }, { priority: 'person' })
    return seen
  }

  test.each([
    ['an edit', (seen: DnsRecord) => me.call.records.update({ id, recordId: seen.id, content: '192.0.2.81', seen })],
    ['an edit of another field, unseen', (seen: DnsRecord) => me.call.records.update({ id, recordId: seen.id, comment: 'mine' })],
    ['another type', (seen: DnsRecord) => me.call.records.update({ id, recordId: seen.id, type: 'TXT', content: 'x', proxied: false })],
    ['a deletion', (seen: DnsRecord) => me.call.records.remove({ id, recordId: seen.id })],
  ] as const)(
    '%s overwrites nothing: the outside change is reported, stored in the mirror and written to the history',
    async (_, change) => {
      const seen = await changeOutside()
      const error = await failureOf(change(seen))
      expect(error.code).toBe('conflict')
      expect(JSON.parse(String(error.params['record']))).toMatchObject({ id: seen.id, content: '192.0.2.80' })
      await expectTrue()
      const entries = (await history()).map(({ source, key, before, after }) => ({ source, key, before, after }))
      expect(entries).toMatchObject([
        { source: 'outside', key: seen.id, before: { content: seen.content }, after: { content: '192.0.2.80' } },
      ])
      // A caller who has seen the new state may change it.
      await change(await find('A', 'mail'))
      await expectTrue()
    },
  )

  test('is not found when it was deleted there', async () => {
    const seen = await find('A', 'mail')
    const zone = await openZone(contextOf(panel.services, me.actor), id)
    await zone.connection.deleteRecord(providerId, seen.id, { priority: 'person' })
    expect(await failureOf(me.call.records.remove({ id, recordId: seen.id }))).toMatchObject({ code: 'not_found' })
    await expectTrue()
  })
})

test('R-DNS-02 null MX and HTTPS alias records are accepted and stored in normalized form', async () => {
  const mx = await me.call.records.create({ id, type: 'MX', name: 'nomail', content: '.', priority: 0 })
  const alias = await me.call.records.create({ id, type: 'HTTPS', name: 'alias', content: '0 example.com' })
  expect([mx.record.content, alias.record.content]).toEqual(['.', '0 example.com'])
  await expectTrue()
})

test('R-DNS-02 a TTL that a proxied record would not keep is refused, not silently dropped', async () => {
  const { id: recordId } = (await me.call.records.create({ id, ...a('fast'), proxied: true, ttl: 1 })).record
  const wrong = [
    [() => me.call.records.create({ id, ...a('slow'), proxied: true, ttl: 300 }), 'ttl'],
    [() => me.call.records.update({ id, recordId, ttl: 300 }), 'ttl'],
    [() => me.call.records.update({ id, recordId, proxied: true, ttl: 300 }), 'ttl'],
    [() => me.call.records.change({ id, updates: [{ recordId, patch: { ttl: 300 } }] }), 'updates.0.ttl'],
    [() => me.call.records.change({ id, creates: [{ ...a('slow'), proxied: true, ttl: 300 }] }), 'creates.0.ttl'],
  ] as const
  for (const [change, path] of wrong) {
    expect((await failureOf(change())).issues).toEqual([{ path, message: 'record_ttl_proxied' }])
  }
  expect((await me.call.records.update({ id, recordId, proxied: false, ttl: 300 })).record).toMatchObject({ proxied: false, ttl: 300 })
})

test('R-DNS-02 a domain publishes an event when its records change, including their content only, and for nothing else', async () => {
  const changedAt = async () => (await me.call.domains.full({ id })).zone.recordsChangedAt
  expect(await changedAt()).toBeNull()
  const record = await find('A', 'mail')
  await me.call.records.update({ id, recordId: record.id, comment: 'mine' })
  const first = await changedAt()
  expect(first).not.toBeNull()
  await me.call.zoneSettings.pause({ id, paused: true })
  expect(await changedAt()).toBe(first)
  await me.call.records.update({ id, recordId: record.id, content: '192.0.2.90' })
  expect(await changedAt()).not.toBe(first)
})

test('R-DNS-05 an import ends when the zone is full: unsent changes are held back', async () => {
  const text = Array.from({ length: 1_200 }, (_, at) => `f${at} 300 IN A 192.0.2.1`).join('\n')
  const order = { id, text, mode: 'add', proxied: false } as const
  const { token, calls: planned } = await me.call.records.previewImport(order)
  const { result, calls } = await callsOf(() => me.call.records.importFile({ ...order, token }))
  expect(calls.filter((call) => call.startsWith('POST')).length).toBe(result.done / 200 + 1)
  expect(result.done / 200 + 1).toBeLessThan(planned)
  expect(result.failed).toHaveLength(1_200 - result.done)
  const [full, ...held] = result.failed.toSorted((one, other) => Number(one.code === 'held_back') - Number(other.code === 'held_back'))
  expect(full).toMatchObject({ code: 'provider_rejected', message: expect.stringContaining('quota') as unknown })
  expect(new Set(held.map(({ code }) => code))).toEqual(new Set(['held_back']))
  await expectTrue()
})
