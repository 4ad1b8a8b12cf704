import { expect, test } from 'vitest'
import { windowsOf } from './windows.policy.ts'

// A Sunday.
const at = Date.parse('2026-03-01T22:30:00Z')

test('days, weeks and months follow the time zone', () => {
  expect(windowsOf(at, 'UTC', 'monday')).toEqual({
    today: '2026-03-01',
    week: '2026-02-23',
    month: '2026-03-01',
    days: ['2026-02-23', '2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'],
    since: '2026-02-23',
    betweenHours: false,
  })
  expect(windowsOf(at, 'Europe/Moscow', 'monday')).toMatchObject({
    today: '2026-03-02',
    week: '2026-03-02',
    month: '2026-03-01',
    since: '2026-02-24',
  })
})

test.each([
  ['2026-03-01', '2026-02-23', '2026-03-01'],
  ['2026-03-02', '2026-03-02', '2026-03-01'],
  ['2026-03-07', '2026-03-02', '2026-03-01'],
  ['2026-03-08', '2026-03-02', '2026-03-08'],
])('the week of %s begins on %s, or on Sunday %s', (today, monday, sunday) => {
  const now = Date.parse(`${today}T12:00:00Z`)
  expect([windowsOf(now, 'UTC', 'monday').week, windowsOf(now, 'UTC', 'sunday').week]).toEqual([monday, sunday])
})

test('late in a month the earliest start is the first of the month', () => {
  expect(windowsOf(Date.parse('2026-03-20T12:00:00Z'), 'UTC', 'monday')).toMatchObject({ month: '2026-03-01', since: '2026-03-01' })
})

test.each([
  ['Asia/Kolkata', true],
  ['Asia/Kathmandu', true],
  ['America/St_Johns', true],
  ['Asia/Tokyo', false],
])('days in %s begin within an hour: %s', (zone, between) => {
  expect(windowsOf(at, zone, 'monday').betweenHours).toBe(between)
})

test('a time zone with a half-hour offset change is checked on the days of the period', () => {
  // Lord Howe is 10:30 ahead, and 11:00 in summer, which ended at 15:00 UTC on 4 April.
  const days = (text: string) => windowsOf(Date.parse(text), 'Australia/Lord_Howe', 'monday').betweenHours
  expect(days('2026-03-20T12:00:00Z')).toBe(false)
  expect(days('2026-04-04T15:30:00Z')).toBe(true)
})
