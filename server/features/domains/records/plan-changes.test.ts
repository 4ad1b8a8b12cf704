import { describe, expect, test } from 'vitest'
import type { DnsRecord, RecordInput, RecordPatch } from '#shared/features/domains/records/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { findRefusedChanges } from './find-refused-changes.ts'
import { batchSize, chunkChanges, planChanges } from './plan-changes.ts'
import { planIpChange } from './plan-ip-change.ts'

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
const plan = (now: DnsRecord, patch: RecordPatch) =>
  planChanges({ updates: [{ recordId: now.id, patch }] }, new Map([[now.id, now]]), 'example.com')
const patchOf = (now: DnsRecord, patch: RecordPatch) => plan(now, patch).planned[0]?.patch

describe('R-DNS-01 an update sends only what differs', () => {
  test.each([
    [{}, { content: '192.0.2.2' }, { content: '192.0.2.2' }],
    [{}, { content: '192.0.2.1', ttl: 300, name: 'www', comment: '' }, undefined],
    [{}, { proxied: true }, { proxied: true, ttl: 1 }],
    [{ proxied: true, ttl: 1 }, { proxied: false }, { proxied: false }],
    [{ proxied: true, ttl: 1 }, { ttl: 1 }, undefined],
    [{ comment: 'old' }, { comment: null }, { comment: '' }],
    [{ tags: ['a', 'b'] }, { tags: ['b', 'a'] }, undefined],
    [{}, { name: 'new' }, { name: 'new.example.com' }],
    [{ type: 'TXT', content: '"a" "b"' }, { content: '"a"  "b"' }, undefined],
    [{ type: 'MX', content: 'mail.example.com', priority: 10 }, { priority: 20 }, { priority: 20 }],
    [
      { type: 'SRV', name: '_a._tcp.example.com', content: '5 5060 sip.example.net', priority: 10 },
      { priority: 20 },
      { priority: 20, data: { priority: 20, weight: 5, port: 5060, target: 'sip.example.net' } },
    ],
    [
      { type: 'CAA', content: '0 issue "a.example"' },
      { content: '0 issue b.example' },
      { data: { flags: 0, tag: 'issue', value: 'b.example' } },
    ],
    [{ tags: ['a', 'b'] }, { tags: ['a'] }, { tags: ['a'] }],
    [{ tags: ['a', 'b'] }, { tags: ['c', 'd'] }, { tags: ['c', 'd'] }],
    [{}, { type: 'A', content: '192.0.2.2' }, { content: '192.0.2.2' }],
    [{}, { comment: ' new ' }, { comment: 'new' }],
    [{ comment: 'old' }, { comment: '  ' }, { comment: '' }],
    [{}, { comment: '  ' }, undefined],
    [{}, { proxied: true, ttl: 600 }, { proxied: true, ttl: 1 }],
    [{}, { priority: 5 }, undefined],
    [{ type: 'MX', content: 'mail.example.com', priority: 10 }, { priority: 10, ttl: 600 }, { ttl: 600 }],
    [{ type: 'MX', content: 'mail.example.com', priority: 10 }, { ttl: 600 }, { ttl: 600 }],
    [{ type: 'MX', content: 'mail.example.com', priority: 10 }, { content: 'mx.example.com' }, { content: 'mx.example.com' }],
    [{ type: 'SRV', name: '_a._tcp.example.com', content: '5 5060 sip.example.net', priority: 10 }, { ttl: 600 }, { ttl: 600 }],
    [{ type: 'MX', content: 'no host!', priority: 10 }, { priority: 20 }, { priority: 20 }],
    // Cloudflare accepts a name that points to itself, which the panel refuses.
    [{ type: 'CNAME', content: 'www.example.com' }, { ttl: 600 }, { ttl: 600 }],
  ] satisfies [Partial<DnsRecord>, RecordPatch, object | undefined][])('%j with %j', (given, patch, sent) => {
    expect(patchOf(record(given), patch)).toEqual(sent === undefined ? undefined : { recordId: 'r1', ...sent })
  })

  test('an update without a difference is reported as unchanged', () => {
    const now = record()
    expect(plan(now, { content: now.content })).toEqual({ planned: [], unchanged: [now] })
    expect(plan(now, { ttl: 600 })).toEqual({
      planned: [
        {
          kind: 'update',
          index: 0,
          recordId: 'r1',
          before: now,
          revertsId: null,
          removes: null,
          patch: { recordId: 'r1', ttl: 600 },
          post: null,
        },
      ],
      unchanged: [],
    })
  })

  test('data is used if there is no content', () => {
    const now = record({ type: 'SRV', name: '_a._tcp.example.com', content: '5 5060 sip.example.net', priority: 10 })
    const data = { priority: 10, weight: 6, port: 5_060, target: 'sip.example.net' }
    const patchBy = (patch: object) =>
      planChanges({ updates: [{ recordId: 'r1', patch }] }, new Map([['r1', now]]), 'example.com').planned[0]?.patch
    expect(patchBy({ data })).toEqual({ recordId: 'r1', data })
    expect(patchBy({ data, content: '7 5060 sip.example.net' })).toEqual({ recordId: 'r1', data: { ...data, weight: 7 } })
    expect(patchBy({ data: { ...data, weight: 5 } })).toBeUndefined()
  })

  test('unchanged fields may have values that the panel would refuse', () => {
    expect(patchOf(record({ ttl: 30 }), { content: '192.0.2.2' })).toEqual({ recordId: 'r1', content: '192.0.2.2' })
    expect(patchOf(record({ type: 'TXT', content: 'a "b' }), { comment: 'x' })).toEqual({ recordId: 'r1', comment: 'x' })
    expect(patchOf(record({ type: 'TXT', content: '"open' }), { name: 'new' })).toEqual({ recordId: 'r1', name: 'new.example.com' })
  })

  test('of a type that the panel does not know, everything but the content and the priority can be changed', () => {
    const unknown = record({ type: 'SPF', content: 'v=spf1' })
    expect(patchOf(unknown, { comment: 'x' })).toEqual({ recordId: 'r1', comment: 'x' })
    expect(patchOf(unknown, { content: 'v=spf1 -all', priority: 5, ttl: 600 })).toEqual({ recordId: 'r1', ttl: 600 })
    expect(plan(unknown, { type: 'TXT', content: 'x' }).planned[0]?.post).toMatchObject({ type: 'TXT', content: '"x"' })
  })

  test('a new name may make a CNAME point to itself', () => {
    const now = record({ type: 'CNAME', content: 'target.example.com' })
    expect(() => plan(now, { name: 'target' })).toThrow(AppError)
  })

  test('another proxiable type stays proxied and keeps the other fields of the record', () => {
    const now = record({ proxied: true, ttl: 1, comment: 'shop', tags: ['a'] })
    expect(plan(now, { type: 'CNAME', content: 'example.net' }).planned[0]?.post).toEqual({
      type: 'CNAME',
      name: 'www.example.com',
      ttl: 1,
      proxied: true,
      content: 'example.net',
      comment: 'shop',
      tags: ['a'],
    })
  })

  test('another type that cannot be proxied is not proxied', () => {
    const { planned } = plan(record({ proxied: true, ttl: 1 }), { type: 'TXT', content: 'moved' })
    expect(planned[0]).toMatchObject({
      removes: 'r1',
      patch: null,
      post: { type: 'TXT', name: 'www.example.com', content: '"moved"', ttl: 1 },
    })
    expect(planned[0]?.post).not.toHaveProperty('proxied')
  })
})

