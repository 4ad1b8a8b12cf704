import { describe, expect, test } from 'vitest'
import { holdsContent, replaceContent } from './match-content.ts'

const holds = (type: string, content: string, wanted: string, match: 'whole' | 'part' = 'part') =>
  holdsContent({ type, content }, wanted, match, 'example.com')

describe('R-DNS-04 an address is not matched by a part of it, except with an asterisk', () => {
  test.each([
    ['A', '203.0.113.10', '203.0.113.1', false],
    ['A', '203.0.113.10', '203.0.113.1*', true],
    ['A', '203.0.113.1', '203.0.113.1', true],
    ['AAAA', '2001:db8::10', '2001:db8::1', false],
    ['AAAA', '2001:db8::1', '2001:0DB8::1', true],
    ['AAAA', '2001:db8::10', '2001:DB8::*', true],
    ['TXT', 'v=spf1 ip4:203.0.113.10 -all', '203.0.113.1', false],
    ['TXT', 'v=spf1 ip4:203.0.113.10 -all', '203.0.113', false],
    ['TXT', 'v=spf1 ip4:203.0.113.10 -all', '03.0.113.10', false],
    ['TXT', 'v=spf1 ip4:203.0.113.10 -all', '203.0.113.10', true],
    ['TXT', 'v=spf1 ip4:203.0.113.10 -all', '203.0.113.*', true],
    ['TXT', 'moved to 203.0.113.10.', '203.0.113.10', true],
    ['TXT', 'v=spf1 ip6:2001:db8::1 -all', '2001:db8::1', true],
    ['TXT', 'v=spf1 ip6:2001:db8::10 -all', '2001:db8::1', false],
    ['CNAME', 'old.example.net', 'OLD.example', true],
    ['TXT', 'one*two', '*', true],
    ['TXT', 'at 10 mail 192.0.2.1', '192.0.2.1', true],
    ['TXT', 'ip6:2001:db8::1', '2001:db8::1', true],
    ['TXT', 'a:2001:db8::1', '2001:db8::1', false],
    ['A', '203.0.113.10', '203.0.114.*', false],
    ['AAAA', '2001:db8::1', '203.0.113.1', false],
    ['A', '203.0.113.10', 'x', false],
  ])('%s %s by %s: %s', (type, content, wanted, expected) => expect(holds(type, content, wanted)).toBe(expected))

  test.each([
    ['port 123', '12'],
    ['version x1.23', 'x1.2'],
    ['version 1.2x3', '1.2x'],
    ['key x:abc', 'x:ab'],
    ['key ab:xc', 'ab:x'],
  ])('text that is not an address is matched by a part: %s by %s', (content, wanted) => expect(holds('TXT', content, wanted)).toBe(true))

  test('a whole text matches regardless of its notation', () => {
    expect(holds('TXT', '"v=spf1 -all"', 'v=spf1 -all', 'whole')).toBe(true)
    expect(holds('TXT', 'v=spf1 -all', 'v=spf1', 'whole')).toBe(false)
    expect(holds('A', '203.0.113.10', '203.0.113.*', 'whole')).toBe(true)
  })
})

test('R-DNS-04 every occurrence is replaced, and the rest of an address is kept if both texts end in an asterisk', () => {
  const replace = (content: string, wanted: string, next: string, type = 'TXT') =>
    replaceContent({ type, content }, wanted, next, 'part', 'example.com')
  expect(replace('ip4:192.0.2.1 ip4:192.0.2.10 ip4:192.0.2.1', '192.0.2.1', '198.51.100.7')).toBe(
    'ip4:198.51.100.7 ip4:192.0.2.10 ip4:198.51.100.7',
  )
  expect(replace('192.0.2.15', '192.0.2.*', '198.51.100.*', 'A')).toBe('198.51.100.15')
  expect(replace('192.0.2.15', '192.0.2.*', '198.51.100.7', 'A')).toBe('198.51.100.7')
  expect(replace('ip4:192.0.2.15 -all', '192.0.2.*', '198.51.100.*')).toBe('ip4:198.51.100.15 -all')
  expect(replace('ip4:192.0.2.15 -all', '192.0.2.*', '198.51.100.7')).toBe('ip4:198.51.100.7 -all')
  expect(replace('moved to 192.0.2.1.', '192.0.2.1', '198.51.100.7')).toBe('moved to 198.51.100.7.')
  expect(replace('a', 'a', 'b*')).toBe('b*')
  // Overlapping occurrences count as one.
  expect(replace('aaaaa', 'aa', 'b')).toBe('bba')
  expect(replace('aaa', 'a', '$&')).toBe('$&$&$&')
  expect(replace('none here', 'x', 'y')).toBeNull()
})
