import { describe, expect, test } from 'vitest'
import type { DnsRecord } from './schema.ts'
import { parseZoneFile } from './parse-zone-file.ts'
import { planZoneFile, zoneFileLimitsOf } from './plan-zone-file.ts'
import { mostPlanned } from './schema.ts'
import { writeZoneFile } from './write-zone-file.ts'
import type { ZoneFileInput } from './plan-zone-file.ts'

const zone = 'example.com'
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
const contents = (text: string) => parseZoneFile(text, zone).records.map(({ type, name, content }) => `${type} ${name} ${content}`)
const faults = (text: string) => parseZoneFile(text, zone).faults
const plan = (text: string, current: readonly DnsRecord[], more: Partial<ZoneFileInput> = {}) =>
  planZoneFile({ text, zoneName: zone, current, mode: 'add', proxied: false, limits: zoneFileLimitsOf('Pro'), ...more })

describe('R-DNS-05 a zone file is written', () => {
  test('line by line, with all fields of a record and nothing else', () => {
    const text = writeZoneFile(
      zone,
      [
        there('A', 'www', '192.0.2.1', { proxied: true, comment: 'our site', tags: ['team:web'] }),
        there('A', 'ftp', '192.0.2.1', { ttl: 300 }),
        there('CNAME', 'a', 'b.example.net', { comment: 'alias' }),
        there('TXT', '@', 'x'),
        there('TXT', 'note', '"x"', { comment: 'a note' }),
        there('TXT', 'tag', '"x"', { tags: ['old'] }),
        there('MX', '@', 'mail.example.com', { priority: 10 }),
        there('MX', 'none', '.'),
        there('SRV', '_sip._tcp', '5 5060 sip.example.com', { priority: 10 }),
        there('CAA', '@', '0 issue "a.example"'),
      ],
      'example.com of ann',
    )
    expect(text.split('\n')).toEqual([
      ';; example.com of ann',
      '$ORIGIN example.com.',
      'www.example.com.\t1\tIN\tA\t192.0.2.1 ; our site cf_tags=cf-proxied:true,team:web',
      'ftp.example.com.\t300\tIN\tA\t192.0.2.1 ; cf_tags=cf-proxied:false',
      'a.example.com.\t1\tIN\tCNAME\tb.example.net. ; alias cf_tags=cf-proxied:false',
      'example.com.\t1\tIN\tTXT\t"x"',
      'note.example.com.\t1\tIN\tTXT\t"x" ; a note',
      'tag.example.com.\t1\tIN\tTXT\t"x" ; cf_tags=old',
      'example.com.\t1\tIN\tMX\t10 mail.example.com.',
      'none.example.com.\t1\tIN\tMX\t0 .',
      '_sip._tcp.example.com.\t1\tIN\tSRV\t10 5 5060 sip.example.com.',
      'example.com.\t1\tIN\tCAA\t0 issue "a.example"',
      '',
    ])
  })
})