describe('R-DNS-02 errors are reported with their path in the call', () => {
  const issuesOf = (changes: Parameters<typeof planChanges>[0], now = record()) => {
    try {
      planChanges(changes, new Map([[now.id, now]]), 'example.com')
      return null
    } catch (error) {
      return error instanceof AppError ? { code: error.code, issues: error.issues } : error
    }
  }
  const refusal = (...issues: readonly object[]) => ({ code: 'validation_failed', issues })

  test('for every change, all of them', () => {
    expect(
      issuesOf({
        updates: [
          { recordId: 'r1', patch: { ttl: 600 } },
          { recordId: 'r1', patch: { comment: 'x'.repeat(501), content: 'x' } },
        ],
        creates: [{ record: { type: 'A', name: 'a b', content: '192.0.2.1' } }],
      }),
    ).toEqual(
      refusal(
        { path: 'updates.1.content', message: 'record_ipv4' },
        { path: 'updates.1.comment', message: 'too_long', params: { max: 500 } },
        { path: 'creates.0.name', message: 'record_name' },
      ),
    )
  })

  test('for the TTL of a record that stays proxied, which the provider would not keep', () => {
    const wrong = refusal({ path: 'updates.0.ttl', message: 'record_ttl_proxied' })
    const proxied = record({ proxied: true, ttl: 1 })
    expect(issuesOf({ updates: [{ recordId: 'r1', patch: { ttl: 600 } }] }, proxied)).toEqual(wrong)
    expect(issuesOf({ updates: [{ recordId: 'r1', patch: { ttl: 600, proxied: true } }] }, proxied)).toBeNull()
    expect(issuesOf({ updates: [{ recordId: 'r1', patch: { comment: 'x' } }] }, proxied)).toBeNull()
  })

  test('for an emptied content of a structured type', () => {
    const now = record({ type: 'CAA', content: '0 issue "a.example"' })
    expect(issuesOf({ updates: [{ recordId: 'r1', patch: { content: '' } }] }, now)).toMatchObject({
      issues: [{ path: 'updates.0.content' }],
    })
  })

  test('for a new type that does not fit the content', () => {
    expect(issuesOf({ updates: [{ recordId: 'r1', patch: { type: 'AAAA' } }] })).toEqual(
      refusal({ path: 'updates.0.content', message: 'record_ipv6' }),
    )
  })
})

