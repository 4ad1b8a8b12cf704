import { describe, expect, test } from 'vitest'
import type { DnsRecord } from './schema.ts'
import { importPlan } from './schema.ts'
import { parseZoneFile } from './parse-zone-file.ts'
import { planZoneFile, zoneFileLimitsOf } from './plan-zone-file.ts'
import { writeZoneFile } from './write-zone-file.ts'
import type { ZoneFileInput } from './plan-zone-file.ts'

const zone = 'example.com'

/** Type, name, content and other fields, one line each. */
const read = (text: string) =>
  parseZoneFile(text, zone).records.map(({ line, type, name, content, priority, ttl, proxied, comment, tags }) =>
    [
      line,
      type,
      name,
      ...(priority === null ? [] : [`p${priority}`]),
      content,
      ...(ttl === null ? [] : [`ttl${ttl}`]),
      ...(proxied === null ? [] : [proxied ? 'proxied' : 'bare']),
      ...(comment === null ? [] : [`;${comment}`]),
      ...(tags === null ? [] : [`[${tags.join('|')}]`]),
    ].join(' '),
  )
const faults = (text: string) => parseZoneFile(text, zone).faults.map(({ line, code }) => `${line} ${code}`)

describe('R-DNS-05 a zone file is parsed like BIND does', () => {
  test.each<[string, string, string[]]>([
    ['an absolute name', 'www.example.com. 300 IN A 192.0.2.1', ['1 A www.example.com 192.0.2.1 ttl300']],
    ['a name below the origin', 'www A 192.0.2.1', ['1 A www.example.com 192.0.2.1']],
    ['the domain itself', '@ IN A 192.0.2.1', ['1 A example.com 192.0.2.1']],
    ['class before TTL', 'www IN 300 A 192.0.2.1', ['1 A www.example.com 192.0.2.1 ttl300']],
    ['neither class nor TTL', 'www\tA\t192.0.2.1', ['1 A www.example.com 192.0.2.1']],
    ['lower case', 'WWW in a 192.0.2.1', ['1 A www.example.com 192.0.2.1']],
    [
      'the name of the previous line',
      'www A 192.0.2.1\n\tA 192.0.2.2\n  300 IN AAAA 2001:db8::1',
      ['1 A www.example.com 192.0.2.1', '2 A www.example.com 192.0.2.2', '3 AAAA www.example.com 2001:db8::1 ttl300'],
    ],
    [
      'an indented block',
      '    www A 192.0.2.1\n    ftp 60 A 192.0.2.2',
      ['1 A www.example.com 192.0.2.1', '2 A ftp.example.com 192.0.2.2 ttl60'],
    ],
    [
      '$TTL',
      '$TTL 1h\nwww A 192.0.2.1\nftp 60 A 192.0.2.1',
      ['2 A www.example.com 192.0.2.1 ttl3600', '3 A ftp.example.com 192.0.2.1 ttl60'],
    ],
    [
      '$TTL that changes',
      '$TTL 1h\na A 192.0.2.1\n$TTL 2d\nb A 192.0.2.1',
      ['2 A a.example.com 192.0.2.1 ttl3600', '4 A b.example.com 192.0.2.1 ttl172800'],
    ],
    ['a TTL of several parts', 'www 1h30m A 192.0.2.1', ['1 A www.example.com 192.0.2.1 ttl5400']],
    ['a TTL with an upper-case unit', 'www 1W A 192.0.2.1', ['1 A www.example.com 192.0.2.1 ttl604800']],
    [
      '$ORIGIN',
      '$ORIGIN sub.example.com.\nwww CNAME host\n@ A 192.0.2.1',
      ['2 CNAME www.sub.example.com host.sub.example.com', '3 A sub.example.com 192.0.2.1'],
    ],
    ['$ORIGIN below the origin', '$ORIGIN sub\nwww A 192.0.2.1', ['2 A www.sub.example.com 192.0.2.1']],
    ['the root as origin', '$ORIGIN .\nwww.example.com A 192.0.2.1', ['2 A www.example.com 192.0.2.1']],
    ['$origin in lower case', '$origin sub.example.com.\nwww A 192.0.2.1', ['2 A www.sub.example.com 192.0.2.1']],
    ['a host outside', 'www CNAME host.example.net.', ['1 CNAME www.example.com host.example.net']],
    ['@ as a host', 'www CNAME @', ['1 CNAME www.example.com example.com']],
    ['MX', '@ MX 10 mail\n@ MX 20 mail.example.net.', ['1 MX example.com p10 mail.example.com', '2 MX example.com p20 mail.example.net']],
    ['a null MX', '@ MX 0 .', ['1 MX example.com p0 .']],
    ['SRV', '_sip._tcp SRV 10 5 5060 sip', ['1 SRV _sip._tcp.example.com p10 5 5060 sip.example.com']],
    ['URI', '_http._tcp URI 10 1 "https://www.example.com/"', ['1 URI _http._tcp.example.com p10 1 "https://www.example.com/"']],
    [
      'CAA',
      '@ CAA 0 issue "letsencrypt.org; validationmethods=dns-01"',
      ['1 CAA example.com 0 issue "letsencrypt.org; validationmethods=dns-01"'],
    ],
    ['HTTPS', '@ HTTPS 1 . alpn="h3,h2" ipv4hint=192.0.2.1', ['1 HTTPS example.com 1 . alpn="h3,h2" ipv4hint=192.0.2.1']],
    ['SVCB with a target below the origin', '_dns SVCB 1 dns alpn=dot', ['1 SVCB _dns.example.com 1 dns.example.com alpn=dot']],
    [
      'NAPTR',
      'sip NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
      ['1 NAPTR sip.example.com 100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .'],
    ],
    ['TXT in quotes', '@ TXT "v=spf1 include:_spf.example.net ~all"', ['1 TXT example.com "v=spf1 include:_spf.example.net ~all"']],
    ['TXT of several strings', '@ TXT "one " "two"', ['1 TXT example.com "one " "two"']],
    ['TXT without quotes', '@ TXT one two', ['1 TXT example.com "one" "two"']],
    ['strings without a blank between', '@ TXT "one""two"', ['1 TXT example.com "one" "two"']],
    ['a semicolon in quotes', '@ TXT "v=DKIM1; k=rsa" ; key', ['1 TXT example.com "v=DKIM1; k=rsa" ;key']],
    ['escaped quotes and backslashes', String.raw`@ TXT "say \"a\\b\""`, [String.raw`1 TXT example.com "say \"a\\b\""`]],
    ['escaped bytes of UTF-8', String.raw`@ TXT "caf\195\169"`, ['1 TXT example.com "café"']],
    ['an escaped semicolon without quotes', String.raw`@ TXT a\;b`, ['1 TXT example.com "a;b"']],
    ['non-ASCII text', 'www TXT "привет"', ['1 TXT www.example.com "привет"']],
    ['a non-ASCII name', 'bücher A 192.0.2.1', ['1 A xn--bcher-kva.example.com 192.0.2.1']],
    ['a wildcard', '* A 192.0.2.1\n*.sub A 192.0.2.1', ['1 A *.example.com 192.0.2.1', '2 A *.sub.example.com 192.0.2.1']],
    [
      'parentheses across lines',
      '@ TXT ( "one" ; first\n  "two" )\nwww A 192.0.2.1',
      ['1 TXT example.com "one" "two"', '3 A www.example.com 192.0.2.1'],
    ],
    ['parentheses without blanks', '@ MX (10\nmail)\n', ['1 MX example.com p10 mail.example.com']],
    ['parentheses in quotes', '@ TXT "(" ")"', ['1 TXT example.com "(" ")"']],
    [
      'a key across lines',
      '@ TLSA 3 1 1 (\n 92003ba34942dc74152e2f2c408d29ec\n a5a520e7f2e06bb944f4dca346baf63c )',
      ['1 TLSA example.com 3 1 1 92003ba34942dc74152e2f2c408d29ec a5a520e7f2e06bb944f4dca346baf63c'],
    ],
    ['LOC', '@ LOC 51 30 12.748 N 0 7 39.612 W 0m 1m 10000m 10m', ['1 LOC example.com 51 30 12.748 N 0 7 39.612 W 0m 1m 10000m 10m']],
    ['comments and empty lines', ';; a file\n\n   ; nothing\nwww A 192.0.2.1 ; the site', ['4 A www.example.com 192.0.2.1 ;the site']],
    [
      'Windows line endings and a byte order mark',
      '\uFEFFwww A 192.0.2.1\r\nftp A 192.0.2.2\r\n',
      ['1 A www.example.com 192.0.2.1', '2 A ftp.example.com 192.0.2.2'],
    ],
    ['classic Mac line endings', 'www A 192.0.2.1\rftp A 192.0.2.2', ['1 A www.example.com 192.0.2.1', '2 A ftp.example.com 192.0.2.2']],
    [
      'the provider’s proxy',
      'www 1 IN A 192.0.2.1 ; cf_tags=cf-proxied:true\nftp 1 IN A 192.0.2.1 ; cf_tags=cf-proxied:false',
      ['1 A www.example.com 192.0.2.1 ttl1 proxied', '2 A ftp.example.com 192.0.2.1 ttl1 bare'],
    ],
    [
      'its comments and tags',
      'www 1 IN A 192.0.2.1 ; our site cf_tags=cf-proxied:true,team:web,old',
      ['1 A www.example.com 192.0.2.1 ttl1 proxied ;our site [team:web|old]'],
    ],
    [
      'a name that looks like a TTL or a type',
      '1 PTR host.example.net.\nmx A 192.0.2.1\nin A 192.0.2.2',
      ['1 PTR 1.example.com host.example.net', '2 A mx.example.com 192.0.2.1', '3 A in.example.com 192.0.2.2'],
    ],
    ['name servers below the apex', 'sub NS ns1.example.net.', ['1 NS sub.example.com ns1.example.net']],
    ['an empty file', '', []],
  ])('%s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected)
    expect(faults(text)).toEqual([])
  })
})

