import { expect, test } from 'vitest'
import { phasesOf, unitsOf } from './phases.ts'

const timings = { dnsMs: 5, connectMs: 20, tlsMs: null, firstByteMs: 75, totalMs: 130 }

test('the phases of a request add up to its total, and an unknown phase counts as zero', () => {
  expect(phasesOf({ timings }).map(({ ms }) => ms)).toEqual([5, 20, 0, 75, 30])
  const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null }
  expect(phasesOf({ timings: none }).every(({ ms }) => ms === 0)).toBe(true)
})

test('R-MON-05 hours without checks keep their place in the chart', () => {
  const units = unitsOf({ from: '2026-11-21T10:00:00.000Z', to: '2026-11-22T09:30:00.000Z', step: 'hour' })
  expect(units).toHaveLength(24)
  expect(new Date(units.at(-1) ?? 0).toISOString()).toBe('2026-11-22T09:00:00.000Z')
})
