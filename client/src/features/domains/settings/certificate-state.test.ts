import { expect, test } from 'vitest'
import type { Certificate } from '#shared/features/domains/settings/schema.ts'
import { placeOf, timelineOf, timesOf } from './certificate-state.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const certificate = (part: Partial<Certificate>): Certificate => ({
  id: 'c1',
  type: 'universal',
  status: 'active',
  state: 'active',
  hosts: ['example.com'],
  authority: 'google',
  validityDays: 90,
  validationMethod: 'txt',
  expiresAt: new Date(nowMs + 60 * dayMs).toISOString(),
  validationRecords: [],
  validationErrors: [],
  ...part,
})
const inDays = (days: number) => ({ expiresAt: new Date(nowMs + days * dayMs).toISOString() })

test.each([
  ['with a distant expiry', certificate({}), 'good', 60],
  ['that expires soon', certificate(inDays(5)), 'warn', 5],
  ['of 14 days on its first day', certificate({ validityDays: 14, ...inDays(13) }), 'good', 13],
  ['of 14 days in its last third', certificate({ validityDays: 14, ...inDays(4) }), 'warn', 4],
  ['that has expired, even if the provider still calls it active', certificate(inDays(-2)), 'bad', -2],
  ['that is pending', certificate({ state: 'pending_validation', expiresAt: null }), 'info', null],
])('R-DET-04 the tone and remaining days of a certificate %s', (_name, given, tone, daysLeft) => {
  expect(timesOf(given, nowMs)).toMatchObject({ tone, daysLeft })
})

test('R-DET-04 the timeline shows every certificate and today, in order', () => {
  const times = [timesOf(certificate({}), nowMs), timesOf(certificate(inDays(-20)), nowMs)]
  const line = timelineOf(times, nowMs)
  const places = [times[1]?.fromMs, times[1]?.toMs, nowMs, times[0]?.toMs].map((ms) => placeOf(line, ms ?? 0))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(Math.min(...places)).toBeGreaterThan(0)
  expect(Math.max(...places)).toBeLessThan(100)
  expect(line.months.length).toBeLessThanOrEqual(5)
})

test('R-DET-04 a certificate of fifteen years leaves room for the others', () => {
  const line = timelineOf([timesOf(certificate({ validityDays: 5_475, ...inDays(5_000) }), nowMs), timesOf(certificate({}), nowMs)], nowMs)
  expect((line.toMs - line.fromMs) / dayMs).toBeLessThan(1_200)
})