describe('R-DNS-05 an invalid line is reported by its number, and the others are imported', () => {
  test.each<[string, string[]]>([
    ['$INCLUDE other.zone\n$include x', ['1 include', '2 include']],
    ['$GENERATE 1-9 host$ A 192.0.2.$', ['1 generate']],
    ['$FOO bar', ['1 unknown_directive']],
    ['$TTL', ['1 bad_ttl']],
    ['$TTL soon', ['1 bad_ttl']],
    ['$ORIGIN\nwww A 192.0.2.1\nftp.example.com. A 192.0.2.1', ['1 bad_origin', '2 bad_origin']],
    ['  A 192.0.2.1', ['1 no_owner']],
    ['www.example.net. A 192.0.2.1\n  A 192.0.2.2', ['1 outside_zone', '2 outside_zone']],
    ['notexample.com. A 192.0.2.1', ['1 outside_zone']],
    ['-www A 192.0.2.1', ['1 bad_name']],
    ['a..b A 192.0.2.1', ['1 bad_name']],
    ['a.*.b A 192.0.2.1', ['1 bad_name']],
    [`${'x'.repeat(64)} A 192.0.2.1`, ['1 bad_name']],
    ['www CH A 192.0.2.1', ['1 bad_class']],
    ['www', ['1 no_type']],
    ['www 300 IN', ['1 no_type']],
    ['www HINFO "PC" "DOS"', ['1 unknown_type']],
    [String.raw`www TYPE65 \# 3 000100`, ['1 unknown_type']],
    ['www X 192.0.2.1', ['1 unknown_type']],
    ['www 1x A 192.0.2.1', ['1 bad_ttl']],
    ['www A', ['1 no_content']],
    ['@ MX mail', ['1 invalid_content']],
    ['@ MX ten mail', ['1 invalid_content']],
    [String.raw`@ TXT "\999"`, ['1 invalid_content']],
    [String.raw`@ TXT "\255"`, ['1 invalid_content']],
    [`@ TXT ${'x'.repeat(10_100)}`, ['1 too_long']],
    [`@ TXT ${'x'.repeat(30_000)}`, ['1 too_long']],
    ['@ TXT "open\nwww A 192.0.2.1', ['1 unclosed_quote']],
    ['@ TXT a"b', ['1 unclosed_quote']],
    ['@ TXT ( "one"\nwww A 192.0.2.1', ['1 unclosed_parenthesis']],
    ['@ TXT ( "one"\nwww A 192.0.2.1\n@ TXT ( "two" )', ['1 unclosed_parenthesis']],
    ['@ TXT "one" )', ['1 stray_parenthesis']],
    ['@ SOA ns1 admin (\n 1 2 3 4 5 )', ['1 soa']],
    ['@ NS ns1.example.net.\nexample.com. NS ns2.example.net.', ['1 apex_ns', '2 apex_ns']],
  ])('%j', (text, expected) => {
    expect(faults(`${text}\nlast.example.com. A 192.0.2.99`)).toEqual(expected)
    expect(read(`${text}\nlast.example.com. A 192.0.2.99`).at(-1)).toContain('192.0.2.99')
  })

  test('an unclosed parenthesis does not swallow the following lines', () => {
    expect(read('@ TXT ( "one"\nwww A 192.0.2.1')).toEqual(['2 A www.example.com 192.0.2.1'])
  })
})

