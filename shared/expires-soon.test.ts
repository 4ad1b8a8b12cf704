import { expect, test } from 'vitest'
import { soonBeforeMs } from './expires-soon.ts'

const dayMs = 86_400_000

test.each([
  ['of a year', 365, 30],
  ['of three months', 90, 30],
  ['of thirty days', 30, 10],
  ['of seven days', 7, 7 / 3],
  ['of unknown validity', null, 30],
])('a certificate %s expires soon thirty days before its end, but at the earliest in its last third', (_of, validityDays, days) => {
  expect(soonBeforeMs(validityDays === null ? null : validityDays * dayMs, 30)).toBe(days * dayMs)
})
