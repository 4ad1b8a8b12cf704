import { expect, it } from 'vitest'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { findRecords, isZoneText, sortRecords } from './find-records.ts'

const record = (type: string, name: string, content: string, more: Partial<DnsRecord> = {}): DnsRecord => ({
  id: `${type} ${name} ${content}`,
  type,
  name,
  content,
  ttl: 1,
  proxied: false,
  proxiable: false,
  priority: null,
  comment: null,
  tags: [],
  data: null,
  modifiedAt: null,
  ...more,
})

const all = [
  record('A', 'www.example.com', '203.0.113.10', { proxied: true }),
  record('A', 'example.com', '203.0.113.9'),
  record('TXT', 'example.com', '"v=spf1 -all"', { comment: 'Почта' }),
  record('CNAME', 'shop.example.com', 'www.example.com'),
]
const contents = (records: readonly DnsRecord[]) => records.map(({ content }) => content)
const everything = { text: '', types: [], proxied: undefined }

it('R-DNS-01 the search matches every word, in any order and case, in name, content, type and comment', () => {
  expect(contents(findRecords(all, { ...everything, text: 'ПОЧТА txt' }).rows)).toEqual(['"v=spf1 -all"'])
  expect(contents(findRecords(all, { ...everything, text: '203.0 WWW' }).rows)).toEqual(['203.0.113.10'])
  expect(findRecords(all, { ...everything, text: 'nothing' }).rows).toEqual([])
})

it('R-DNS-01 R-DNS-02 filters count the rows of each option; types that cannot be proxied count in neither', () => {
  const found = findRecords(all, { ...everything, types: ['A'] })
  expect(found.rows).toHaveLength(2)
  expect([...found.byType]).toEqual([
    ['A', 2],
    ['TXT', 1],
    ['CNAME', 1],
  ])
  expect(found.byProxied).toEqual({ yes: 1, no: 1 })
  expect(contents(findRecords(all, { ...everything, proxied: 'no' }).rows)).toEqual(['203.0.113.9', 'www.example.com'])
})

it('R-DNS-01 the apex sorts first, and IP addresses sort numerically', () => {
  expect(contents(sortRecords(all, { key: 'name', direction: 'asc' }, 'example.com'))).toEqual([
    '203.0.113.9',
    '"v=spf1 -all"',
    'www.example.com',
    '203.0.113.10',
  ])
  const addresses = all.filter(({ type }) => type === 'A')
  expect(contents(sortRecords(addresses, { key: 'content', direction: 'desc' }, 'example.com'))).toEqual(['203.0.113.10', '203.0.113.9'])
})

it('R-DNS-05 several lines with records are a zone file; one long value over several lines is not', () => {
  expect(isZoneText('www 300 IN A 203.0.113.1\nmail IN MX 10 mx.example.com.')).toBe(true)
  expect(isZoneText('v=DKIM1; k=rsa; p=MIGfMA0GCSq\nGSIb3DQEBAQUAA4GNADCB')).toBe(false)
  expect(isZoneText('www A 203.0.113.1')).toBe(false)
})
