import { expect, test } from 'vitest'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { copyRecords } from './copy-domain.policy.ts'

const record = (type: string, name: string, content: string, change: Partial<DnsRecord> = {}): DnsRecord => ({
  id: 'r1',
  type,
  name,
  content,
  ttl: 300,
  proxied: false,
  proxiable: true,
  priority: null,
  comment: null,
  tags: [],
  data: null,
  modifiedAt: null,
  ...change,
})
const copy = (...records: readonly DnsRecord[]) => {
  const { wanted, left } = copyRecords(records, 'old.example', 'new.example')
  return { wanted: wanted.map(({ type, name, content, priority }) => [type, name, content, priority]), left }
}

test('names within the domain become names of the other domain; foreign hosts and other text stay', () => {
  expect(
    copy(
      record('A', 'old.example', '192.0.2.1'),
      record('A', 'shop.old.example', '192.0.2.1'),
      record('CNAME', 'www.old.example', 'Shop.OLD.example.'),
      record('CNAME', 'a.old.example', 'old.example'),
      record('CNAME', 'b.old.example', 'notold.example'),
      record('MX', 'old.example', 'mail.old.example', { priority: 10 }),
      record('SRV', '_sip._tcp.old.example', '5 5060 sip.old.example', { priority: 1 }),
      record('HTTPS', 'old.example', '1 old.example alpn="h2"'),
      record('TXT', 'old.example', '"include old.example"'),
    ),
  ).toEqual({
    wanted: [
      ['A', 'new.example', '192.0.2.1', null],
      ['A', 'shop.new.example', '192.0.2.1', null],
      ['CNAME', 'www.new.example', 'shop.new.example', null],
      ['CNAME', 'a.new.example', 'new.example', null],
      ['CNAME', 'b.new.example', 'notold.example', null],
      ['MX', 'new.example', 'mail.new.example', 10],
      ['SRV', '_sip._tcp.new.example', '5 5060 sip.new.example', 1],
      ['HTTPS', 'new.example', '1 new.example alpn=h2', null],
      ['TXT', 'new.example', '"include old.example"', null],
    ],
    left: 0,
  })
})

test('NS and SOA records are not copied; records that are not possible in the target are counted', () => {
  expect(
    copy(
      record('NS', 'old.example', 'ns1.example.net'),
      record('SOA', 'old.example', 'ns1.example.net'),
      record('SPF', 'old.example', 'v=spf1'),
      record('A', 'www.old.example', 'broken'),
      record('A', 'ok.old.example', '192.0.2.1'),
    ),
  ).toEqual({ wanted: [['A', 'ok.new.example', '192.0.2.1', null]], left: 2 })
})

test('a priority in the content becomes that of the copied record', () => {
  expect(copy(record('MX', 'old.example', '10 mail.old.example')).wanted).toEqual([['MX', 'new.example', 'mail.new.example', 10]])
})

test('TTL and proxy status are copied with a record', () => {
  const { wanted } = copyRecords(
    [record('A', 'old.example', '192.0.2.1', { proxied: true, ttl: 1 }), record('A', 'b.old.example', '192.0.2.1', { ttl: 600 })],
    'old.example',
    'new.example',
  )
  expect(wanted.map(({ ttl, proxied }) => [ttl, proxied])).toEqual([
    [1, true],
    [600, false],
  ])
})
