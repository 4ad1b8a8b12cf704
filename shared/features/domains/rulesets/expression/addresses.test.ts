import fc from 'fast-check'
import { isIP } from 'node:net'
import { expect, test } from 'vitest'
import { checkNetwork, parseAddress } from './addresses.ts'

test.each([
  ['0.0.0.0', 0n],
  ['255.255.255.255', 2n ** 32n - 1n],
  ['::', 0n],
  ['::1', 1n],
  ['1::', 2n ** 112n],
  ['2001:db8::1', 0x20010db8000000000000000000000001n],
  ['1:2:3:4:5:6:7:8', 0x00010002000300040005000600070008n],
  ['::ffff:1.2.3.4', 0xffff01020304n],
])('the value of %s is known', (text, value) => {
  expect(parseAddress(text)).toEqual({ bits: text.includes(':') ? 128 : 32, value })
})

test.each([
  '',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.a',
  ':',
  ':::',
  '1:2:3:4:5:6:7',
  '1::2::3',
  '1.2.3.4::',
  '1:2:3:4:5:6:7::8',
  '::12345',
  '::g',
])('%s is no address', (text) => {
  expect(parseAddress(text)).toBeNull()
})

test('it agrees with the platform', () => {
  const piece = fc.constantFrom('0', '1', '9', '255', '256', '.', ':', '::', 'f', 'ffff')
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.array(piece, { maxLength: 15 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (one) => {
      expect(parseAddress(one)?.bits ?? 0).toBe({ 0: 0, 4: 32, 6: 128 }[isIP(one)])
    }),
  )
})

test.each([
  ['1.2.3.0/24', 'valid'],
  ['0.0.0.0/0', 'valid'],
  ['1.2.3.4/32', 'valid'],
  ['2001:db8::/32', 'valid'],
  ['1.2.3.4/24', 'host_bits'],
  ['2001:db8::1/64', 'host_bits'],
  ['1.2.3.0/33', 'invalid'],
  ['::/129', 'invalid'],
  ['1.2.3.0/', 'invalid'],
  ['1.2.3.0/08', 'invalid'],
  ['1.2.3/8', 'invalid'],
])('the network %s is %s', (text, state) => {
  expect(checkNetwork(text)).toBe(state)
})
