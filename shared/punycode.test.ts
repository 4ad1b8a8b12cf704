import fc from 'fast-check'
import { domainToASCII, domainToUnicode } from 'node:url'
import { expect, test } from 'vitest'
import { unicodeHost } from './punycode.ts'

test.each([
  ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
  ['www.xn--bcher-kva.example', 'www.bücher.example'],
  ['xn--fiqs8s', '中国'],
  ['xn--ls8h.example', '💩.example'],
  ['plain.example', 'plain.example'],
])('%s is %s', (host, shown) => {
  expect(unicodeHost(host)).toBe(shown)
})

test.each(['xn--', 'xn--!', 'xn--99999999', 'xn--a-', `xn--${'a'.repeat(80)}`])('%s stays as it is', (host) => {
  expect(unicodeHost(host)).toBe(host)
})

test('it agrees with the platform', () => {
  const label = fc.stringMatching(/^[a-zа-яёüéß中国日本]{1,12}$/u)
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const ascii = domainToASCII(`${labels.join('.')}.example`)
      fc.pre(ascii !== '')
      expect(unicodeHost(ascii)).toBe(domainToUnicode(ascii))
    }),
  )
})

test('no label makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 70 }), (text) => {
      expect(typeof unicodeHost(`xn--${text}`)).toBe('string')
    }),
  )
})
