import { expect, test } from 'vitest'
import { occurrencesOf } from './occurrences.policy.ts'

const at = (text: string) => Date.parse(text)
const window = (startsAt: string, endsAt: string, every: 'day' | 'week' | 'month', timeZone = 'UTC', until: string | null = null) => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  repeat: { every, timeZone, until },
})
const starts = (given: Parameters<typeof occurrencesOf>[0], from: string, to: string) =>
  occurrencesOf(given, at(from), at(to)).map(({ startsAt, endsAt }) => [
    startsAt.toISOString().slice(0, 16),
    (endsAt.getTime() - startsAt.getTime()) / 60_000,
  ])

test('R-MON-04 a window repeated daily, weekly or monthly has the same length each time, from its first occurrence on', () => {
  const daily = window('2026-11-01T23:00:00Z', '2026-11-02T01:00:00Z', 'day')
  expect(starts(daily, '2026-10-01T00:00:00Z', '2026-11-03T00:00:00Z')).toEqual([
    ['2026-11-01T23:00', 120],
    ['2026-11-02T23:00', 120],
  ])
  // Includes one that began the day before and is still active.
  expect(starts(daily, '2027-03-10T00:30:00Z', '2027-03-10T00:30:00Z')).toEqual([['2027-03-09T23:00', 120]])
  expect(starts(daily, '2027-03-10T01:00:00.001Z', '2027-03-10T22:59:59Z')).toEqual([])
  expect(starts(window('2026-11-01T10:00:00Z', '2026-11-01T11:00:00Z', 'week'), '2026-11-02T00:00:00Z', '2026-11-20T00:00:00Z')).toEqual([
    ['2026-11-08T10:00', 60],
    ['2026-11-15T10:00', 60],
  ])
  expect(starts(window('2026-01-31T10:00:00Z', '2026-01-31T11:00:00Z', 'month'), '2026-02-01T00:00:00Z', '2026-05-01T00:00:00Z')).toEqual([
    ['2026-02-28T10:00', 60],
    ['2026-03-31T10:00', 60],
    ['2026-04-30T10:00', 60],
  ])
})

test('R-MON-04 a window repeats in local time of its zone, across daylight saving changes', () => {
  const night = window('2026-10-20T01:00:00Z', '2026-10-20T03:00:00Z', 'day', 'Europe/Berlin')
  expect(starts(night, '2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z')).toEqual([
    ['2026-10-24T01:00', 120],
    ['2026-10-25T02:00', 120],
    ['2026-10-26T02:00', 120],
  ])
  const beforeTheChange = window('2026-10-20T23:30:00Z', '2026-10-21T00:30:00Z', 'day', 'Europe/Berlin')
  expect(starts(beforeTheChange, '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
    ['2026-10-24T23:30', 60],
    ['2026-10-26T00:30', 60],
  ])
  // 02:30 occurs twice on that night, and this is the first time.
  const twice = window('2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z', 'day', 'Europe/Berlin')
  expect(starts(twice, '2026-10-25T00:00:00Z', '2026-10-25T12:00:00Z')).toEqual([['2026-10-25T00:30', 15]])
  expect(
    starts(
      window('2026-03-01T22:30:00Z', '2026-03-01T23:30:00Z', 'week', 'America/New_York'),
      '2026-03-02T00:00:00Z',
      '2026-03-20T00:00:00Z',
    ),
  ).toEqual([
    ['2026-03-08T21:30', 60],
    ['2026-03-15T21:30', 60],
  ])
})

test('R-MON-04 a repeated window starts at the same second and millisecond', () => {
  const daily = window('2026-11-01T10:00:30.300Z', '2026-11-01T11:00:00Z', 'day', 'Europe/Berlin')
  expect(occurrencesOf(daily, at('2026-11-02T00:00:00Z'), at('2026-11-03T00:00:00Z'))).toEqual([
    { startsAt: new Date('2026-11-02T10:00:30.300Z'), endsAt: new Date('2026-11-02T11:00:00Z') },
  ])
})

test('R-MON-04 a window occurs in a range that begins exactly at its end or ends exactly at its start', () => {
  const daily = window('2026-11-01T23:00:00Z', '2026-11-02T01:00:00Z', 'day')
  expect(starts(daily, '2027-03-10T01:00:00Z', '2027-03-10T23:00:00Z')).toEqual([
    ['2027-03-09T23:00', 120],
    ['2027-03-10T23:00', 120],
  ])
  const wholeDay = window('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', 'day')
  expect(starts(wholeDay, '2026-11-10T00:00:00Z', '2026-11-10T00:00:00Z')).toEqual([
    ['2026-11-09T00:00', 1_440],
    ['2026-11-10T00:00', 1_440],
  ])
})

test('R-MON-04 a window with an end of repetition does not start from then on', () => {
  const daily = window('2026-11-01T10:00:00Z', '2026-11-01T11:00:00Z', 'day', 'UTC', '2026-11-03T10:00:00Z')
  expect(starts(daily, '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z').map(([start]) => start)).toEqual([
    '2026-11-01T10:00',
    '2026-11-02T10:00',
  ])
})

test('R-MON-04 a window that does not repeat occurs once', () => {
  const once = { startsAt: new Date('2026-11-01T10:00:00Z'), endsAt: new Date('2026-11-01T11:00:00Z'), repeat: null }
  expect(starts(once, '2026-11-01T11:00:00Z', '2026-11-02T00:00:00Z')).toHaveLength(1)
  expect(starts(once, '2026-11-01T11:00:00.001Z', '2026-11-02T00:00:00Z')).toEqual([])
  expect(starts(once, '2026-10-01T00:00:00Z', '2026-11-01T09:59:59Z')).toEqual([])
  expect(starts(once, '2026-10-01T00:00:00Z', '2026-11-01T10:00:00Z')).toHaveLength(1)
})
