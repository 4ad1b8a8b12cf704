import { describe, expect, test } from 'vitest'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import type { ProfileRecord, ProfileSettings } from '#shared/features/profiles/schema.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { hasSetting, isDone, planProfile, recordsOf } from './plan-profile.policy.ts'

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
const wish = (given: Partial<ProfileRecord>): ProfileRecord => ({
  type: 'A',
  name: 'www',
  content: '192.0.2.9',
  ttl: 300,
  proxied: false,
  ...given,
})
const seen = ({ type, name, content, ttl, proxied, priority, comment }: DnsRecord) => ({
  type,
  name,
  content,
  ttl,
  proxied,
  priority,
  comment,
})

const header = { enabled: true, max_age: 2_592_000, include_subdomains: false, preload: false, nosniff: true }
const hsts = { enabled: true, maxAge: 2_592_000, includeSubDomains: false, preload: false, nosniff: true }
const settings = (change: Partial<DomainSettings> = {}): DomainSettings => ({
  ssl: 'full',
  minTlsVersion: '1.2',
  alwaysUseHttps: true,
  hsts: null,
  securityLevel: null,
  universalSsl: true,
  botFightMode: null,
  aiBots: null,
  aiLabyrinth: null,
  managedRobotsTxt: null,
  dnssec: null,
  dnssecState: null,
  developmentMode: 0,
  developmentModeEndsAt: null,
  values: {},
  readAt: null,
  ageSeconds: null,
  ...change,
})
const withHeader = (change: object = {}) =>
  settings({
    values: { security_header: { value: { strict_transport_security: { ...header, ...change } }, editable: true, modifiedOn: null } },
  })

function plan(wanted: readonly ProfileRecord[], records: readonly DnsRecord[] = [], given: ProfileSettings = {}, now = settings()) {
  const checked = recordsOf({ records: [...wanted] }, domain)
  if ('refused' in checked) throw new Error(checked.refused)
  return planProfile({ settings: given }, checked.wanted, { domain, settings: now, records })
}
const changed = (wanted: readonly ProfileRecord[], records: readonly DnsRecord[]) => {
  const { deletes = [], updates = [], creates = [] } = plan(wanted, records).changes
  return [deletes.map(({ recordId }) => recordId), updates.map(({ recordId }) => recordId), creates.map((each) => each.record.content)]
}

describe('settings of a profile', () => {
  test('differing ones are changed; equal and unspecified ones are not', () => {
    const planned = plan([], [], { ssl: 'strict', alwaysUseHttps: true, minTlsVersion: undefined, securityLevel: 'high' })
    expect(planned.settings).toEqual({ ssl: 'strict', securityLevel: 'high' })
    expect(planned.difference.settings).toEqual([
      { key: 'ssl', before: 'full', after: 'strict' },
      { key: 'securityLevel', before: null, after: 'high' },
    ])
  })

  test('HSTS is compared as a whole header, and any two disabled headers are equal', () => {
    expect(hasSetting(withHeader(), 'hsts', hsts)).toBe(true)
    expect(hasSetting(withHeader({ preload: true }), 'hsts', hsts)).toBe(false)
    expect(hasSetting(settings({ hsts: true }), 'hsts', hsts)).toBe(false)
    expect(hasSetting(withHeader({ enabled: false, max_age: 0 }), 'hsts', { ...hsts, enabled: false })).toBe(true)
    expect(hasSetting(withHeader({ enabled: false }), 'hsts', hsts)).toBe(false)
    expect(hasSetting(withHeader(), 'hsts', { ...hsts, enabled: false })).toBe(false)
    // An unread setting is not the same as off.
    expect(hasSetting(settings(), 'hsts', { ...hsts, enabled: false })).toBe(false)
    expect(plan([], [], { hsts }, withHeader({ max_age: 15_552_000 })).difference.settings).toEqual([
      { key: 'hsts', before: { ...hsts, maxAge: 15_552_000 }, after: hsts },
    ])
  })

  test('an SSL mode that is off differs from every other mode', () => {
    expect(hasSetting(settings({ ssl: 'off' }), 'ssl', 'flexible')).toBe(false)
  })
})

