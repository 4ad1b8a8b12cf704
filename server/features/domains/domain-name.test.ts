import { expect, test } from 'vitest'
import { parseDomainName, searchTerm } from './domain-name.ts'
import { parseZoneName } from '#shared/features/domains/creation/zone-name.ts'
import { slowName, timeOf } from '#server/testing/slow-name.ts'

test.each([
  ['example.com', 'example.com'],
  ['  EXAMPLE.Com.  ', 'example.com'],
  ['https://user:pw@example.com:8443/path?q=1#x', 'example.com'],
  ['somebody@example.com', 'example.com'],
  ['*.example.co.uk', 'example.co.uk'],
  ['example.com...', 'example.com'],
  ['Пример.РФ', 'xn--e1afmkfd.xn--p1ai'],
  ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
  ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
  ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
  ['👍.ws', 'xn--yp8h.ws'],
  ['مثال.إختبار', 'xn--mgbh0fb.xn--kgbechtv'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['exam\u00adple.com', 'example.com'],
  ['HTTPS://example.com', 'example.com'],
  ['example.com/at@b.org:1', 'example.com'],
  ['example.com?next=https://example.org', 'example.com'],
  ['example.com/two\nlines', 'example.com'],
  ['a@b@example.com', 'example.com'],
  [
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`,
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`,
  ],
])('R-DOM-02 reads %s', (given, name) => {
  expect(parseDomainName(given)).toBe(name)
})

test.each([
  '',
  '   ',
  'example',
  '.com',
  'exa mple.com',
  '<b>example</b>.com',
  "example.com' or '1'='1",
  'example..com',
  '-example.com',
  'example-.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
  '192.0.2.1',
  '2001:db8::1',
  'example.123',
  '\u202eexample.com',
  'exam\0ple.com',
  '%.com',
  '\\.com',
  'a'.repeat(255),
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.com`,
  'a.*.example.com',
  '1https://example.com',
  '%65xample.com',
  'exam\u200bple.com',
  'exam\tple.com',
  'example:80.com',
  '"example.com"',
])('R-DOM-02 finds no name in %j', (given) => {
  expect(parseDomainName(given)).toBeNull()
})

test('R-DOM-02 a typed URL is searched for by its host name', () => {
  expect(searchTerm('  HTTPS://Пример.РФ/path ')).toBe('пример.рф')
  expect(searchTerm('SHOP')).toBe('shop')
  expect(searchTerm('Shop.example.com.')).toBe('shop.example.com')
  expect(searchTerm('shop.')).toBe('shop.')
  expect(searchTerm('shop.example/a/b')).toBe('shop.example')
  expect(searchTerm('to https://shop')).toBe('to https:')
  expect(searchTerm('mu\u0308n')).toBe('m\u00fcn')
})

test('text far too long for a name is refused before the conversion, which would take seconds', () => {
  const slow = slowName()
  expect(parseDomainName(`${slow}.com`)).toBeNull()
  expect(timeOf(() => parseDomainName(`${slow}.com`))).toBeLessThan(500)
  expect(timeOf(() => parseZoneName(`${slow}.com`))).toBeLessThan(500)
  expect(parseZoneName(`${slow}.com`)).toEqual({ fault: 'domain_invalid' })
  expect(parseDomainName(`${slow.slice(0, 15)}.com`)).toMatch(/^xn--[a-z0-9]+\.com$/)
})