test('R-DNS-01 a new record is sent with its given fields only', () => {
  const posts = (...records: readonly (RecordInput & { data?: Record<string, unknown> })[]) =>
    planChanges({ creates: records.map((each) => ({ record: each, revertsId: 'h1' })) }, new Map(), 'example.com').planned
  const [address, mail, policy, bare] = posts(
    { type: 'A', name: 'www', content: '192.0.2.1', proxied: true, comment: ' note ', tags: ['a'] },
    { type: 'MX', name: '@', content: 'mail.example.net', priority: 10, ttl: 600 },
    { type: 'CAA', name: '@', content: '', data: { flags: 0, tag: 'issue', value: 'a.example' } },
    { type: 'TXT', name: '@', content: 'x', comment: ' ', tags: [] },
  )
  expect(address?.post).toEqual({
    type: 'A',
    name: 'www.example.com',
    ttl: 1,
    proxied: true,
    content: '192.0.2.1',
    comment: 'note',
    tags: ['a'],
  })
  expect(mail).toEqual({
    kind: 'create',
    index: 1,
    recordId: null,
    before: null,
    revertsId: 'h1',
    removes: null,
    patch: null,
    post: { type: 'MX', name: 'example.com', ttl: 600, content: 'mail.example.net', priority: 10 },
  })
  expect(policy?.post).toEqual({ type: 'CAA', name: 'example.com', ttl: 1, data: { flags: 0, tag: 'issue', value: 'a.example' } })
  expect(bare?.post).toEqual({ type: 'TXT', name: 'example.com', ttl: 1, content: '"x"' })
})