describe('records of a profile', () => {
  test('are expanded for the domain, each once; invalid ones are refused with a code', () => {
    const same = [
      wish({}),
      wish({ ttl: 600 }),
      wish({ name: 'www.example.com' }),
      wish({ content: '192.0.2.8' }),
      wish({ type: 'TXT' }),
      wish({ name: '@' }),
    ]
    const checked = recordsOf({ records: same }, domain)
    expect('wanted' in checked ? checked.wanted.map(({ type, name, content, ttl }) => [type, name, content, ttl]) : checked).toEqual([
      ['A', 'www.example.com', '192.0.2.9', 300],
      ['A', 'www.example.com', '192.0.2.8', 300],
      ['TXT', 'www.example.com', '"192.0.2.9"', 300],
      ['A', 'example.com', '192.0.2.9', 300],
    ])
    expect(recordsOf({ records: [wish({}), wish({ type: 'CNAME', content: 'www.{{domain}}' })] }, domain)).toEqual({
      refused: 'record_cname_self',
    })
  })

  test('existing ones stay regardless of their comment; those with another TTL, proxy status or priority are changed', () => {
    const there = record({ content: '192.0.2.9', comment: 'mine' })
    expect(changed([wish({})], [there])).toEqual([[], [], []])
    expect(changed([wish({ ttl: 600 })], [there])).toEqual([[], ['r1'], []])
    expect(changed([wish({ proxied: true, ttl: 300 })], [there])).toEqual([[], ['r1'], []])
    expect(changed([wish({ proxied: true, ttl: 1 })], [{ ...there, ttl: 1 }])).toEqual([[], ['r1'], []])
    const mail = record({ id: 'm', type: 'MX', name: domain, content: 'mail.example.com', priority: 10 })
    const wanted = wish({ type: 'MX', name: '@', content: 'mail.{{domain}}', priority: 10 })
    expect(changed([wanted], [mail])).toEqual([[], [], []])
    expect(changed([{ ...wanted, priority: 20 }], [mail])).toEqual([[], ['m'], []])
    expect(changed([wish({ type: 'TXT', content: 'x' })], [record({ type: 'TXT', content: '"x"', priority: 5 })])).toEqual([[], [], []])
  })

  test('are added beside records of another type or name with the same content, and of the same type where a name can have several', () => {
    const delegated = record({ id: 'ns', type: 'NS', content: 'a.example.net' })
    const mail = wish({ type: 'MX', content: 'a.example.net', priority: 10 })
    expect(changed([mail], [delegated])).toEqual([[], [], ['a.example.net']])
    expect(changed([wish({ name: '@' })], [record({ content: '192.0.2.9' })])).toEqual([[], [], ['192.0.2.9']])
    const other = record({ id: 'mail', type: 'MX', content: 'b.example.net', priority: 10 })
    expect(changed([mail], [other])).toEqual([[], [], ['a.example.net']])
    expect(changed([wish({ type: 'NS', content: 'a.example.net' }), mail], [])).toEqual([[], [], ['a.example.net', 'a.example.net']])
  })

  test('replace addresses of the same name and type; remaining addresses of any type are deleted', () => {
    const there = [
      record({ id: 'a' }),
      record({ id: 'b', content: '192.0.2.2' }),
      record({ id: 'six', type: 'AAAA', content: '2001:db8::1' }),
      record({ id: 'other', name: 'shop.example.com' }),
      record({ id: 'mail', type: 'MX', content: 'mail.example.com', priority: 10 }),
    ]
    expect(changed([wish({})], there)).toEqual([['b', 'six'], ['a'], []])
    expect(changed([wish({ type: 'CNAME', content: 'example.net' })], there)).toEqual([['a', 'b', 'six'], [], ['example.net']])
    expect(changed([wish({}), wish({ content: '192.0.2.2' }), wish({ content: '192.0.2.3' })], there)).toEqual([
      ['six'],
      ['a'],
      ['192.0.2.3'],
    ])
  })

  test.each([
    ['"v=spf1 -all"', true],
    ['v=SPF1 -all', true],
    [' " v=spf1 -all"', true],
    ['v=spf10 -all', false],
    ['v=DMARC1; p=none', false],
    ['google-site-verification=x', false],
    ['about v=spf1', false],
  ])('an SPF policy replaces %s: %s', (content, replaced) => {
    const wanted = wish({ type: 'TXT', name: '@', content: 'v=spf1 mx -all' })
    const there = record({ type: 'TXT', name: domain, content })
    expect(changed([wanted], [there])).toEqual(replaced ? [[], ['r1'], []] : [[], [], ['"v=spf1 mx -all"']])
  })

  test('a policy of another name and a record of type SPF stay', () => {
    const wanted = wish({ type: 'TXT', name: '@', content: 'v=spf1 -all' })
    expect(changed([wanted], [record({ type: 'TXT', name: 'mail.example.com', content: '"v=spf1 -all"' })])[1]).toEqual([])
    expect(changed([wanted], [record({ type: 'SPF', name: domain, content: 'v=spf1 -all' })])).toEqual([[], [], ['"v=spf1 -all"']])
    const dmarc = wish({ type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=none' })
    expect(changed([dmarc], [record({ type: 'TXT', name: '_dmarc.example.com', content: '"v=dmarc1; p=reject"' })])[1]).toEqual(['r1'])
  })

  test('the displayed and the sent record are complete', () => {
    const mail = record({ id: 'm', type: 'MX', name: domain, content: 'mail.example.com', priority: 10, comment: 'mine' })
    const old = record({ id: 'old', content: '192.0.2.7' })
    const planned = plan(
      [
        wish({ content: '192.0.2.8' }),
        wish({ type: 'MX', name: '@', content: 'mail.{{domain}}', priority: 20, ttl: 600 }),
        wish({ type: 'MX', name: 'new', content: 'mx.example.net', priority: 5 }),
        wish({ type: 'TXT', name: '@', content: 'x' }),
      ],
      [record(), old, mail],
    )
    expect(planned.changes).toEqual({
      deletes: [{ recordId: 'old', seen: seen(old) }],
      updates: [
        { recordId: 'm', patch: { content: 'mail.example.com', ttl: 600, proxied: false, priority: 20 }, seen: seen(mail) },
        { recordId: 'r1', patch: { content: '192.0.2.8', ttl: 300, proxied: false }, seen: seen(record()) },
      ],
      creates: [
        { record: { type: 'MX', name: 'new.example.com', content: 'mx.example.net', ttl: 300, proxied: false, priority: 5 } },
        { record: { type: 'TXT', name: 'example.com', content: '"x"', ttl: 300, proxied: false } },
      ],
    })
    const shown = ({ comment: _comment, ...rest }: ReturnType<typeof seen>) => rest
    expect(planned.difference.records).toEqual([
      { before: shown(seen(mail)), after: { ...shown(seen(mail)), ttl: 600, priority: 20 } },
      { before: shown(seen(record())), after: { ...shown(seen(record())), content: '192.0.2.8' } },
      { before: shown(seen(old)), after: null },
      { before: null, after: { type: 'MX', name: 'new.example.com', content: 'mx.example.net', ttl: 300, proxied: false, priority: 5 } },
      { before: null, after: { type: 'TXT', name: 'example.com', content: '"x"', ttl: 300, proxied: false, priority: null } },
    ])
  })
})

describe('whether a profile is applied', () => {
  const update = (patch: object) => ({ updates: [{ recordId: 'r1', patch: { content: '192.0.2.1', ttl: 300, proxied: false, ...patch } }] })
  test.each<[string, Parameters<typeof isDone>[1], boolean]>([
    ['with nothing to do', {}, true],
    ['while what is to go is there', { deletes: [{ recordId: 'r1' }] }, false],
    ['when what was to go is gone', { deletes: [{ recordId: 'r2' }] }, true],
    ['when a record is as wanted', update({}), true],
    ['with another content', update({ content: '192.0.2.2' }), false],
    ['with another TTL', update({ ttl: 600 }), false],
    ['with another proxy', update({ proxied: true }), false],
    ['with another priority', update({ priority: 10 }), false],
    ['where the record is gone', { updates: [{ recordId: 'r9', patch: { content: '192.0.2.1' } }] }, false],
    ['when a new record is there', { creates: [{ record: wish({ name: 'www.example.com', content: '192.0.2.1' }) }] }, true],
    ['without it', { creates: [{ record: wish({ name: 'www.example.com' }) }] }, false],
    ['with it at another name', { creates: [{ record: wish({ name: 'shop.example.com', content: '192.0.2.1' }) }] }, false],
    ['with it of another type', { creates: [{ record: wish({ type: 'TXT', name: 'www.example.com', content: '192.0.2.1' }) }] }, false],
  ])('%s: %s', (_what, changes, done) => {
    expect(isDone([record()], changes, domain)).toBe(done)
  })

  test('regardless of how the provider writes a content', () => {
    const there = record({ type: 'TXT', content: 'x' })
    expect(isDone([there], { creates: [{ record: wish({ type: 'TXT', name: 'www.example.com', content: '"x"' }) }] }, domain)).toBe(true)
    expect(isDone([record({ priority: 10 })], update({ priority: 10 }), domain)).toBe(true)
    const created = { creates: [{ record: wish({ name: 'www.example.com', content: '192.0.2.1' }) }] }
    expect(isDone([record({ id: 'r2', name: 'shop.example.com' }), record()], created, domain)).toBe(true)
  })
})
