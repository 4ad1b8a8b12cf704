import { describe, expect, test } from 'vitest'
import { canonicalContent, checkRecord, parseName, recordExamples, showData } from './rules.ts'
import { recordType } from './schema.ts'
import type { RecordInput, RecordType } from './schema.ts'

const zone = 'example.com'
const names: Partial<Record<RecordType, string>> = { SRV: '_sip._tcp', TLSA: '_443._tcp' }
const check = (type: RecordType, content: string, more: Partial<RecordInput> = {}) =>
  checkRecord({ type, name: names[type] ?? 'www', content, priority: 10, ...more }, zone)

const hex = (digits: number) => 'ab'.repeat(digits / 2)
const long = 'a'.repeat(300)

/** Type, input, and the canonical form if it differs. */
const good: readonly (readonly [RecordType, string, string?])[] = [
  ['A', '192.0.2.1'],
  ['A', ' 192.0.2.1 ', '192.0.2.1'],
  ['A', '0.0.0.0'],
  ['A', '255.255.255.255'],
  ['AAAA', '2001:db8::1'],
  ['AAAA', '2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['AAAA', '::'],
  ['AAAA', '::1'],
  ['AAAA', '::ffff:192.0.2.1', '::ffff:c000:201'],
  ['AAAA', '1:2:3:4:5:6:7:8'],
  ['CNAME', 'example.net'],
  ['CNAME', 'Target.Example.NET.', 'target.example.net'],
  ['CNAME', '_dmarc.example.net'],
  ['CNAME', '@', 'example.com'],
  ['CNAME', 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['CNAME', 'a-b.c--d.example.net'],
  ['CNAME', '1.2.example.net'],
  ['CNAME', 'xn--e1afmkfd.xn--p1ai'],
  ['MX', 'mail.example.net'],
  ['MX', 'mail.example.net.', 'mail.example.net'],
  ['MX', '.'],
  ['MX', '@', 'example.com'],
  ['NS', 'ns1.example.net'],
  ['NS', 'NS1.example.net.', 'ns1.example.net'],
  ['PTR', 'host.example.net'],
  ['TXT', '"v=spf1 -all"'],
  ['TXT', 'v=spf1 include:_spf.example.com ~all', '"v=spf1 include:_spf.example.com ~all"'],
  ['TXT', '"one" "two"'],
  ['TXT', '"one"   "two"', '"one" "two"'],
  ['TXT', String.raw`"a \"quoted\" word"`],
  ['TXT', 'a "quoted" word', String.raw`"a \"quoted\" word"`],
  ['TXT', String.raw`back\slash`, String.raw`"back\\slash"`],
  ['TXT', String.raw`"\226\152\131"`],
  ['TXT', 'v=DKIM1; k=rsa; p=MIGf', '"v=DKIM1; k=rsa; p=MIGf"'],
  ['TXT', long, `"${'a'.repeat(255)}" "${'a'.repeat(45)}"`],
  ['TXT', `"${long}"`, `"${'a'.repeat(255)}" "${'a'.repeat(45)}"`],
  ['TXT', 'привет', '"привет"'],
  ['TXT', 'я'.repeat(200), `"${'я'.repeat(127)}" "${'я'.repeat(73)}"`],
  ['TXT', 'a\tb', '"a\tb"'],
  ['SRV', '5 5060 sip.example.net'],
  ['SRV', '0 0 .'],
  ['SRV', '65535 65535 sip.example.net.', '65535 65535 sip.example.net'],
  ['SRV', '5  5060\tsip.example.net', '5 5060 sip.example.net'],
  ['CAA', '0 issue "letsencrypt.org"'],
  ['CAA', '0 issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ['CAA', '128 ISSUEWILD ";"', '128 issuewild ";"'],
  ['CAA', '0 issue "ca.example.net; account=230123"'],
  ['CAA', '0 iodef "mailto:security@example.com"'],
  ['CAA', '0 iodef "https://example.com/report"'],
  ['CAA', '0 issuemail ";"'],
  ['CAA', '0 contactemail "ops@example.com"'],
  ['HTTPS', '1 . alpn="h3,h2"'],
  ['HTTPS', '1 . alpn=h3,h2', '1 . alpn="h3,h2"'],
  ['HTTPS', '1 .'],
  ['HTTPS', '0 www.example.net'],
  ['HTTPS', '1 . alpn="h2" no-default-alpn', '1 . alpn=h2 no-default-alpn'],
  ['HTTPS', '16 svc.example.net. port=8443 ipv4hint="192.0.2.1,192.0.2.2"', '16 svc.example.net port=8443 ipv4hint="192.0.2.1,192.0.2.2"'],
  ['HTTPS', '1 . ipv6hint="2001:db8::1" key65333="ex"', '1 . ipv6hint="2001:db8::1" key65333=ex'],
  ['HTTPS', '1 . ech="AEX+DQ=="'],
  ['HTTPS', '1 . mandatory="alpn,port" alpn="h2" port="443"', '1 . mandatory="alpn,port" alpn=h2 port=443'],
  ['SVCB', '1 dns.example.net alpn="dot" port=853', '1 dns.example.net alpn=dot port=853'],
  ['SVCB', '1 dns.example.net alpn="h2" dohpath="/dns-query{?dns}"', '1 dns.example.net alpn=h2 dohpath="/dns-query{?dns}"'],
  ['TLSA', `3 1 1 ${hex(64)}`],
  ['TLSA', `3 1 1 ${hex(64).toUpperCase()}`, `3 1 1 ${hex(64)}`],
  ['TLSA', `2 0 2 ${hex(64)} ${hex(64)}`, `2 0 2 ${hex(128)}`],
  ['TLSA', `0 0 0 ${hex(500)}`],
  ['SMIMEA', `3 0 1 ${hex(64)}`],
  ['DS', `2371 13 2 ${hex(64)}`],
  ['DS', `0 5 1 ${hex(40)}`],
  ['DS', `65535 8 4 ${hex(96)}`],
  ['DNSKEY', '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d'],
  ['DNSKEY', '256 3 8 AwEA Aag=', '256 3 8 AwEAAag='],
  ['CERT', '1 12345 8 MIICajCC'],
  ['SSHFP', `4 2 ${hex(64)}`],
  ['SSHFP', `1 1 ${hex(40)}`],
  ['OPENPGPKEY', 'mQINBFbT0mQBEADq'],
  ['OPENPGPKEY', 'mQIN BFbT', 'mQINBFbT'],
  ['NAPTR', '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .'],
  ['NAPTR', '100 10 "s" "SIP+D2U" "" _sip._udp.example.net.', '100 10 "s" "SIP+D2U" "" _sip._udp.example.net'],
  ['URI', '1 "https://www.example.com/"'],
  ['URI', '1 ftp://ftp.example.com/public', '1 "ftp://ftp.example.com/public"'],
  ['LOC', '51 30 12.748 N 0 7 39.612 W 0m 1m 10000m 10m'],
  ['LOC', '42 N 71 W -24m', '42 0 0 N 71 0 0 W -24m 1m 10000m 10m'],
  ['LOC', '42 21 54 s 71 06 18 e 24m 30m', '42 21 54 S 71 6 18 E 24m 30m 10000m 10m'],
]

/** Type, input, and the code of the problem. */
const bad: readonly (readonly [RecordType, string, string])[] = [
  ['A', '', 'required'],
  ['A', '   ', 'required'],
  ['A', '256.1.1.1', 'record_ipv4'],
  ['A', '1.2.3', 'record_ipv4'],
  ['A', '1.2.3.4.5', 'record_ipv4'],
  ['A', '01.2.3.4', 'record_ipv4'],
  ['A', '192.0.2.1/24', 'record_ipv4'],
  ['A', '192.0.2.1:80', 'record_ipv4'],
  ['A', 'example.com', 'record_ipv4'],
  ['A', '2001:db8::1', 'record_ipv4'],
  ['A', '3232235521', 'record_ipv4'],
  ['A', '0x7f.1', 'record_ipv4'],
  ['A', '١.٢.٣.٤', 'record_ipv4'],
  ['A', '192.0.2.1\u0000', 'invalid_characters'],
  ['A', '192.0.2.1\n192.0.2.2', 'invalid_characters'],
  ['AAAA', '192.0.2.1', 'record_ipv6'],
  ['AAAA', '2001:db8::g', 'record_ipv6'],
  ['AAAA', '2001:db8', 'record_ipv6'],
  ['AAAA', '1::2::3', 'record_ipv6'],
  ['AAAA', '[2001:db8::1]', 'record_ipv6'],
  ['AAAA', 'fe80::1%eth0', 'record_ipv6'],
  ['AAAA', '2001:db8::1/64', 'record_ipv6'],
  ['AAAA', '1:2:3:4:5:6:7:8:9', 'record_ipv6'],
  ['AAAA', '12345::', 'record_ipv6'],
  ['CNAME', '192.0.2.1', 'record_host_address'],
  ['CNAME', '2001:db8::1', 'record_host_address'],
  ['CNAME', 'https://example.net', 'record_host'],
  ['CNAME', 'example.net/path', 'record_host'],
  ['CNAME', 'two words.example', 'record_host'],
  ['CNAME', 'localhost', 'record_host'],
  ['CNAME', '-a.example.net', 'record_host'],
  ['CNAME', 'a-.example.net', 'record_host'],
  ['CNAME', 'a..example.net', 'record_host'],
  ['CNAME', '.', 'record_host'],
  ['CNAME', '*.example.net', 'record_host'],
  ['CNAME', `${'a'.repeat(64)}.net`, 'record_host'],
  ['CNAME', `${'a.'.repeat(130)}net`, 'record_host'],
  ['CNAME', 'example.123', 'record_host'],
  ['CNAME', 'www.example.com', 'record_cname_self'],
  ['CNAME', 'WWW.example.com.', 'record_cname_self'],
  ['CNAME', 'тест /x.example', 'record_host'],
  ['MX', '192.0.2.1', 'record_host_address'],
  ['MX', 'mail', 'record_host'],
  ['MX', '10 20 mail.example.net', 'record_host'],
  ['NS', '192.0.2.53', 'record_host_address'],
  ['NS', 'ns', 'record_host'],
  ['NS', '.', 'record_host'],
  ['PTR', '192.0.2.1', 'record_host_address'],
  ['PTR', 'a b.example', 'record_host'],
  ['TXT', '""', 'required'],
  ['TXT', '"open', 'record_quotes'],
  ['TXT', '"one" two', 'record_quotes'],
  ['TXT', '"one""two"', 'record_quotes'],
  ['TXT', String.raw`"one\"`, 'record_quotes'],
  ['TXT', 'a\nb', 'invalid_characters'],
  ['TXT', '\u0007', 'invalid_characters'],
  ['TXT', 'a'.repeat(2_049), 'record_text_long'],
  ['TXT', 'я'.repeat(1_100), 'record_text_long'],
  ['SRV', 'sip.example.net', 'record_parts'],
  ['SRV', '5060 sip.example.net', 'record_parts'],
  ['SRV', '1 10 5 5060 sip.example.net', 'record_parts'],
  ['SRV', '5 65536 sip.example.net', 'record_number'],
  ['SRV', '-1 5060 sip.example.net', 'record_number'],
  ['SRV', 'x 5060 sip.example.net', 'record_number'],
  ['SRV', '5 5060 192.0.2.1', 'record_host_address'],
  ['SRV', '5 5060 sip', 'record_host'],
  ['CNAME', 'http://example.com', 'record_host'],
  ['MX', 'https://mail.example.com/', 'record_host'],
  ['CNAME', 'example.com:8080', 'record_host'],
  ['CNAME', '2001:db8::1', 'record_host_address'],
  ['CAA', '0 issuer "letsencrypt.org"', 'record_caa_tag'],
  ['CAA', '0 auth "letsencrypt.org"', 'record_caa_tag'],
  ['HTTPS', '1 . mandatory=alpn port=443', 'record_service_mandatory'],
  ['HTTPS', '1 . mandatory=mandatory', 'record_service_mandatory'],
  ['CAA', 'issue "letsencrypt.org"', 'record_parts'],
  ['CAA', '256 issue "letsencrypt.org"', 'record_number'],
  ['CAA', '0 is-sue "letsencrypt.org"', 'record_caa_tag'],
  ['CAA', '0 issue "letsencrypt.org', 'record_quotes'],
  ['CAA', '0 issue "not a host"', 'record_caa_issuer'],
  ['CAA', '0 issuewild "https://ca.example"', 'record_caa_issuer'],
  ['CAA', '0 iodef "security@example.com"', 'record_caa_iodef'],
  ['CAA', '0 issue a.example b.example', 'record_parts'],
  ['HTTPS', '1', 'record_parts'],
  ['HTTPS', '65536 .', 'record_number'],
  ['HTTPS', 'one .', 'record_number'],
  ['HTTPS', '1 192.0.2.1', 'record_host_address'],
  ['HTTPS', '1 . colour="red"', 'record_service_key'],
  ['HTTPS', '1 . alpn="h2" alpn="h3"', 'record_service_twice'],
  ['HTTPS', '1 . alpn=', 'record_service_value'],
  ['HTTPS', '1 . alpn="h2,,h3"', 'record_service_value'],
  ['HTTPS', '1 . port=65536', 'record_service_value'],
  ['HTTPS', '1 . ipv4hint=2001:db8::1', 'record_service_value'],
  ['HTTPS', '1 . ipv6hint=192.0.2.1', 'record_service_value'],
  ['HTTPS', '1 . no-default-alpn=yes', 'record_service_value'],
  ['HTTPS', '1 . ech="***"', 'record_service_value'],
  ['HTTPS', '0 www.example.net alpn="h2"', 'record_service_alias'],
  ['SVCB', 'dns.example.net', 'record_parts'],
  ['SVCB', '1 dns.example.net mandatory="what"', 'record_service_value'],
  ['SVCB', '1 dns.example.net alpn="h2', 'record_quotes'],
  ['TLSA', `4 1 1 ${hex(64)}`, 'record_number'],
  ['TLSA', `3 2 1 ${hex(64)}`, 'record_number'],
  ['TLSA', `3 1 3 ${hex(64)}`, 'record_number'],
  ['TLSA', `3 1 1 ${hex(62)}`, 'record_digest'],
  ['TLSA', `3 1 2 ${hex(64)}`, 'record_digest'],
  ['TLSA', '3 1 1 xyz', 'record_hex'],
  ['TLSA', '3 1 1 abc', 'record_hex'],
  ['TLSA', '3 1 1', 'record_parts'],
  ['SMIMEA', `3 1 1 ${hex(40)}`, 'record_digest'],
  ['SMIMEA', '3 1', 'record_parts'],
  ['DS', `2371 13 2 ${hex(40)}`, 'record_digest'],
  ['DS', `65536 13 2 ${hex(64)}`, 'record_number'],
  ['DS', `2371 256 2 ${hex(64)}`, 'record_number'],
  ['DS', '2371 13 2 not-hex', 'record_hex'],
  ['DNSKEY', '257 2 13 AwEAAag=', 'record_number'],
  ['DNSKEY', '257 3 13 not*base64', 'record_base64'],
  ['DNSKEY', '257 3 13', 'record_parts'],
  ['CERT', '1 12345 8', 'record_parts'],
  ['CERT', 'PKIX 12345 8 MIIC', 'record_number'],
  ['CERT', '1 12345 8 a', 'record_base64'],
  ['SSHFP', `4 2 ${hex(40)}`, 'record_digest'],
  ['SSHFP', '4 2 zz', 'record_hex'],
  ['SSHFP', `x 2 ${hex(64)}`, 'record_number'],
  ['OPENPGPKEY', '!!!!', 'record_base64'],
  ['OPENPGPKEY', 'mQINB', 'record_base64'],
  ['NAPTR', '100 10 "u" "E2U+sip" .', 'record_parts'],
  ['NAPTR', '100 65536 "u" "E2U+sip" "" .', 'record_number'],
  ['NAPTR', '100 10 "u" "E2U+sip" "" nowhere', 'record_host'],
  ['NAPTR', `100 10 "u" "${long}" "" .`, 'too_long'],
  ['URI', '1', 'record_parts'],
  ['URI', '1 "not a uri"', 'invalid_url'],
  ['URI', '70000 "https://example.com/"', 'record_number'],
  ['LOC', '91 N 0 W 0m', 'record_number'],
  ['LOC', '42 60 N 71 W 0m', 'record_number'],
  ['LOC', '42 21 60 N 71 W 0m', 'record_number'],
  ['LOC', '42 N 181 W 0m', 'record_number'],
  ['LOC', '42 71 0m', 'record_parts'],
  ['LOC', '42 N 71 W high', 'record_number'],
  ['LOC', '42 N 71 W 0m 1m 1m 1m 1m', 'record_parts'],
]

describe('R-DNS-03 content by type', () => {
  test.each(good.map(([type, content, sent = content]) => ({ type, content, sent })))(
    '$type accepts $content',
    ({ type, content, sent }) => {
      const { record, problems } = check(type, content)
      expect(problems).toEqual([])
      expect(record?.content).toBe(sent)
      // The canonical form is parsed as itself, and so is its data.
      expect(canonicalContent(type, sent, zone)).toBe(sent)
      if (record !== null && record.data !== null) expect(showData(type, record.data)).toBe(sent)
    },
  )

  test.each(bad)('%s rejects %j with %s', (type, content, code) => {
    expect(check(type, content)).toMatchObject({ record: null, problems: [{ field: 'content', code }] })
  })

  test('the table is long, and every type has valid and invalid cases', () => {
    expect(good.length + bad.length).toBeGreaterThan(150)
    for (const cases of [good, bad]) expect(new Set(cases.map(([type]) => type))).toEqual(new Set(recordType.options))
  })

  test.each(recordType.options)('the example of %s is valid', (type) => {
    expect(checkRecord({ type, priority: 1, ...recordExamples[type] }, zone).problems).toEqual([])
  })

  test('structured types carry the data that the provider expects', () => {
    expect(check('SRV', '5 5060 sip.example.net').record?.data).toEqual({ priority: 10, weight: 5, port: 5060, target: 'sip.example.net' })
    expect(check('CAA', '0 issue letsencrypt.org').record?.data).toEqual({ flags: 0, tag: 'issue', value: 'letsencrypt.org' })
    expect(check('HTTPS', '1 .').record?.data).toEqual({ priority: 1, target: '.', value: '' })
    expect(check('A', '192.0.2.1').record?.data).toBeNull()
  })

  test('data is used when there is no content', () => {
    const data = { priority: 3, weight: 5, port: 5060, target: 'sip.example.net' }
    const { record } = checkRecord({ type: 'SRV', name: '_sip._tcp', content: '', data }, zone)
    expect(record).toMatchObject({ content: '5 5060 sip.example.net', priority: 3, data })
    const { problems } = checkRecord({ type: 'SRV', name: '_sip._tcp', content: '', priority: 1, data: { weight: 5 } }, zone)
    expect(problems).toMatchObject([{ field: 'content', code: 'record_parts' }])
    const both = checkRecord({ type: 'SRV', name: '_sip._tcp', content: '7 5060 sip.example.net', priority: 1, data }, zone)
    expect(both.record).toMatchObject({ content: '7 5060 sip.example.net', priority: 1, data: { weight: 7 } })
    expect(checkRecord({ type: 'SRV', name: '_sip._tcp', content: '', priority: 1 }, zone).problems).toEqual([
      { field: 'content', code: 'required' },
    ])
  })
})

describe('R-DNS-03 priority', () => {
  test.each(['MX', 'SRV', 'URI'] as const)('%s requires one', (type) => {
    const given = { type, name: recordExamples[type].name, content: recordExamples[type].content }
    expect(checkRecord(given, zone).problems).toEqual([{ field: 'priority', code: 'required' }])
    expect(checkRecord({ ...given, priority: 65_536 }, zone).problems).toMatchObject([{ field: 'priority', code: 'record_number' }])
    expect(checkRecord({ ...given, priority: 0 }, zone).record?.priority).toBe(0)
  })
  test.each([
    ['MX', '10 mail.example.net', 'mail.example.net'],
    ['SRV', '10 5 5060 sip.example.net', '5 5060 sip.example.net'],
    ['URI', '10 1 "https://example.com/"', '1 "https://example.com/"'],
  ] as const)('%s: a priority before the content counts too', (type, content, rest) => {
    expect(checkRecord({ type, name: '_a._tcp', content }, zone).record).toMatchObject({ priority: 10, content: rest })
  })
  test('a given priority is not searched for in the content, and one is taken only from well-formed content', () => {
    const content = (given: string, priority?: number) =>
      checkRecord({ type: 'MX', name: '@', content: given, ...(priority === undefined ? {} : { priority }) }, zone).problems.map(
        ({ field }) => field,
      )
    expect(content('10 mail.example.net', 5)).toEqual(['content'])
    for (const other of ['10 20 mail.example.net', 'x10 mail.example.net', '100000 mail.example.net', '10'])
      expect(content(other)).toEqual(['content', 'priority'])
  })
  test('whitespace around a leading priority is ignored', () => {
    const priorities = (given: string) => checkRecord({ type: 'MX', name: '@', content: given }, zone).record
    expect(priorities('  10   mail.example.net  ')).toMatchObject({ priority: 10, content: 'mail.example.net' })
    expect(priorities('10\nmail.example.net')).toMatchObject({ priority: 10, content: 'mail.example.net' })
    const { record } = checkRecord({ type: 'SRV', name: '_a._tcp', content: '10 5  5060\tsip.example.net' }, zone)
    expect(record).toMatchObject({ priority: 10, content: '5 5060 sip.example.net' })
  })
  test('a priority in data counts if it is a number and none is given separately', () => {
    const of = (priority: unknown, given?: number) =>
      checkRecord(
        {
          type: 'SRV',
          name: '_sip._tcp',
          content: ' ',
          data: { priority, weight: 5, port: 5_060, target: 'sip.example.net' },
          ...(given === undefined ? {} : { priority: given }),
        },
        zone,
      )
    expect(of(3).record?.priority).toBe(3)
    expect(of(3, 7).record?.priority).toBe(7)
    expect(of('3').problems).toEqual([{ field: 'priority', code: 'required' }])
  })
  test('its range is 16 bits, and the error states it', () => {
    const of = (priority: number) => checkRecord({ type: 'MX', name: '@', content: 'mail.example.net', priority }, zone).problems
    const refused = [{ field: 'priority', code: 'record_number', params: { field: 'priority', min: 0, max: 65_535 } }]
    expect([of(0), of(65_535)]).toEqual([[], []])
    for (const wrong of [-1, 65_536, 1.5]) expect(of(wrong)).toEqual(refused)
  })
  test('other types have none', () => {
    expect(check('A', '192.0.2.1', { priority: 5 }).record?.priority).toBeNull()
    expect(check('A', '10 192.0.2.1').problems).toMatchObject([{ field: 'content' }])
  })
})

describe('R-DNS-01 names', () => {
  test.each([
    ['@', 'example.com'],
    ['www', 'www.example.com'],
    ['WWW', 'www.example.com'],
    ['a.b', 'a.b.example.com'],
    ['www.example.com', 'www.example.com'],
    ['www.example.com.', 'www.example.com'],
    ['example.com', 'example.com'],
    ['*', '*.example.com'],
    ['*.shop', '*.shop.example.com'],
    ['_dmarc', '_dmarc.example.com'],
    ['_443._tcp', '_443._tcp.example.com'],
    ['тест', 'xn--e1aybc.example.com'],
    ['Тест.example.com', 'xn--e1aybc.example.com'],
    ['a。b', 'a.b.example.com'],
    ['1.2.3.4', '1.2.3.4.example.com'],
    ['notexample.com', 'notexample.com.example.com'],
    ['a'.repeat(63), `${'a'.repeat(63)}.example.com`],
  ])('%j is %s', (given, name) => {
    expect(parseName(given, zone)).toEqual({ value: name })
  })
  test.each([
    ['', 'required'],
    ['  ', 'required'],
    ['www.other.com.', 'record_name_outside'],
    ['notexample.com.', 'record_name_outside'],
    ['a b', 'record_name'],
    ['a..b', 'record_name'],
    ['.a', 'record_name'],
    ['-a', 'record_name'],
    ['a-', 'record_name'],
    ['a/b', 'record_name'],
    ['http://a', 'record_name'],
    ['тест/х', 'record_name'],
    ['a@b', 'record_name'],
    ['🙂 x', 'record_name'],
    ['a'.repeat(64), 'record_name'],
    ['a*', 'record_wildcard'],
    ['a.*', 'record_wildcard'],
    ['**', 'record_wildcard'],
    ['a.'.repeat(125), 'record_name_outside'],
    ['a.'.repeat(124) + 'a', 'too_long'],
  ])('%j is rejected with %s', (given, code) => {
    expect(parseName(given, zone)).toMatchObject({ fault: { code } })
  })
  test('a zone can be given in Unicode or Punycode', () => {
    expect(parseName('www.пример.рф', 'xn--e1afmkfd.xn--p1ai')).toEqual({ value: 'www.xn--e1afmkfd.xn--p1ai' })
    expect(parseName('www', 'пример.рф')).toEqual({ value: 'www.xn--e1afmkfd.xn--p1ai' })
  })
  test('SRV requires a service and a protocol', () => {
    for (const name of ['sip', 'a._sip._tcp', '_sip', '_sip.tcp'])
      expect(check('SRV', '5 5060 sip.example.net', { name }).problems).toEqual([{ field: 'name', code: 'record_service_name' }])
  })
  test('only a CNAME must not point to itself', () => {
    expect(check('CNAME', 'www.example.com').problems).toEqual([{ field: 'content', code: 'record_cname_self' }])
    for (const type of ['MX', 'NS', 'PTR'] as const) expect(check(type, 'www.example.com').problems).toEqual([])
  })
})

describe('R-DNS-02 the proxy', () => {
  test('is available for A, AAAA and CNAME only', () => {
    const proxied = (type: RecordType) => checkRecord({ type, priority: 1, proxied: true, ...recordExamples[type] }, zone)
    for (const type of recordType.options) {
      const problems = ['A', 'AAAA', 'CNAME'].includes(type) ? [] : [{ field: 'proxied', code: 'record_not_proxiable' }]
      expect([type, proxied(type).problems]).toEqual([type, problems])
    }
  })
  test('makes the TTL automatic', () => {
    expect(check('A', '192.0.2.1', { proxied: true, ttl: 3_600 }).record?.ttl).toBe(1)
  })
})

describe('R-DNS-01 TTL, comment and tags', () => {
  test.each([1, 60, 61, 300, 86_400])('TTL %i is accepted', (ttl) => {
    expect(check('A', '192.0.2.1', { ttl }).record?.ttl).toBe(ttl)
  })
  test.each([0, -1, 2, 59, 86_401, 1.5, Number.NaN])('TTL %d is rejected', (ttl) => {
    expect(check('A', '192.0.2.1', { ttl }).problems).toMatchObject([{ field: 'ttl', code: 'record_ttl' }])
  })
  test('values at their limits are accepted, and the error states the limit', () => {
    const of = (more: Partial<RecordInput>) => check('A', '192.0.2.1', more).problems
    const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`)
    expect(of({ comment: 'x'.repeat(500), tags: tags(20) })).toEqual([])
    expect(of({ comment: 'x'.repeat(501) })).toEqual([{ field: 'comment', code: 'too_long', params: { max: 500 } }])
    expect(of({ tags: tags(21) })).toEqual([{ field: 'tags', code: 'record_tags', params: { max: 20 } }])
    for (const tag of ['!a', 'a!', 'a'.repeat(33), `a:${'b'.repeat(101)}`, ''])
      expect(of({ tags: [tag] })).toMatchObject([{ field: 'tags' }])
    for (const tag of ['a b-c_1', 'a'.repeat(32), `a:${'b'.repeat(100)}`]) expect(of({ tags: [tag] })).toEqual([])
    expect(check('A', '192.0.2.1', { comment: '  ' }).record?.comment).toBeNull()
    expect(of({ comment: 'two\nlines' })).toEqual([])
  })
  test('comments and tags have limits', () => {
    expect(check('A', '192.0.2.1', { comment: ' note ', tags: ['team:dns', 'old'] }).record).toMatchObject({ comment: 'note' })
    expect(check('A', '192.0.2.1', { comment: 'x'.repeat(501) }).problems).toMatchObject([{ field: 'comment', code: 'too_long' }])
    expect(check('A', '192.0.2.1', { comment: 'a\u0000' }).problems).toMatchObject([{ field: 'comment', code: 'invalid_characters' }])
    expect(check('A', '192.0.2.1', { tags: ['!'] }).problems).toMatchObject([{ field: 'tags', code: 'record_tags' }])
  })
  test('all problems are reported together', () => {
    const { problems } = checkRecord({ type: 'MX', name: 'a b', content: '1.2.3.4', ttl: 5, proxied: true }, zone)
    expect(problems.map(({ field }) => field)).toEqual(['name', 'content', 'proxied', 'ttl', 'priority'])
  })
})

describe('R-DNS-02 names required by a type', () => {
  const codes = (type: RecordType, name: string, content: string) =>
    checkRecord({ type, name, content }, zone).problems.map(({ field, code }) => [field, code])

  test('a DS record is only allowed below the apex', () => {
    expect(codes('DS', 'sub', `2371 13 2 ${hex(64)}`)).toEqual([])
    for (const name of ['@', zone]) expect(codes('DS', name, `2371 13 2 ${hex(64)}`)).toEqual([['name', 'record_ds_apex']])
  })

  test('the name of a TLSA record starts with a port and a protocol', () => {
    for (const name of ['_443._tcp', '_25._tcp.mail', '*._tcp']) expect(codes('TLSA', name, `3 1 1 ${hex(64)}`)).toEqual([])
    for (const name of ['@', 'www', '443._tcp', '_443', 'a._443._tcp']) {
      expect(codes('TLSA', name, `3 1 1 ${hex(64)}`)).toEqual([['name', 'record_port_name']])
    }
  })

  test('an overlong TXT value is reported with its length in the provider’s notation', () => {
    const [problem] = checkRecord({ type: 'TXT', name: '@', content: 'a'.repeat(2_048) }, zone).problems
    expect(problem).toEqual({ field: 'content', code: 'record_text_long', params: { max: 2_048, length: 2_074 } })
    expect(checkRecord({ type: 'TXT', name: '@', content: 'a'.repeat(2_022) }, zone).problems).toEqual([])
  })
})

describe('R-DNS-03 limits of fields', () => {
  const parts = (length: number) => 'x'.repeat(length)
  test.each([
    ['CAA', 'example.com', (text: string) => `0 contactemail "${text}"`],
    ['NAPTR', 'sip.example.com', (text: string) => `100 10 "S" "${text}" "" sip.example.net`],
  ] as const)('%s accepts strings of 255 bytes but not of 256', (type, name, content) => {
    expect(checkRecord({ type, name, content: content(parts(255)) }, 'example.com').problems).toEqual([])
    expect(checkRecord({ type, name, content: content(parts(256)) }, 'example.com').problems).toMatchObject([
      { field: 'content', code: 'too_long', params: { max: 255 } },
    ])
    // Counted in bytes: a two-byte letter exceeds the limit.
    expect(checkRecord({ type, name, content: content(`${parts(254)}é`) }, 'example.com').problems).toMatchObject([{ code: 'too_long' }])
  })

  test.each([
    ['DS', 'sub', [1, 40], (kind: number, digits: string) => `2371 13 ${kind} ${digits}`],
    ['DS', 'sub', [2, 64], (kind: number, digits: string) => `2371 13 ${kind} ${digits}`],
    ['DS', 'sub', [4, 96], (kind: number, digits: string) => `2371 13 ${kind} ${digits}`],
    ['SSHFP', 'host', [1, 40], (kind: number, digits: string) => `4 ${kind} ${digits}`],
    ['SSHFP', 'host', [2, 64], (kind: number, digits: string) => `4 ${kind} ${digits}`],
    ['TLSA', '_443._tcp', [1, 64], (kind: number, digits: string) => `3 1 ${kind} ${digits}`],
    ['TLSA', '_443._tcp', [2, 128], (kind: number, digits: string) => `3 1 ${kind} ${digits}`],
    ['SMIMEA', 'a._smimecert', [1, 64], (kind: number, digits: string) => `3 1 ${kind} ${digits}`],
    ['SMIMEA', 'a._smimecert', [2, 128], (kind: number, digits: string) => `3 1 ${kind} ${digits}`],
  ] as const)('%s at %s: a digest of kind and digits %j has exactly that many digits', (type, name, [kind, digits], content) => {
    const problemsOf = (length: number) =>
      checkRecord({ type, name, content: content(kind, 'a'.repeat(length)) }, 'example.com').problems.map(({ code }) => code)
    expect(problemsOf(digits)).toEqual([])
    for (const wrong of [digits - 2, digits + 2]) expect(problemsOf(wrong)).toEqual(['record_digest'])
  })
})
