import { expect, test } from 'vitest'
import { observedMs } from './observed.policy.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const now = Date.parse('2026-11-20T10:30:00Z')
const at = (before: number) => new Date(now - before).toISOString()

test('R-MON-05 half an hour of checks counts as half an hour, for any number of regions and days requested', () => {
  expect(
    observedMs(
      [
        { at: at(30 * minute), checks: 6 },
        { at: at(30 * minute), checks: 5 },
      ],
      day,
      300,
      now,
    ),
  ).toBe(30 * minute)
})

test('R-MON-05 retries count at most the full hour, the current hour at most its elapsed time, and gaps count nothing', () => {
  const units = [
    { at: at(30 * minute), checks: 60 },
    { at: at(30 * minute + hour), checks: 90 },
    { at: at(30 * minute + 3 * hour), checks: 2 },
    { at: at(30 * minute + 4 * hour), checks: 0 },
  ]
  expect(observedMs(units, hour, 60, now)).toBe(30 * minute + hour + 2 * minute)
})

test('R-MON-05 hours in the future, from a clock that is behind, count nothing', () => {
  expect([observedMs([{ at: at(-hour), checks: 3 }], hour, 60, now), observedMs([], hour, 60, now)]).toEqual([0, 0])
})