describe('R-DNS-01 a missing record', () => {
  const { type, name, content, ttl, proxied, priority, comment } = record()
  const seen = { type, name, content, ttl, proxied, priority, comment }

  test('is not found, or reported as deleted since it was seen', () => {
    const there = { recordId: 'r0' }
    const missing = { code: 'not_found', params: { recordId: 'r9', index: 1 } }
    const gone = { code: 'conflict', params: { recordId: 'r9', index: 1, record: 'null' } }
    const mirror = new Map([['r0', record({ id: 'r0' })]])
    const thrown = (changes: Parameters<typeof planChanges>[0]) => {
      try {
        return planChanges(changes, mirror, 'example.com')
      } catch (error) {
        return error
      }
    }
    expect(thrown({ deletes: [there, { recordId: 'r9' }] })).toMatchObject(missing)
    expect(thrown({ deletes: [there, { recordId: 'r9', seen }] })).toMatchObject(gone)
    expect(
      thrown({
        updates: [
          { ...there, patch: {} },
          { recordId: 'r9', patch: {} },
        ],
      }),
    ).toMatchObject(missing)
  })

  test('an existing record is deleted with its values kept', () => {
    const now = record()
    expect(planChanges({ deletes: [{ recordId: 'r1', seen, revertsId: 'h1' }] }, new Map([['r1', now]]), 'example.com').planned).toEqual([
      { kind: 'delete', index: 0, recordId: 'r1', before: now, revertsId: 'h1', removes: 'r1', patch: null, post: null },
    ])
  })
})

describe('R-DNS-01 the seen record must match the current one', () => {
  const now = record({ type: 'MX', content: 'mail.example.com', priority: 10, comment: 'old' })
  const { type, name, content, ttl, proxied, priority, comment } = now
  const seen = { type, name, content, ttl, proxied, priority, comment }
  const mirror = new Map([[now.id, now]])
  const conflictOf = (changed: object) => {
    try {
      planChanges({ updates: [{ recordId: now.id, patch: { ttl: 600 }, seen: { ...seen, ...changed } }] }, mirror, 'example.com')
      return null
    } catch (error) {
      return error
    }
  }

  test('an identical record is changed', () => {
    expect(conflictOf({})).toBeNull()
  })

  test.each([
    ['type', 'A'],
    ['name', 'example.com'],
    ['content', 'other.example.com'],
    ['ttl', 1],
    ['proxied', true],
    ['priority', 20],
    ['comment', null],
  ])('with a different %s nothing is changed, and the current record is reported', (field, other) => {
    const error = conflictOf({ [field]: other })
    expect(error).toMatchObject({ code: 'conflict', params: { recordId: now.id, index: 0 } })
    expect(JSON.parse(String((error as AppError).params['record']))).toMatchObject({ id: now.id })
  })
})

describe('batches', () => {
  const changes = (count: number) =>
    planChanges(
      {
        creates: Array.from({ length: count }, (_, index) => ({ record: { type: 'A' as const, name: `h${index}`, content: '192.0.2.1' } })),
      },
      new Map(),
      'example.com',
    ).planned

  test('hold 200 changes on the Free plan or an unknown one, 3,500 on paid plans', () => {
    expect([null, 'Free Website', 'Pro Website', 'Enterprise Website'].map(batchSize)).toEqual([200, 200, 3_500, 3_500])
    expect(chunkChanges(changes(401), 200).map((chunk) => chunk.length)).toEqual([200, 200, 1])
    expect(chunkChanges(changes(200), 200)).toHaveLength(1)
    expect(chunkChanges([], 200)).toEqual([])
  })

  test('count deletions like other changes', () => {
    const zone = Array.from({ length: 201 }, (_, index) => record({ id: `r${index}` }))
    const deletes = zone.map(({ id }) => ({ recordId: id }))
    const { planned } = planChanges({ deletes }, new Map(zone.map((one) => [one.id, one])), 'example.com')
    expect(chunkChanges(planned, 200).map((chunk) => chunk.length)).toEqual([200, 1])
  })

  test('a change of type counts twice and is never split', () => {
    const zone = Array.from({ length: 150 }, (_, index) => record({ id: `r${index}`, name: `h${index}.example.com` }))
    const updates = zone.map(({ id }) => ({ recordId: id, patch: { type: 'TXT', content: 'x' } as const }))
    const { planned } = planChanges({ updates }, new Map(zone.map((one) => [one.id, one])), 'example.com')
    expect(chunkChanges(planned, 200).map((chunk) => chunk.length)).toEqual([100, 50])
    expect(chunkChanges(planned, 199).map((chunk) => chunk.length)).toEqual([99, 51])
  })
})