describe('R-DNS-05 the effect of a file on existing records', () => {
  test('NS records of the apex are never deleted, but those below it and other apex records are', () => {
    const below = there('NS', 'sub', 'ns1.example.net')
    const address = there('A', '@', '192.0.2.1')
    const own = [there('NS', '@', 'ns1.example.net'), there('NS', '@', 'ns2.example.net', { name: 'EXAMPLE.com' })]
    expect(plan('www A 192.0.2.1', [...own, below, address], { mode: 'replace' }).deleted).toEqual([below, address])
  })

  test('TXT values with different text are different records; the same text is one record however it is split and escaped', () => {
    const one = there('TXT', '@', '"a"')
    expect(plan('@ TXT "b"', [one])).toMatchObject({ unchanged: 0, added: [{ content: '"b"' }] })
    expect(plan('@ TXT "b"', [one], { mode: 'replace' })).toMatchObject({ added: [], changed: [{ before: one }] })
    expect(plan(String.raw`@ TXT "a\"b" "c"`, [there('TXT', '@', 'a"bc')])).toMatchObject({ unchanged: 1, added: [] })
    expect(plan('@ TXT "b"', [there('TXT', '@', '"open')])).toMatchObject({ unchanged: 0 })
  })

  test('the second of two identical records is not ignored', () => {
    const [first, second] = [there('A', 'www', '192.0.2.1'), there('A', 'www', '192.0.2.1')]
    expect(plan('www A 192.0.2.1', [first, second], { mode: 'replace' })).toMatchObject({ unchanged: 1, deleted: [second] })
  })

  test('comment and tags come from the file if it has them', () => {
    const now = there('A', 'www', '192.0.2.1', { ttl: 300, comment: 'old', tags: ['a', 'b'] })
    const after = (comment: string, more: Partial<ZoneFileInput> = {}) =>
      plan(`www A 192.0.2.1 ; ${comment}`, [now], more).changed[0]?.after
    expect(plan('www A 192.0.2.1', [now])).toMatchObject({ unchanged: 1, changed: [] })
    expect(plan('www A 192.0.2.1 ; old cf_tags=b,a', [now])).toMatchObject({ unchanged: 1 })
    expect(after('new')).toMatchObject({ comment: 'new', tags: ['a', 'b'], ttl: 300 })
    expect(after('cf_tags=a')).toMatchObject({ comment: 'old', tags: ['a'] })
    expect(after('cf_tags=c,d')).toMatchObject({ tags: ['c', 'd'] })
    // A free plan has no tags.
    expect(after('new cf_tags=c', { limits: zoneFileLimitsOf(null) })).toMatchObject({ comment: 'new', tags: ['a', 'b'] })
  })

  test('the limits of an unknown plan are those of a free plan', () => {
    expect(zoneFileLimitsOf(null)).toEqual({ longestComment: 100, tags: false })
    expect(zoneFileLimitsOf('Business Website')).toEqual({ longestComment: 500, tags: true })
  })

  test('an automatic TTL stays automatic, and a comment is one line', () => {
    expect(plan('www 1 A 192.0.2.1 ; a\tb', []).added).toMatchObject([{ ttl: 1, comment: 'a b' }])
  })

  test('a TXT record beside a CNAME is imported', () => {
    expect(plan('www TXT "x"', [there('CNAME', 'www', 'example.net')])).toMatchObject({ added: [{ type: 'TXT' }], refused: [] })
  })

  test('rejected lines are listed in order, verbatim, truncated, with the reason', () => {
    const text = `www A 192.0.2.300\n  ${'x'.repeat(300)} X 1  \nsip SRV 10 5 5060 sip\n@ MX 10 @ extra`
    expect(plan(text, []).refused).toEqual([
      { line: 1, text: 'www A 192.0.2.300', code: 'invalid_content', problem: { field: 'content', code: 'record_ipv4', params: {} } },
      { line: 2, text: 'x'.repeat(200), code: 'unknown_type', problem: null },
      { line: 3, text: 'sip SRV 10 5 5060 sip', code: 'bad_name', problem: { field: 'name', code: 'record_service_name', params: {} } },
      { line: 4, text: '@ MX 10 @ extra', code: 'invalid_content', problem: { field: 'content', code: 'record_host', params: {} } },
    ])
    expect(plan('-a A 192.0.2.1', []).refused).toMatchObject([{ code: 'bad_name', problem: { field: 'name', code: 'record_name' } }])
    expect(plan(String.raw`a CNAME b\045c`, []).refused).toMatchObject([{ code: 'invalid_content', problem: { code: 'record_host' } }])
    expect(plan('a CAA x issue a.example', []).refused).toMatchObject([{ problem: { params: { field: 'flags', min: 0, max: 255 } } }])
  })

  test('rejected lines beyond the limit are only counted', () => {
    const found = plan('www X 1\n'.repeat(mostPlanned + 1), [])
    expect([found.refusedCount, found.refused.length]).toEqual([mostPlanned + 1, mostPlanned])
  })
})

