import { expect, test } from 'vitest'
import { addressFilterText } from '#shared/features/domains/schema.ts'
import { parseAddressFilter } from './address-filter.ts'

test.each([
  ['203.0.113.1', 'address', '203.0.113.1'],
  [' 2001:DB8::1 ', 'address', '2001:db8::1'],
  ['203.0.113.0/24', 'network', '203.0.113.0/24'],
  ['203.0.113.7/32', 'network', '203.0.113.7/32'],
  ['0.0.0.0/0', 'network', '0.0.0.0/0'],
  ['2001:db8::/32', 'network', '2001:db8::/32'],
  ['2001:db8::1/128', 'network', '2001:db8::1/128'],
  ['203.0.113.*', 'prefix', '203.0.113.'],
  ['203.0.113.1*', 'prefix', '203.0.113.1'],
  ['2001:db8:*', 'prefix', '2001:db8:'],
])('R-DOM-02 %j selects by %s', (text, kind, value) => {
  expect(parseAddressFilter(text)).toEqual({ kind, value })
})

test.each([
  '',
  ' ',
  '*',
  '203',
  '203.0.113.',
  '203.0.113.300',
  '203.0.113.0/33',
  '203.0.113.0/',
  '203.0.113.0/24/24',
  '203.0.113.0/x24',
  '203.0.113.0/24x',
  '203.0.113.0/024',
  '/24',
  '2001:db8::/129',
  '2001:db8:::1',
  '1:2:3:4:5:6:7:8:9',
  '*.113.1',
  '203.*.113.1',
  '203.0.113.1 203.0.113.2',
  '%',
  "1':*",
])('R-DOM-02 %j is a partial or invalid address and selects nothing', (text) => {
  expect(parseAddressFilter(text)).toBeNull()
  expect(addressFilterText.safeParse(text).success).toBe(false)
})

test('R-DOM-02 an input accepts valid filters, without surrounding spaces', () => {
  expect(addressFilterText.parse(' 203.0.113.* ')).toBe('203.0.113.*')
})
