import { describe, expect, test } from 'vitest'
import { canonicalValue, parseIpAccessLines, parseIpAccessValue } from './values.ts'

describe('a value of IP access', () => {
  test.each([
    ['203.0.113.7', 'ip', '203.0.113.7'],
    ['203.0.113.7/32', 'ip', '203.0.113.7'],
    [' 2001:0DB8:0:0::1 ', 'ip6', '2001:db8::1'],
    ['2001:db8:0:1:0:0:0:1', 'ip6', '2001:db8:0:1::1'],
    ['1:0:2:3:4:5:6:7', 'ip6', '1:0:2:3:4:5:6:7'],
    ['::', 'ip6', '::'],
    ['203.0.0.0/16', 'ip_range', '203.0.0.0/16'],
    ['203.0.113.0/24', 'ip_range', '203.0.113.0/24'],
    ['2001:db8::/32', 'ip_range', '2001:db8::/32'],
    ['2001:db8:1::/48', 'ip_range', '2001:db8:1::/48'],
    ['2001:db8:0:1::/64', 'ip_range', '2001:db8:0:1::/64'],
    ['as13335', 'asn', 'AS13335'],
    ['AS4294967295', 'asn', 'AS4294967295'],
    ['de', 'country', 'DE'],
    ['t1', 'country', 'T1'],
  ] as const)('%s is read in its canonical form', (text, target, value) => {
    expect(parseIpAccessValue(text)).toEqual({ target, value })
  })

  test.each([
    ['203.0.113', 'ip_access_invalid'],
    ['203.0.113.256', 'ip_access_invalid'],
    ['203.0.113.0/33', 'ip_access_invalid'],
    ['203.0.113.0/24/24', 'ip_access_invalid'],
    ['example.com', 'ip_access_invalid'],
    ['', 'ip_access_invalid'],
    ['203.0.112.0/22', 'ip_access_prefix'],
    ['2001:db8::/56', 'ip_access_prefix'],
    ['203.0.113.7/24', 'ip_access_host_bits'],
    ['2001:db8::1/64', 'ip_access_host_bits'],
    ['AS0', 'ip_access_asn'],
    ['AS4294967296', 'ip_access_asn'],
    ['QQ', 'ip_access_country'],
    ['UK', 'ip_access_country'],
    ['EU', 'ip_access_country'],
  ] as const)('%s is refused with its reason', (text, issue) => {
    expect(parseIpAccessValue(text)).toEqual({ issue })
  })

  test('written by Cloudflare with all digits is the same value', () => {
    expect(canonicalValue({ target: 'ip6', value: '2001:0db8:0000:0000:0000:0000:0000:0001' })).toBe('2001:db8::1')
    expect(canonicalValue({ target: 'ip_range', value: '2001:0db8:0000:0000:0000:0000:0000:0000/32' })).toBe('2001:db8::/32')
    expect(canonicalValue({ target: 'country', value: 'de' })).toBe('DE')
  })
})

test('a pasted list is read line by line: each value once, comments ignored, every error with its line', () => {
  expect(parseIpAccessLines('203.0.113.7, AS64500 # office\n\n10.0.0.0/8;DE\r\n2001:DB8::1 2001:db8:0::1\nnonsense')).toEqual({
    values: [
      { target: 'ip', value: '203.0.113.7' },
      { target: 'asn', value: 'AS64500' },
      { target: 'country', value: 'DE' },
      { target: 'ip6', value: '2001:db8::1' },
    ],
    lineErrors: [
      { line: 3, text: '10.0.0.0/8', issue: 'ip_access_prefix' },
      { line: 5, text: 'nonsense', issue: 'ip_access_invalid' },
    ],
  })
})
