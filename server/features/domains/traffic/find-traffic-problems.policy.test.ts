import { expect, test } from 'vitest'
import { findKnownDates, findTrafficProblems } from './find-traffic-problems.policy.ts'
import type { LastDay } from './find-traffic-problems.policy.ts'

const date = '2026-11-27'
const usual: LastDay = {
  date,
  requests: 5_000,
  sameDays: [4_000, 6_000, 5_000],
  serverErrors: 10,
  threats: 50,
  usualThreats: 40,
  problems: [],
}
const codes = (given: Partial<LastDay>, isKnown = true) => findTrafficProblems({ ...usual, ...given }, isKnown).map(({ code }) => code)

test('a usual day has no problems', () => {
  expect(codes({})).toEqual([])
})

test('a domain has dropped to zero if it has no requests, and at least 100 on the same day of each of the three weeks before', () => {
  expect(findTrafficProblems({ ...usual, requests: 0, serverErrors: 0 }, true)).toEqual([
    { code: 'traffic_dropped', params: { date, before: 4_000 } },
  ])
  expect(codes({ requests: 1 })).toEqual([])
  expect(codes({ requests: 0, sameDays: [100, 100, 100] })).toEqual(['traffic_dropped'])
  expect(codes({ requests: 0, sameDays: [99, 4_000, 4_000] })).toEqual([])
  expect(codes({ requests: 0, sameDays: [] })).toEqual([])
})

test('requests that stopped are a problem until a day has some, also when the weeks before have none either', () => {
  const stopped = { code: 'traffic_dropped', params: { date: '2026-11-20', before: 4_000 } } as const
  const weekLater: LastDay = { ...usual, requests: 0, serverErrors: 0, sameDays: [0, 6_000, 5_000], problems: [stopped] }
  expect(findTrafficProblems(weekLater, true)).toEqual([stopped])
  // Also on the day after it stopped, with the day on which it did.
  expect(findTrafficProblems({ ...weekLater, sameDays: [5_000, 5_000, 5_000] }, true)).toEqual([stopped])
  expect(findTrafficProblems(weekLater, false)).toEqual([stopped])
  expect(findTrafficProblems({ ...weekLater, requests: 1 }, true)).toEqual([])
})

test('a day that the provider has not counted is no drop', () => {
  expect(codes({ requests: 0 }, false)).toEqual([])
})

test('a tenth of at least 1,000 requests with a server error is a problem', () => {
  expect(codes({ requests: 1_000, serverErrors: 100 })).toEqual(['traffic_server_errors'])
  expect(codes({ requests: 1_000, serverErrors: 99 })).toEqual([])
  expect(codes({ requests: 999, serverErrors: 999 })).toEqual([])
  expect(findTrafficProblems({ ...usual, serverErrors: 2_499 }, true)).toEqual([
    { code: 'traffic_server_errors', params: { date, percent: 49 } },
  ])
})

test('at least 1,000 threats, and ten times as many as usual, are a problem', () => {
  expect(codes({ threats: 1_000, usualThreats: 100 })).toEqual(['traffic_threats'])
  expect(codes({ threats: 1_000, usualThreats: 101 })).toEqual([])
  expect(codes({ threats: 999, usualThreats: 0 })).toEqual([])
})

test('a date is counted if a tenth of the domains that were busy before have requests on it', () => {
  const days = (quiet: number, busy: number) => [
    ...Array.from({ length: quiet }, () => ({ ...usual, requests: 0 })),
    ...Array.from({ length: busy }, () => usual),
  ]
  expect(findKnownDates(days(9, 1)).has(date)).toBe(true)
  expect(findKnownDates(days(10, 1)).has(date)).toBe(false)
  expect(findKnownDates(days(1, 0)).has(date)).toBe(false)
  // Quiet domains say nothing about the others.
  const quiet = Array.from({ length: 50 }, () => ({ ...usual, requests: 5, sameDays: [5, 5, 5] }))
  expect(findKnownDates([...days(20, 1), ...quiet]).has(date)).toBe(false)
  expect(findKnownDates([{ ...usual, date: '2026-11-26' }, ...days(5, 0)])).toEqual(new Set(['2026-11-26']))
})
