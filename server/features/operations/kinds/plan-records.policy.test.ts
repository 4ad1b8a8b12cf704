import { describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors/app-error.ts'
import type { DnsRecord, RecordInput } from '#shared/features/domains/records/schema.ts'
import { planAddition, planEdit, planReplacement } from './plan-records.policy.ts'
import type { Replacement } from './plan-records.policy.ts'

const domain = 'example.com'
const record = (given: Partial<DnsRecord> = {}): DnsRecord => ({
  id: 'r1',
  type: 'A',
  name: 'www.example.com',
  content: '192.0.2.1',
  ttl: 300,
  proxied: false,
  proxiable: true,
  priority: null,
  comment: null,
  tags: [],
  data: null,
  modifiedAt: null,
  ...given,
})
const refusalOf = (act: () => unknown) => {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof AppError && error.code === 'validation_failed' ? error.issues : error
  }
}
const add = (records: readonly DnsRecord[], ...given: readonly RecordInput[]) => planAddition(records, given, 'add', { domain })
const replace = (records: readonly DnsRecord[], ...given: readonly RecordInput[]) =>
  planAddition(records, given, 'replace', { domain, value: 'v1' })
const ids = (...all: readonly string[]) => all.map((recordId) => ({ recordId }))
const text = (name: string, content: string): RecordInput => ({ type: 'TXT', name, content })

describe('R-DNS-04 new records', () => {
  test('are created with the domain filled in; an existing one is not created again', () => {
    const given: RecordInput = { type: 'CNAME', name: 'shop', content: 'x.{{domain}}', ttl: 600 }
    expect(add([], given)).toEqual({ creates: [{ record: { ...given, name: 'shop.example.com', content: 'x.example.com' } }] })
    expect(add([record()], { type: 'A', name: 'www', content: '192.0.2.1' })).toEqual({ creates: [] })
    expect(add([record()], { type: 'A', name: 'www', content: '192.0.2.2' }).creates).toHaveLength(1)
  })

  test('are refused if they are invalid or the provider would not accept them beside the existing ones', () => {
    const alias = record({ type: 'CNAME', content: 'example.net' })
    expect(refusalOf(() => add([alias], { type: 'A', name: 'www', content: '192.0.2.1' }))).toEqual([
      { path: 'records', message: 'record_cname_there', params: {} },
    ])
    expect(refusalOf(() => add([record()], { type: 'CNAME', name: 'www', content: 'example.net' }))).toEqual([
      { path: 'records', message: 'record_name_taken', params: {} },
    ])
    expect(refusalOf(() => add([], { type: 'A', name: 'www', content: '192.0.2.1', ttl: 5 }))).toEqual([
      { path: 'records', message: 'record_ttl', params: { min: 60, max: 86_400 } },
    ])
  })
})