let number = 0
const there = (type: string, name: string, content: string, more: Partial<DnsRecord> = {}): DnsRecord => ({
  id: `r${(number += 1)}`,
  type,
  name: name === '@' ? zone : `${name}.${zone}`,
  content,
  ttl: 1,
  proxied: false,
  proxiable: ['A', 'AAAA', 'CNAME'].includes(type),
  priority: null,
  comment: null,
  tags: [],
  data: null,
  modifiedAt: null,
  ...more,
})
const plan = (text: string, current: readonly DnsRecord[], more: Partial<ZoneFileInput> = {}) =>
  planZoneFile({ text, zoneName: zone, current, mode: 'add', proxied: false, limits: zoneFileLimitsOf('Pro'), ...more })
const refusals = (found: ReturnType<typeof plan>) => found.refused.map(({ line, code, problem }) => [line, code, problem?.code])

describe('R-DNS-05 the plan of an import', () => {
  test('lists what is new in the file and what differs', () => {
    const same = there('A', 'same', '192.0.2.1', { ttl: 300 })
    const other = there('A', 'other', '192.0.2.2', { ttl: 300, comment: 'kept' })
    const single = there('A', 'alone', '192.0.2.3')
    const text = 'same 300 A 192.0.2.1\nother 600 A 192.0.2.2\nnew A 192.0.2.4'
    const found = plan(text, [same, other, single])
    expect(found).toMatchObject({ unchanged: 1, deleted: [], refused: [] })
    expect(found.added).toEqual([{ line: 3, type: 'A', name: 'new.example.com', content: '192.0.2.4', ttl: 1, proxied: false }])
    expect(found.changed).toEqual([{ line: 2, before: other, after: expect.objectContaining({ ttl: 600, comment: 'kept' }) as unknown }])
    expect(plan(text, [same, other, single], { mode: 'replace' }).deleted).toEqual([single])
    expect(
      importPlan.omit({ token: true, calls: true, full: true, addedCount: true, changedCount: true, deletedCount: true }).parse(found),
    ).toEqual(found)
  })

  test('in replace mode, different content of the same name and type is an in-place change', () => {
    const www = there('A', 'www', '192.0.2.1')
    expect(plan('www A 192.0.2.9', [www], { mode: 'replace' })).toMatchObject({
      added: [],
      deleted: [],
      changed: [{ before: www, after: { content: '192.0.2.9' } }],
    })
    expect(plan('www A 192.0.2.9', [www])).toMatchObject({ changed: [], added: [{ content: '192.0.2.9' }] })
  })

  test('a CNAME is changed in place in either mode, because a name has only one', () => {
    const www = there('CNAME', 'www', 'old.example.net')
    expect(plan('www CNAME new.example.net.', [www])).toMatchObject({
      added: [],
      changed: [{ before: www, after: { content: 'new.example.net' } }],
    })
  })

  test('a CNAME and an address of the same name conflict unless the existing one is deleted', () => {
    const www = there('CNAME', 'www', 'old.example.net')
    expect(refusals(plan('www A 192.0.2.1', [www]))).toEqual([[1, 'cname_conflict', undefined]])
    expect(plan('www A 192.0.2.1', [www], { mode: 'replace' })).toMatchObject({ added: [{ type: 'A' }], deleted: [www], refused: [] })
    expect(
      refusals(plan('a CNAME x.example.net.\na A 192.0.2.1\nb A 192.0.2.1\nb AAAA 2001:db8::1\nb TXT "x"\nb CNAME x.example.net.', [])),
    ).toEqual([
      [2, 'cname_conflict', undefined],
      [6, 'cname_conflict', undefined],
    ])
  })

  test('a repeated record is imported once', () => {
    expect(refusals(plan('www A 192.0.2.1\nWWW.example.com. 300 IN A 192.0.2.1\n@ TXT "ab"\n@ TXT "a" "b"', []))).toEqual([
      [2, 'duplicate', undefined],
      [4, 'duplicate', undefined],
    ])
  })

  test('equivalent notations of the same content are equal', () => {
    const current = [
      there('AAAA', 'www', '2001:db8::1'),
      there('TXT', '@', 'v=spf1 ~all'),
      there('TXT', 'long', `"${'x'.repeat(255)}" "${'x'.repeat(5)}"`),
      there('MX', '@', 'mail.example.com', { priority: 10 }),
      there('SRV', '_sip._tcp', '5 5060 sip.example.com', { priority: 10 }),
      there('CAA', '@', '0 issue "letsencrypt.org"'),
      there('HTTPS', '@', '1 . alpn="h3,h2"'),
    ]
    const text = [
      'www AAAA 2001:0DB8:0:0::1',
      '@ TXT "v=spf1 " "~all"',
      `long TXT "${'x'.repeat(200)}" "${'x'.repeat(60)}"`,
      '@ MX 10 MAIL',
      '_sip._tcp SRV 10 5 5060 sip',
      '@ CAA 0 ISSUE letsencrypt.org',
      '@ HTTPS 1 . alpn=h3,h2',
    ].join('\n')
    expect(plan(text, current, { mode: 'replace' })).toEqual({
      added: [],
      changed: [],
      deleted: [],
      unchanged: 7,
      refusedCount: 0,
      refused: [],
    })
  })

  test('a different priority is a different record, changed in place in replace mode', () => {
    const mx = there('MX', '@', 'mail.example.com', { priority: 10 })
    expect(plan('@ MX 20 mail', [mx], { mode: 'replace' })).toMatchObject({
      changed: [{ before: mx, after: { priority: 20 } }],
      added: [],
      deleted: [],
    })
  })

  test('the proxy state comes from the file, else from the request for new records and from the existing ones', () => {
    const off = there('A', 'off', '192.0.2.1')
    const text = 'off A 192.0.2.1\nnew A 192.0.2.2\nsaid A 192.0.2.3 ; cf_tags=cf-proxied:false\ntext TXT "x"'
    const found = plan(text, [off], { proxied: true })
    expect(found).toMatchObject({ unchanged: 1, changed: [] })
    expect(found.added.map(({ proxied }) => proxied)).toEqual([true, false, false])
    expect(plan('off A 192.0.2.1 ; cf_tags=cf-proxied:true', [off]).changed).toMatchObject([{ after: { proxied: true, ttl: 1 } }])
  })

  test('the TTL of a proxied record is left to the provider, and any other is clamped to its range', () => {
    expect(plan('on 300 A 192.0.2.1', [there('A', 'on', '192.0.2.1', { proxied: true })])).toMatchObject({ unchanged: 1 })
    expect(plan('a 0 A 192.0.2.1\nb 30 A 192.0.2.1\nc 4w A 192.0.2.1', []).added.map(({ ttl }) => ttl)).toEqual([60, 60, 86_400])
    expect(plan('a 30 A 192.0.2.1', [there('A', 'a', '192.0.2.1', { ttl: 30 })])).toMatchObject({ unchanged: 1 })
  })

  test('invalid content is reported, and the existing record of an invalid line is not deleted', () => {
    const current = [
      there('A', 'www', '192.0.2.1'),
      there('MX', '@', 'mail.example.com', { priority: 10 }),
      there('A', 'gone', '192.0.2.1'),
    ]
    const found = plan('www A 192.0.2.300\n@ MX ( 10 mail\nx CNAME 192.0.2.1', current, { mode: 'replace' })
    expect(refusals(found)).toEqual([
      [1, 'invalid_content', 'record_ipv4'],
      [2, 'unclosed_parenthesis', undefined],
      [3, 'invalid_content', 'record_host_address'],
    ])
    expect(found.deleted.map(({ name }) => name)).toEqual(['gone.example.com'])
  })

  test('an invalid line without a name or a type keeps no record', () => {
    const found = plan('  MX ( 10 mail\nwww ( x', [there('A', 'gone', '192.0.2.1')], { mode: 'replace' })
    expect(found.refused.map(({ code }) => code)).toEqual(['unclosed_parenthesis', 'unclosed_parenthesis'])
    expect(found.deleted.map(({ name }) => name)).toEqual(['gone.example.com'])
  })

  test('NS records of the apex are neither imported nor deleted', () => {
    const ns = there('NS', '@', 'ns1.example.net')
    expect(plan('@ NS ns2.example.net.', [ns], { mode: 'replace' })).toMatchObject({
      added: [],
      deleted: [],
      refused: [{ code: 'apex_ns' }],
    })
  })

  test('on a free plan comments are short and tags are dropped', () => {
    const text = `www A 192.0.2.1 ; ${'c'.repeat(150)} cf_tags=team:web`
    expect(plan(text, [], { limits: zoneFileLimitsOf('Free Website') }).added[0]).toMatchObject({ comment: 'c'.repeat(100) })
    expect(plan(text, [], { limits: zoneFileLimitsOf('Free Website') }).added[0]).not.toHaveProperty('tags')
    expect(plan(text, []).added[0]).toMatchObject({ comment: 'c'.repeat(150), tags: ['team:web'] })
  })

  test('a tag that the file adds to a record is a change', () => {
    const tagged = (tags: string[]) => plan('www A 192.0.2.1 ; cf_tags=old,team:web', [there('A', 'www', '192.0.2.1', { tags })])
    expect(tagged([]).changed).toMatchObject([{ after: { tags: ['old', 'team:web'] } }])
    expect(tagged(['old']).changed).toMatchObject([{ after: { tags: ['old', 'team:web'] } }])
    expect(tagged(['team:web', 'old'])).toMatchObject({ unchanged: 1, changed: [] })
  })

  test('an exported file is parsed back unchanged', () => {
    const current = [
      there('A', 'www', '192.0.2.1', { proxied: true, comment: 'our site', tags: ['team:web'] }),
      there('A', 'ftp', '192.0.2.1', { ttl: 300 }),
      there('CNAME', 'a', 'b.example.net'),
      there('MX', '@', 'mail.example.com', { priority: 10 }),
      there('SRV', '_sip._tcp', '5 5060 sip.example.com', { priority: 10 }),
      there('TXT', '@', String.raw`"a \"b\"; \\c" "d"`),
      there('TXT', 'bare', 'v=DKIM1; k=rsa'),
      there('HTTPS', '@', '1 . alpn="h3,h2"'),
      there('SVCB', '_dns', '1 dns.example.com alpn=dot'),
      there('NAPTR', 'sip', '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .'),
      there('URI', '_http._tcp', '1 "https://www.example.com/"', { priority: 10 }),
    ]
    const text = writeZoneFile(zone, current, 'example.com')
    expect(plan(text, current, { mode: 'replace', proxied: true })).toEqual({
      added: [],
      changed: [],
      deleted: [],
      unchanged: current.length,
      refusedCount: 0,
      refused: [],
    })
    expect(plan(text, [])).toMatchObject({ added: { length: current.length }, refused: [] })
  })

  test('20,000 lines are planned quickly', () => {
    const current = Array.from({ length: 10_000 }, (_, n) => there('A', `h${n}`, '192.0.2.1'))
    const text = Array.from({ length: 20_000 }, (_, n) => `h${n} IN A 192.0.2.1`).join('\n')
    const found = plan(text, current, { mode: 'replace' })
    expect(found).toMatchObject({ unchanged: 10_000, added: { length: 10_000 }, deleted: [] })
  })

  test.each([
    '(\n'.repeat(20_000),
    '"\n'.repeat(20_000),
    `${'\\'.repeat(15_000)}\n`.repeat(100),
    `@ TXT ${'"a" '.repeat(4_000)}\n`.repeat(100),
    ';'.repeat(1_000_000),
    '$ORIGIN a\n'.repeat(5_000),
  ])('pathological input is parsed in bounded time (%#)', (text) => {
    expect(plan(text, []).changed).toEqual([])
  })
})
