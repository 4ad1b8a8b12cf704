import { expect, test } from 'vitest'
import { isProtected, packProtection, protection, protectionNames, protectionNumbers, unpackProtection } from './protection.ts'

test('every value of every property is packed and read back, beside the others', () => {
  for (const name of protectionNames) {
    for (const value of protection[name].values.slice(1)) {
      const { bits, mask } = packProtection({ [name]: value })
      const full = 0xfff & ~mask
      expect(unpackProtection(name, full | bits)).toBe(value)
      for (const other of protectionNames.filter((each) => each !== name)) expect(unpackProtection(other, bits)).toBeNull()
    }
  }
  expect(isProtected('botFightMode', packProtection({ botFightMode: 'enabled' }).bits)).toBe(true)
  expect(isProtected('botFightMode', packProtection({ botFightMode: 'disabled' }).bits)).toBe(false)
  expect(isProtected('botFightMode', 0)).toBeNull()
})

test('a value that the panel does not know is neither lost nor mistaken for another', () => {
  expect(unpackProtection('aiBots', packProtection({ aiBots: 'block_everything' }).bits)).toBe('other')
  expect(unpackProtection('dnssec', packProtection({ dnssec: 'paused' }).bits)).toBe('other')
})

test('the numbers of a filter are those of exactly the zones that match', () => {
  const every = protectionNames.reduce<readonly number[]>(
    (packed, name) => packed.flatMap((bits) => protection[name].values.map((_, number) => bits | (number << protection[name].shift))),
    [0],
  )
  for (const filter of [
    { botFightMode: 'enabled' },
    { aiBots: 'block', dnssec: 'pending' },
    { managedRobotsTxt: 'disabled', aiLabyrinth: 'enabled' },
  ]) {
    const matching = every.filter((packed) =>
      Object.entries(filter).every(([name, value]) => unpackProtection(name as 'dnssec', packed) === value),
    )
    expect(protectionNumbers(filter).toSorted((a, b) => a - b)).toEqual(matching.toSorted((a, b) => a - b))
    expect(matching.length).toBeGreaterThan(0)
  }
})