describe('R-DNS-04 replaced records', () => {
  test('matching records stay, one of the same purpose is updated to the new one, and the rest is deleted', () => {
    const there = [record(), record({ id: 'r2', content: '192.0.2.2' }), record({ id: 'r3', content: '192.0.2.3' })]
    expect(replace(there, { type: 'A', name: 'www', content: '192.0.2.2', ttl: 300 })).toEqual({
      deletes: ids('r1', 'r3'),
      updates: [],
      creates: [],
    })
    expect(replace(there, { type: 'A', name: 'www', content: '192.0.2.9', ttl: 300 })).toEqual({
      deletes: ids('r2', 'r3'),
      updates: [{ recordId: 'r1', patch: { content: '192.0.2.9' } }],
      creates: [],
    })
  })

  test('a record that replaces nothing is created', () => {
    const input: RecordInput = { type: 'A', name: 'new', content: '192.0.2.1' }
    expect(replace([record()], input)).toEqual({ deletes: [], updates: [], creates: [{ record: { ...input, name: 'new.example.com' } }] })
  })

  test('CNAME and addresses replace each other; other types of the name stay', () => {
    const mail = record({ id: 'm', type: 'MX', content: 'mail.example.net', priority: 10 })
    const alias = record({ id: 'c', type: 'CNAME', content: 'example.net' })
    expect(replace([mail, alias], { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 })).toEqual({
      deletes: [],
      updates: [{ recordId: 'c', patch: { type: 'A', content: '192.0.2.1' } }],
      creates: [],
    })
    expect(
      replace([mail, record(), record({ id: 'r6', type: 'AAAA', content: '2001:db8::1' })], {
        type: 'CNAME',
        name: 'www',
        content: 'example.net',
        ttl: 300,
      }),
    ).toEqual({
      deletes: ids('r6'),
      updates: [{ recordId: 'r1', patch: { type: 'CNAME', content: 'example.net' } }],
      creates: [],
    })
    // Addresses of the other family are kept.
    expect(replace([record()], { type: 'AAAA', name: 'www', content: '2001:db8::1' })).toMatchObject({
      deletes: [],
      updates: [],
      creates: [{}],
    })
    // A CNAME with the same content is still a different type.
    expect(
      replace([record({ id: 'n', type: 'NS', content: 'example.net' })], { type: 'CNAME', name: 'www', content: 'example.net' }).updates,
    ).toEqual([])
  })

  test('a record of the same type is updated in preference to a CNAME', () => {
    const there = [record({ id: 'c', type: 'CNAME', content: 'example.net' }), record({ id: 'a' })]
    expect(replace(there, { type: 'A', name: 'www', content: '192.0.2.9', ttl: 300 })).toEqual({
      deletes: ids('c'),
      updates: [{ recordId: 'a', patch: { content: '192.0.2.9' } }],
      creates: [],
    })
  })

  test.each([
    ['v=spf1 -all', 'v=spf1 mx -all', true],
    ['"V=SPF1 a -all"', 'v=spf1 mx -all', true],
    ['v=spf1 -all', 'v=DMARC1; p=none', false],
    ['google-site-verification=a', 'google-site-verification=b', true],
    ['google-site-verification=a', 'ms-domain-verification=b', false],
    ['some words', 'other words', true],
    ['some words', 'key=value', false],
    ['v=spf1 -all', 'v=spf2 -all', false],
    ['" v=spf1 -all"', 'v=spf1 mx -all', true],
    ['words about v=spf1', 'v=spf1 -all', false],
    ['a "quoted" key=1', 'a quoted key=2', false],
  ])('a TXT record replaces only one with the same purpose: %s for %s: %s', (there, wanted, makesWay) => {
    const { updates = [], creates = [] } = replace([record({ type: 'TXT', name: domain, content: there })], text('@', wanted))
    expect([updates.length, creates.length]).toEqual(makesWay ? [1, 0] : [0, 1])
  })

  test('other types replace all records of the name', () => {
    const there = record({ type: 'HTTPS', content: '1 . alpn=h2' })
    expect(replace([there], { type: 'HTTPS', name: 'www', content: '1 example.net port=8443' })).toMatchObject({
      updates: [{ recordId: 'r1' }],
      creates: [],
    })
  })

  test('each of several new records updates the one that it replaces', () => {
    const there = [record(), record({ id: 'r2', name: 'shop.example.com' }), record({ id: 'r3', name: 'blog.example.com' })]
    const wanted = ['shop', 'www', 'new'].map((name): RecordInput => ({ type: 'A', name, content: '192.0.2.9', ttl: 300 }))
    expect(replace(there, ...wanted)).toMatchObject({
      deletes: [],
      updates: [{ recordId: 'r2' }, { recordId: 'r1' }],
      creates: [{ record: { name: 'new.example.com' } }],
    })
  })

  test('records of other names are never replaced', () => {
    expect(replace([record({ name: 'shop.example.com' })], { type: 'A', name: 'www', content: '192.0.2.9' })).toMatchObject({
      deletes: [],
      updates: [],
    })
  })

  test('only changed fields are sent', () => {
    const there = record({ type: 'MX', name: domain, content: 'mail.example.net', priority: 10, comment: 'old' })
    const mail = (change: Partial<RecordInput>) =>
      replace([there], { type: 'MX', name: '@', content: 'mail.example.net', priority: 10, ttl: 300, ...change }).updates
    expect(mail({})).toEqual([])
    expect(mail({ comment: 'old' })).toEqual([])
    expect(mail({ content: 'Mail.Example.net.' })).toEqual([])
    expect(mail({ comment: 'for {{value}}' })).toEqual([{ recordId: 'r1', patch: { comment: 'for v1' } }])
    expect(mail({ ttl: 600 })).toEqual([{ recordId: 'r1', patch: { ttl: 600 } }])
    // With another priority it is a different record, so this one is updated.
    expect(mail({ priority: 20 })).toEqual([{ recordId: 'r1', patch: { priority: 20 } }])
    expect(replace([record()], { type: 'A', name: 'www', content: '192.0.2.1', proxied: true }).updates).toEqual([
      { recordId: 'r1', patch: { proxied: true, ttl: 1 } },
    ])
  })
})

