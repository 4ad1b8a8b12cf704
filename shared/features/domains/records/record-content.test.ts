import { describe, expect, test } from 'vitest'
import { canonicalContent, parseContent, showData } from './record-content.ts'
import { parseName } from './record-names.ts'
import type { RecordFault } from './record-names.ts'
import { recordExamples } from './record-types.ts'
import type { RecordType } from './schema.ts'

const zone = 'example.com'
const hex = (digits: number) => 'ab'.repeat(digits / 2)
const contentOf = (type: RecordType, content: string) => {
  const read = parseContent(type, content, zone)
  return 'value' in read ? read.value.content : read.fault
}
const labels = (last: number) => [63, 63, 63, last].map((length) => 'a'.repeat(length)).join('.')

test.each<[RecordType, string, string]>([
  ['CNAME', 'example.a1', 'example.a1'],
  ['CNAME', 'example.1a', 'example.1a'],
  ['CNAME', labels(61), labels(61)],
  ['TXT', String.raw`"a \" b"`, String.raw`"a \" b"`],
  ['TXT', `"x" "${'a'.repeat(255)}"`, `"x" "${'a'.repeat(255)}"`],
  ['TXT', `"x" "${'a'.repeat(256)}"`, `"x${'a'.repeat(254)}" "aa"`],
  ['CAA', '0 contactemail a"b"', String.raw`0 contactemail "a\"b\""`],
  ['CAA', '0 contactemail "a"b', String.raw`0 contactemail "\"a\"b"`],
  ['CAA', String.raw`0 contactemail "a\"b"`, String.raw`0 contactemail "a\"b"`],
  ['CAA', '0 iodef http://a.example/report', '0 iodef "http://a.example/report"'],
  ['CAA', '0 iodef https://a.example', '0 iodef "https://a.example"'],
  ['CAA', '0 issue "a.example ; policy=ev"', '0 issue "a.example ; policy=ev"'],
  ['CAA', '0 issue ";"', '0 issue ";"'],
  ['SVCB', '1 dns.example.net', '1 dns.example.net'],
  ['HTTPS', '1 . ohttp', '1 . ohttp'],
  ['HTTPS', '1 . alpn=h2 no-default-alpn=', '1 . alpn=h2 no-default-alpn=""'],
  ['HTTPS', '1 . key1', '1 . key1'],
  ['HTTPS', '1 . key65535= key2=x', '1 . key65535="" key2=x'],
  ['HTTPS', '1 . port=65535', '1 . port=65535'],
  ['HTTPS', '1 . ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1', '1 . ipv4hint="192.0.2.1,192.0.2.2" ipv6hint="2001:db8::1"'],
  ['HTTPS', '1 . mandatory=alpn,port alpn=h2 port=1', '1 . mandatory="alpn,port" alpn=h2 port=1'],
  ['LOC', '51  30 N 0 7 W 0', '51 30 0 N 0 7 0 W 0m 1m 10000m 10m'],
  ['LOC', '90 N 180 W 42849672.95m', '90 0 0 N 180 0 0 W 42849672.95m 1m 10000m 10m'],
  ['LOC', '0 59 59.999 S 0 59 59.999 E -100000m 0m 90000000m 1.25m', '0 59 59.999 S 0 59 59.999 E -100000m 0m 90000000m 1.25m'],
])('R-DNS-03 %s accepts %s as %s', (type, content, sent) => {
  expect(contentOf(type, content)).toBe(sent)
  const read = parseContent(type, sent, zone)
  if ('value' in read && read.value.data !== null) expect(showData(type, read.value.data)).toBe(sent)
})

const field = (name: string, min: number, max: number): RecordFault => ({ code: 'record_number', params: { field: name, min, max } })
const key = (code: string, name: string): RecordFault => ({ code, params: { key: name } })
const parts = (type: RecordType): RecordFault => ({ code: 'record_parts', params: { parts: recordExamples[type].parts } })

