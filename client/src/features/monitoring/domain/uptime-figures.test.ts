import { expect, test } from 'vitest'
import { uptimeFigures, uptimePercent, spanParts } from './uptime-figures.ts'

const [minute, day] = [60_000, 86_400_000]
const all = (share: number | null) => ({ day: share, week: share, month: share, quarter: share })
const shown = (observedMs: Parameters<typeof uptimeFigures>[0]['observedMs'], share: number | null = 1) =>
  uptimeFigures({ uptime: all(share), observedMs }).map(({ uptime, observedMs: ms }) => [uptime, ms])

test('R-MON-05 half an hour of checks is shown once, with its duration, and not as an uptime of 90 days', () => {
  const half = 30 * minute
  expect(shown({ day: half, week: half, month: half + minute, quarter: half + minute })).toEqual([
    [1, half],
    [null, null],
    [null, null],
    [null, null],
  ])
})

test('R-MON-05 three days of checks are a full uptime of a day and, with their duration, of a week', () => {
  const [three, near] = [3 * day, 0.96 * day]
  expect(shown({ day: near, week: three, month: three, quarter: three })).toEqual([
    [1, null],
    [1, three],
    [null, null],
    [null, null],
  ])
})

test('R-MON-05 a fully or almost fully observed period shows no duration; a period without checks has no uptime', () => {
  expect(shown({ day, week: 6.7 * day, month: 29 * day, quarter: 50 * day })).toEqual([
    [1, null],
    [1, null],
    [1, null],
    [1, 50 * day],
  ])
  const nothing = { day: 0, week: 0, month: 0, quarter: 0 }
  expect(shown(nothing, null)).toEqual(Array.from({ length: 4 }, () => [null, null]))
})

test('only an uptime without failures is shown as 100 %', () => {
  expect([1, 0.999_99, 0.9998, 0].map(uptimePercent)).toEqual([100, 99.99, 99.98, 0])
})

const [minuteSeconds, hourSeconds, daySeconds] = [60, 3600, 86_400]
const parts = (seconds: number) => spanParts(seconds * 1000)

test('the duration of an outage is shown in its two largest units', () => {
  expect(parts(42)).toEqual([42])
  expect(parts(12 * minuteSeconds + 50)).toEqual([12 * minuteSeconds])
  expect(parts(2 * hourSeconds + 5 * minuteSeconds + 59)).toEqual([2 * hourSeconds, 5 * minuteSeconds])
  expect(parts(3 * daySeconds + 59 * minuteSeconds)).toEqual([3 * daySeconds])
  expect(parts(3 * daySeconds + 4 * hourSeconds + 59 * minuteSeconds)).toEqual([3 * daySeconds, 4 * hourSeconds])
  expect(parts(-5)).toEqual([0])
})