describe('R-DNS-05 tokens of a zone file', () => {
  test.each([
    [String.raw`@ TXT "\226\152\131"`, 'TXT example.com "☃"'],
    [String.raw`@ TXT "a\009b"`, 'TXT example.com "a\tb"'],
    [String.raw`@ TXT "100% \"x\""`, String.raw`TXT example.com "100% \"x\""`],
    ['@ TXT a"b"', String.raw`TXT example.com "a\"b\""`],
    ['@ TXT "a\uFEFFb"', 'TXT example.com "a\uFEFFb"'],
    ['www CNAME a1.2.3.4', 'CNAME www.example.com a1.2.3.4.example.com'],
    ['www CNAME 1.2.3.4a', 'CNAME www.example.com 1.2.3.4a.example.com'],
    ['www CNAME 10.20.30.40', 'CNAME www.example.com 10.20.30.40'],
    ['  xtype65 A 192.0.2.1', 'A xtype65.example.com 192.0.2.1'],
    ['  type65x A 192.0.2.1', 'A type65x.example.com 192.0.2.1'],
  ])('%s is %s', (text, content) => {
    expect(contents(text)).toEqual([content])
    expect(faults(text)).toEqual([])
  })

  test('a line that starts with a blank and a class or a type continues the previous name', () => {
    expect(contents('www A 192.0.2.1\n  IN A 192.0.2.2')).toEqual(['A www.example.com 192.0.2.1', 'A www.example.com 192.0.2.2'])
    for (const type of ['hinfo', 'TYPE65', 'type7'])
      expect(faults(`www A 192.0.2.1\n  ${type} x`)).toEqual([{ line: 2, code: 'unknown_type', name: 'www.example.com' }])
  })

  test.each([
    ['the first', 'cf_tags=cf-proxied:true, team:web', true, ['team:web']],
    ['another', 'cf_tags=team:web,cf-proxied:true', true, ['team:web']],
    ['the only one', 'cf_tags=cf-proxied:true,', true, null],
    ['none', 'cf_tags=my-cf-x:1', null, ['my-cf-x:1']],
  ])('the proxy tag is %s of the tags', (_which, comment, proxied, tags) => {
    expect(parseZoneFile(`www A 192.0.2.1 ; ${comment}`, zone).records).toMatchObject([{ proxied, tags, comment: null }])
  })

  test.each([
    [String.raw`@ TXT "\256"`, 'invalid_content'],
    [String.raw`@ TXT "\260"`, 'invalid_content'],
    [String.raw`@ TXT "\300"`, 'invalid_content'],
    [String.raw`@ CAA 0 issue "\999"`, 'invalid_content'],
    ['@ MX 10', 'invalid_content'],
    ['@ MX 10x mail', 'invalid_content'],
    ['@ MX x10 mail', 'invalid_content'],
    ['www x1h A 192.0.2.1', 'unknown_type'],
    ['www x1 A 192.0.2.1', 'unknown_type'],
    [`www A 192.0.2.1 ; ${'x'.repeat(20_000)}`, 'too_long'],
  ])('%s is rejected with %s', (text, code) => {
    expect(faults(text)).toMatchObject([{ line: 1, code }])
    expect(contents(text)).toEqual([])
  })

  test('without an origin only absolute names are valid, hosts included', () => {
    expect(faults('$ORIGIN\nwww.example.com. CNAME host')).toMatchObject([
      { line: 1, code: 'bad_origin' },
      { line: 2, code: 'bad_origin', type: 'CNAME', name: 'www.example.com' },
    ])
  })

  test('an incomplete line still protects its name and type, so that such a record is not deleted', () => {
    expect(faults('mx TXT "open')).toEqual([{ line: 1, code: 'unclosed_quote', type: 'TXT', name: 'mx.example.com' }])
    expect(faults('www A 192.0.2.1\n  TXT x "open')).toEqual([{ line: 2, code: 'unclosed_quote', type: 'TXT', name: 'www.example.com' }])
    expect(faults('$TTL 1h "open\n  A 192.0.2.1')).toMatchObject([
      { line: 1, code: 'unclosed_quote' },
      { line: 2, code: 'no_owner' },
    ])
    expect(plan('www A 192.0.2.1\n  TXT "a" "open', [there('TXT', 'www', '"a"')], { mode: 'replace' }).deleted).toEqual([])
    expect(contents('www TXT "open\n  A 192.0.2.1')).toEqual(['A www.example.com 192.0.2.1'])
  })

  test.each([
    ['a name only', 'ftp (', 'A ftp.example.com 192.0.2.2'],
    ['no word', '"open', 'A www.example.com 192.0.2.2'],
  ])('the name of an incomplete line with %s applies to the following lines', (_what, line, following) => {
    expect(contents(`www A 192.0.2.1\n${line}\n  A 192.0.2.2`)).toEqual(['A www.example.com 192.0.2.1', following])
  })
})