test.each<[RecordType, string, RecordFault]>([
  ['AAAA', '::1]/[::1', { code: 'record_ipv6' }],
  ['CNAME', labels(62), { code: 'record_host' }],
  ['CAA', 'x1 issue a.example', field('flags', 0, 255)],
  ['CAA', '1x issue a.example', field('flags', 0, 255)],
  ['CAA', '0 iodef "x mailto:a@b.example"', { code: 'record_caa_iodef' }],
  ['CAA', '0 iodef "https://a.example/a b"', { code: 'record_caa_iodef' }],
  ['DNSKEY', '257 4 13 mdsswUyr3DPW', field('protocol', 3, 3)],
  ['DS', '1 13 5 gab0', { code: 'record_hex', params: { field: 'digest' } }],
  ['DS', '1 13 5 ab0g', { code: 'record_hex', params: { field: 'digest' } }],
  ['DS', `1 13 2 ${hex(62)}`, { code: 'record_digest', params: { field: 'digest', digits: 64 } }],
  ['CERT', '1 1 8 !', { code: 'record_base64', params: { field: 'certificate' } }],
  ['OPENPGPKEY', '!', { code: 'record_base64', params: { field: 'key' } }],
  ['SRV', '5 5060', parts('SRV')],
  ['HTTPS', '1', parts('HTTPS')],
  ['HTTPS', '1 . xkey1=a', key('record_service_key', 'xkey1')],
  ['HTTPS', '1 . key1x=a', key('record_service_key', 'key1x')],
  ['HTTPS', '1 . ohttp=1', key('record_service_value', 'ohttp')],
  ['HTTPS', '1 . no-default-alpn=1', key('record_service_value', 'no-default-alpn')],
  ['HTTPS', '1 . alpn', key('record_service_value', 'alpn')],
  ['HTTPS', '1 . alpn=', key('record_service_value', 'alpn')],
  ['HTTPS', '1 . port=65536', key('record_service_value', 'port')],
  ['HTTPS', '1 . port=1x', key('record_service_value', 'port')],
  ['HTTPS', '1 . port=x1', key('record_service_value', 'port')],
  ['HTTPS', '1 . port=+443', key('record_service_value', 'port')],
  ['HTTPS', '1 . port=1e3', key('record_service_value', 'port')],
  ['HTTPS', '1 . ech=', key('record_service_value', 'ech')],
  ['HTTPS', '1 . dohpath=', key('record_service_value', 'dohpath')],
  ['CAA', '+1 issue a.example', field('flags', 0, 255)],
  ['CAA', '1e1 issue a.example', field('flags', 0, 255)],
  ['TXT', '"" ""', { code: 'required' }],
  ['HTTPS', '1 . ipv4hint=192.0.2.1,x', key('record_service_value', 'ipv4hint')],
  ['HTTPS', '1 . ipv6hint=2001:db8::1,x', key('record_service_value', 'ipv6hint')],
  ['HTTPS', '1 . mandatory=alpn,x alpn=h2', key('record_service_value', 'mandatory')],
  ['HTTPS', '1 . mandatory=port alpn=h2', key('record_service_mandatory', 'port')],
  ['HTTPS', '1 . mandatory=mandatory', key('record_service_mandatory', 'mandatory')],
  ['SVCB', '0 a.example.net alpn=h2', { code: 'record_service_alias' }],
  ['LOC', '1 2 3 4 N 0 W 0m', parts('LOC')],
  ['LOC', '91 N 0 W 0m', field('lat_degrees', 0, 90)],
  ['LOC', '0 N 181 W 0m', field('long_degrees', 0, 180)],
  ['LOC', 'x1 N 0 W 0m', field('lat_degrees', 0, 90)],
  ['LOC', '1x N 0 W 0m', field('lat_degrees', 0, 90)],
  ['LOC', '1 x1 N 0 W 0m', field('lat_minutes', 0, 59)],
  ['LOC', '1 1x N 0 W 0m', field('lat_minutes', 0, 59)],
  ['LOC', '1 1 x1 N 0 W 0m', field('lat_seconds', 0, 59.999)],
  ['LOC', '1 1 1x N 0 W 0m', field('lat_seconds', 0, 59.999)],
  ['LOC', '+1 N 0 W 0m', field('lat_degrees', 0, 90)],
  ['LOC', '1e1 N 0 W 0m', field('lat_degrees', 0, 90)],
  ['LOC', '1 +1 N 0 W 0m', field('lat_minutes', 0, 59)],
  ['LOC', '1 1e1 N 0 W 0m', field('lat_minutes', 0, 59)],
  ['LOC', '1 1 +1 N 0 W 0m', field('lat_seconds', 0, 59.999)],
  ['LOC', '1 1 1e1 N 0 W 0m', field('lat_seconds', 0, 59.999)],
  ['LOC', '1 N 0 W +1m', field('altitude', -100_000, 42_849_672.95)],
  ['LOC', '1 N 0 W x1m', field('altitude', -100_000, 42_849_672.95)],
  ['LOC', '1 N 0 W 1mx', field('altitude', -100_000, 42_849_672.95)],
  ['LOC', '1 N 0 W -100001m', field('altitude', -100_000, 42_849_672.95)],
  ['LOC', '1 N 0 W 42849673m', field('altitude', -100_000, 42_849_672.95)],
  ['LOC', '1 N 0 W 0m -1m', field('size', 0, 90_000_000)],
  ['LOC', '1 N 0 W 0m 90000001m', field('size', 0, 90_000_000)],
  ['TXT', 'a'.repeat(5_000), { code: 'record_text_long', params: { max: 2_048, length: 5_000 } }],
  ['TXT', 'a'.repeat(2_026), { code: 'record_text_long', params: { max: 2_048, length: 2_049 } }],
])('R-DNS-03 %s rejects %s with a reason', (type, content, fault) => {
  expect(parseContent(type, content, zone)).toEqual({ fault })
})