describe('R-DNS-04 an edit of matching records', () => {
  const edit = (matching: readonly DnsRecord[], set: Parameters<typeof planEdit>[2], others: readonly DnsRecord[] = []) =>
    planEdit([...matching, ...others], matching, set, { domain, value: 'v1' })
  const patchOf = (given: Partial<DnsRecord>, set: Parameters<typeof planEdit>[2]) => edit([record(given)], set).updates?.[0]?.patch

  test.each<[string, Partial<DnsRecord>, Parameters<typeof planEdit>[2], object | undefined]>([
    ['the content', {}, { content: '192.0.2.9' }, { content: '192.0.2.9' }],
    ['the content, filled in', { type: 'TXT', content: '"x"' }, { content: '{{domain}} {{value}}' }, { content: '"example.com v1"' }],
    ['a content that it has', { type: 'TXT', content: '"x"' }, { content: 'x' }, undefined],
    ['the content of a type that only the provider makes', { type: 'SPF', content: 'a' }, { content: 'b' }, { content: 'b' }],
    [
      'the content of a record with a name we would refuse',
      { name: 'a b.example.com' },
      { content: '192.0.2.9' },
      { content: '192.0.2.9' },
    ],
    [
      'the content of mail',
      { type: 'MX', content: 'a.example.net', priority: 10 },
      { content: 'B.example.net.' },
      { content: 'b.example.net' },
    ],
    ['the TTL', {}, { ttl: 600 }, { ttl: 600 }],
    ['a TTL that it has', {}, { ttl: 300 }, undefined],
    ['the TTL of a proxied record', { proxied: true, ttl: 1 }, { ttl: 600 }, undefined],
    ['the proxy', {}, { proxied: true }, { proxied: true }],
    ['the proxy and a TTL', {}, { proxied: true, ttl: 600 }, { proxied: true }],
    ['the proxy that it has', { proxied: true, ttl: 1 }, { proxied: true }, undefined],
    ['no proxy', { proxied: true, ttl: 1 }, { proxied: false, ttl: 600 }, { proxied: false, ttl: 600 }],
    ['the proxy of what cannot have it', { type: 'TXT', content: '"x"' }, { proxied: true }, undefined],
    ['the proxy where the provider has none', { proxiable: false }, { proxied: true }, undefined],
    ['the comment', {}, { comment: ' for {{domain}} ' }, { comment: 'for example.com' }],
    ['no comment', { comment: 'x' }, { comment: ' ' }, { comment: null }],
    ['a comment taken away', { comment: 'x' }, { comment: null }, { comment: null }],
    ['a comment that it has', { comment: 'x' }, { comment: 'x' }, undefined],
  ])('%s', (_what, given, set, patch) => {
    expect(patchOf(given, set)).toEqual(patch)
  })

  test('content that does not fit the type is refused, and no other field of the record is', () => {
    expect(refusalOf(() => edit([record()], { content: 'x' }))).toEqual([{ path: 'set', message: 'record_ipv4', params: {} }])
    expect(patchOf({ ttl: 30 }, { content: '192.0.2.9' })).toEqual({ content: '192.0.2.9' })
  })

  test('if the resulting record already exists, the edited one is deleted', () => {
    const [one, two] = [record(), record({ id: 'r2', content: '192.0.2.2' })]
    expect(edit([one, two], { content: '192.0.2.9' })).toEqual({
      deletes: ids('r2'),
      updates: [{ recordId: 'r1', patch: { content: '192.0.2.9' } }],
    })
    expect(edit([one], { content: '192.0.2.2' }, [two])).toEqual({ deletes: ids('r1'), updates: [] })
    expect(edit([one], { content: '192.0.2.2' }, [record({ id: 'r3', name: 'shop.example.com', content: '192.0.2.2' })])).toMatchObject({
      deletes: [],
    })
    const mail = (id: string, priority: number, content: string) => record({ id, type: 'MX', content, priority })
    expect(edit([mail('a', 10, 'a.example.net')], { content: 'b.example.net' }, [mail('b', 20, 'b.example.net')])).toMatchObject({
      deletes: [],
    })
  })
})

describe('R-DNS-04 content is replaced', () => {
  const swap = (records: readonly DnsRecord[], change: Partial<Replacement>) =>
    planReplacement(records, { find: '192.0.2.1', replace: '192.0.2.9', match: 'whole', types: [], ...change }, domain)

  test('in every record that has it, or only in the given types', () => {
    const there = [record(), record({ id: 'r2', type: 'TXT', content: '"192.0.2.1"' }), record({ id: 'r3', content: '192.0.2.3' })]
    expect(swap(there, {}).updates?.map(({ recordId }) => recordId)).toEqual(['r1', 'r2'])
    expect(swap(there, { types: ['A'] })).toEqual({ deletes: [], updates: [{ recordId: 'r1', patch: { content: '192.0.2.9' } }] })
    expect(swap(there, { types: ['MX'] })).toEqual({ deletes: [], updates: [] })
  })

  test('an address of the other family changes the record type; a TXT record keeps its type', () => {
    expect(swap([record()], { replace: '2001:DB8::9' }).updates).toEqual([
      { recordId: 'r1', patch: { type: 'AAAA', content: '2001:db8::9' } },
    ])
    const six = record({ type: 'AAAA', content: '2001:db8::1' })
    expect(swap([six], { find: '2001:db8::1' }).updates).toEqual([{ recordId: 'r1', patch: { type: 'A', content: '192.0.2.9' } }])
    expect(swap([record({ type: 'TXT', content: '"192.0.2.1"' })], { replace: '2001:db8::9' }).updates).toEqual([
      { recordId: 'r1', patch: { content: '"2001:db8::9"' } },
    ])
  })

  test('unchanged records and records created by the provider are kept', () => {
    expect(swap([record()], { replace: '192.0.2.1' })).toEqual({ deletes: [], updates: [] })
    expect(swap([record({ type: 'SPF' })], {})).toEqual({ deletes: [], updates: [] })
  })

  test('content that would become invalid is refused', () => {
    expect(refusalOf(() => swap([record()], { replace: 'x' }))).toEqual([{ path: 'replace', message: 'record_ipv4', params: {} }])
  })
})
