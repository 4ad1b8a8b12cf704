import { expect, test } from 'vitest'
import type { RegistryAnswer } from '#server/ports/registry.ts'
import { pauseAfter, pauseAfterFailures } from './next-reading.policy.ts'

const now = Date.parse('2026-03-01T00:00:00Z')
const day = 86_400_000
type Found = Extract<RegistryAnswer, { state: 'found' }>
// For a found name, only the expiry matters.
const found = (days: number | null) =>
  pauseAfter({ state: 'found', expiresAt: days === null ? null : new Date(now + days * day) } as Found, now) / day

test('a registry without RDAP is queried again after a month, one that does not know the name after a week', () => {
  expect(pauseAfter({ state: 'not_offered' }, now)).toBe(30 * day)
  expect(pauseAfter({ state: 'not_found' }, now)).toBe(7 * day)
})

test.each([
  [null, 7],
  [400, 7],
  [37, 7],
  [34, 4],
  [31, 1],
  [30, 1],
  [0, 1],
  [-60, 1],
  [-60.01, 7],
  [-400, 7],
])('a name that expires in %s days is queried again after %i: daily from a month before expiry until two months after', (left, days) => {
  expect(found(left)).toBe(days)
})

test('the pause doubles after each failed attempt, up to a day, and is never shorter than the registry asks', () => {
  const minutes = (failures: number, after: number | null = null) => pauseAfterFailures(failures, after) / 60_000
  expect([0, 1, 2, 6, 7, 99].map((failures) => minutes(failures))).toEqual([15, 30, 60, 960, 1_440, 1_440])
  expect([minutes(0, 600), minutes(0, 3_600), minutes(99, 2 * 86_400)]).toEqual([15, 60, 2_880])
})