test('R-DNS-03 a TXT value can be as long as the provider allows', () => {
  expect(parseContent('TXT', 'a'.repeat(2_025), zone)).toHaveProperty('value')
})

describe('R-DNS-01 names', () => {
  test('have the length limit of DNS', () => {
    expect(parseName(labels(49), zone)).toEqual({ value: `${labels(49)}.example.com` })
    expect(parseName(labels(50), zone)).toEqual({ fault: { code: 'too_long', params: { max: 253 } } })
  })

  test('that are empty or of another domain are rejected', () => {
    expect(parseName('.', zone)).toEqual({ fault: { code: 'record_name' } })
    expect(parseName('www.example.net.', zone)).toEqual({ fault: { code: 'record_name_outside', params: { zone } } })
  })
})

test('missing or mistyped data fields are omitted from the text', () => {
  expect(showData('SRV', { weight: 5, port: true, target: 'a.example' })).toBe('5 a.example')
  expect(showData('A', { content: '192.0.2.1' })).toBe('')
})

test('unreadable content is compared verbatim', () => {
  expect(canonicalContent('SPF', ' a ', zone)).toBe('a')
  expect(canonicalContent('A', ' x ', zone)).toBe('x')
  expect(canonicalContent('A', ' 192.0.2.1 ', zone)).toBe('192.0.2.1')
})

test('an overlong host or name is rejected before the conversion, which would take half a second each', () => {
  const slow = Array.from({ length: 9_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join('')
  const began = process.threadCpuUsage()
  for (let times = 0; times < 3; times += 1) {
    expect(parseContent('CNAME', `${slow}.example.com`, zone)).toEqual({ fault: { code: 'record_host' } })
    expect(parseName(slow, zone)).toEqual({ fault: { code: 'record_name' } })
  }
  expect(process.threadCpuUsage(began).user / 1_000).toBeLessThan(500)
})
