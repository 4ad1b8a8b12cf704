import { expect, test } from 'vitest'
import { networkOf, subscriberOf, usernameBase, usernameFor } from './auth.policy.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:a:b:1:2:3:4', '2001:db8:a:b::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['not an address', 'unknown'],
  [null, 'unknown'],
])('the address %s counts as %s', (address, subscriber) => {
  expect(subscriberOf(address)).toBe(subscriber)
})

test.each([
  ['2001:db8:a:b:1:2:3:4', '2001:db8:a::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['not an address', null],
  [null, null],
])('the address %s is in the network %s of one customer', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('a username is the part before the last @, in safe characters', () => {
  expect(usernameBase('Ann.Petrova+shop@example.com')).toBe('ann.petrova-shop')
  expect(usernameBase('"a@b"@example.com')).toBe('-a-b-')
  expect(usernameBase('Анна  Б@example.com')).toBe('-')
  expect(usernameBase('a_b-c.9@example.com')).toBe('a_b-c.9')
  expect(usernameBase(`${'a'.repeat(70)}@example.com`)).toBe('a'.repeat(64))
})

test('a username that is taken gets the first free number from 2', () => {
  expect(usernameFor('ann@example.com', new Set())).toBe('ann')
  expect(usernameFor('ann@example.com', new Set(['ann']))).toBe('ann2')
  expect(usernameFor('ann@example.com', new Set(['ann', 'ann2', 'ann3', 'ann5']))).toBe('ann4')
})
