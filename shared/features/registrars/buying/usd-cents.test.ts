import { expect, test } from 'vitest'
import { centsPerMinor, mostUsd, usdCentsOf, usdLimit } from './spending.ts'

test.each([
  ['USD', 1_099, 1_099],
  ['EUR', 1_000, 1_250],
  ['RUB', 99_900, 1_599],
  ['JPY', 1, 1],
  ['INR', 1, 1],
  ['USD', 0, 0],
])('an amount counts against limits in US cents, rounded up: %s %i is %i', (currency, minor, cents) => {
  expect(usdCentsOf({ minor, currency })).toBe(cents)
})

test('an amount in an unknown currency has no value in US cents, so it passes no limit', () => {
  for (const currency of ['XXX', 'usd', '']) expect(usdCentsOf({ minor: 1, currency })).toBeNull()
})

test('every currency has a positive rate', () => {
  for (const rate of Object.values(centsPerMinor)) expect(rate).toBeGreaterThan(0)
})

test('a limit is a whole number of US dollars, from zero to the maximum', () => {
  for (const limit of [0, 1, mostUsd]) expect(usdLimit.parse(limit)).toBe(limit)
  const refusals: readonly (readonly [unknown, string])[] = [
    [undefined, 'required'],
    [null, 'required'],
    ['1', 'invalid_value'],
    [1.5, 'invalid_value'],
    [Number.NaN, 'invalid_value'],
    [-1, 'too_small'],
    [mostUsd + 1, 'too_big'],
  ]
  for (const [limit, message] of refusals) expect(usdLimit.safeParse(limit).error?.issues).toMatchObject([{ message }])
})
