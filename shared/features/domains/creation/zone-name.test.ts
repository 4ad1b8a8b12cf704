import { expect, test } from 'vitest'
import { createZoneInput } from './schema.ts'
import { parseZoneName, registrableName } from './zone-name.ts'

test.each([
  ['example.com', 'example.com'],
  ['  EXAMPLE.Co.UK. ', 'example.co.uk'],
  ['Пример.РФ', 'xn--e1afmkfd.xn--p1ai'],
  ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
  ['a-1.io', 'a-1.io'],
  ['x.de', 'x.de'],
  // Private suffixes that sell names.
  ['shop.msk.ru', 'shop.msk.ru'],
  ['shop.co.com', 'shop.co.com'],
  ['co.com', 'co.com'],
  // A name that is `www` itself.
  ['www.com', 'www.com'],
])('R-DOM-05 %s is added as %s', (given, name) => {
  expect(parseZoneName(given)).toEqual({ name })
})

const label = 'a'.repeat(63)
test.each([
  ['https://example.com', 'domain_is_url'],
  ['example.com/path', 'domain_is_url'],
  ['anna@example.com', 'domain_is_url'],
  ['example.com:8443', 'domain_is_url'],
  ['example.com?x', 'domain_is_url'],
  ['example.com#x', 'domain_is_url'],
  ['', 'domain_invalid'],
  [' . ', 'domain_invalid'],
  ['exam ple.com', 'domain_invalid'],
  ['exam\u00adple.com', 'domain_invalid'],
  ['*.example.com', 'domain_invalid'],
  ['a_b.com', 'domain_invalid'],
  ['exam%70le.com', 'domain_invalid'],
  ['-example.com', 'domain_invalid'],
  ['example-.com', 'domain_invalid'],
  ['example..com', 'domain_invalid'],
  ['localhost', 'domain_invalid'],
  ['192.0.2.1', 'domain_invalid'],
  ['example.com..', 'domain_invalid'],
  [`${'a'.repeat(64)}.com`, 'domain_invalid'],
  [`${`${label}.`.repeat(4)}com`, 'domain_invalid'],
  ['example.invalid-zone', 'domain_invalid'],
  ['xn--a.com', 'domain_invalid'],
  // Browsers drop these characters, but a label of this length is not converted.
  [`exam${'\ufe0f'.repeat(130)}ple.com`, 'domain_invalid'],
  ['example.notasuffix', 'domain_not_registrable'],
  ['co.uk', 'domain_is_suffix'],
  ['shop.example.com', 'domain_is_subdomain'],
  ['www.example.com', 'domain_is_subdomain'],
  ['www.msk.ru', 'domain_is_subdomain'],
  [`${`${label}.`.repeat(3)}${'a'.repeat(57)}.com`, 'domain_is_subdomain'],
])('R-DOM-05 %s is refused: %s', (given, fault) => {
  expect(parseZoneName(given)).toEqual({ fault })
})

test('a new domain has its normalized name, or the reason why it is none', () => {
  const name = (domainName: string) => createZoneInput.shape.domainName.safeParse(domainName)
  expect(name(' EXAMPLE.com ').data).toBe('example.com')
  expect(name('www.example.com').error?.issues).toMatchObject([{ code: 'custom', message: 'domain_is_subdomain' }])
  expect(name('  ').error?.issues[0]?.message).toBe('required')
})

test('a registrable name is one label below a public suffix, private suffixes included', () => {
  expect(['a.b.example.co.uk', 'www.team.github.io', 'localhost'].map(registrableName)).toEqual([
    'example.co.uk',
    'team.github.io',
    'localhost',
  ])
})