describe('which row caused the refusal of a batch', () => {
  const mirror = [record(), record({ id: 'r2', name: 'mail.example.com' }), record({ id: 'r3', name: 'gone.example.com' })]
  const { planned } = planChanges(
    {
      deletes: [{ recordId: 'r3' }],
      updates: [{ recordId: 'r2', patch: { ttl: 600 } }],
      creates: [
        { record: { type: 'A', name: 'new', content: '192.0.2.9' } },
        { record: { type: 'CNAME', name: 'www', content: 'example.net' } },
        { record: { type: 'A', name: 'www', content: '192.0.2.1' } },
      ],
    },
    new Map(mirror.map((one) => [one.id, one])),
    'example.com',
  )
  test.each([
    [{ code: '9005', pointer: '/posts/1/content' }, [3]],
    [{ code: '9005', pointer: '/patches/0' }, [1]],
    [{ code: '9005', pointer: '/deletes/0' }, [0]],
    [{ code: '9005', pointer: '/elsewhere/7' }, []],
    [{ code: '9005' }, []],
    [{ code: '81044' }, [0]],
    [{ code: '81053' }, [3]],
    [{ code: '81058' }, [4]],
  ])('%j', (words, places) => {
    const now = mirror.filter(({ id }) => id !== 'r3')
    const found = findRefusedChanges(planned, { message: 'refused', ...words }, now)
    expect([...found].map((change) => planned.indexOf(change))).toEqual(places)
  })
})

describe('R-DOM-14 planning a new address', () => {
  const zone = [
    record({ id: '1', proxied: true, ttl: 1 }),
    record({ id: '2', content: '192.0.2.2' }),
    record({ id: '3', name: 'mail.example.com' }),
    record({ id: '4', type: 'AAAA', content: '2001:db8::1' }),
    record({ id: '5', type: 'TXT', content: '"192.0.2.1"' }),
  ]
  test('replacing keeps one record per name, preferably the one that already has the address', () => {
    expect(planIpChange(zone, { ipAddress: '192.0.2.9', mode: 'replace' })).toEqual({
      deletes: [{ recordId: '2' }],
      updates: ['1', '3'].map((recordId) => ({ recordId, patch: { content: '192.0.2.9' } })),
      creates: [],
    })
    expect(planIpChange(zone, { ipAddress: '192.0.2.2', mode: 'replace' })).toEqual({
      deletes: [{ recordId: '1' }],
      updates: [{ recordId: '3', patch: { content: '192.0.2.2' } }],
      creates: [],
    })
  })
  test('adding creates one more per name, proxied like the existing ones', () => {
    expect(planIpChange(zone, { ipAddress: '192.0.2.2', mode: 'add' }).creates).toEqual([
      { record: { type: 'A', name: 'mail.example.com', content: '192.0.2.2', ttl: 300, proxied: false } },
    ])
    expect(planIpChange(zone, { ipAddress: '2001:DB8::2', mode: 'add' }).creates).toMatchObject([
      { record: { type: 'AAAA', name: 'www.example.com', content: '2001:db8::2' } },
      { record: { type: 'AAAA', name: 'mail.example.com', content: '2001:db8::2' } },
    ])
  })
  test('a family that the zone does not have is reported', () => {
    expect(() => planIpChange(zone.slice(0, 3), { ipAddress: '2001:db8::2', mode: 'replace' })).toThrow(AppError)
  })
})
