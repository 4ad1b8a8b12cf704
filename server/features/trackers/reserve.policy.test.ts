import { expect, test } from 'vitest'
import { problemsOf } from './reserve.policy.ts'
import type { ReserveRow } from './reserve.repo.ts'

const now = Date.parse('2026-03-01T00:00:00Z')
const ready: ReserveRow = {
  domainId: 'zone',
  ownerId: 'owner',
  name: 'spare.example',
  account: 'ann@example.com',
  status: 'active',
  paused: false,
  gone: false,
  phishing: false,
  health: 'ok',
  bound: false,
  paidUntil: null,
  unread: false,
  recordsMissing: false,
  groupId: null,
  groupName: null,
  note: null,
  addedAt: '2026-01-01T00:00:00Z',
}

test('a domain without problems is ready, also with warnings or an unknown expiry', () => {
  expect(problemsOf(ready, now)).toEqual([])
  expect(problemsOf({ ...ready, health: 'warnings' }, now)).toEqual([])
})

test.each<[string, Partial<ReserveRow>]>([
  ['gone', { gone: true }],
  ['not_active', { status: 'pending' }],
  ['paused', { paused: true }],
  ['phishing', { phishing: true }],
  ['unhealthy', { health: 'critical' }],
  ['bound', { bound: true }],
  ['paid_soon', { paidUntil: '2026-03-30T23:59:59Z' }],
  ['unread', { unread: true }],
  ['records_missing', { recordsMissing: true }],
])('%s disqualifies a domain as a replacement', (problem, change) => {
  expect(problemsOf({ ...ready, ...change }, now)).toEqual([problem])
})

test('thirty days until expiry are enough, and all problems are listed', () => {
  expect(problemsOf({ ...ready, paidUntil: '2026-03-31T00:00:00Z' }, now)).toEqual([])
  expect(problemsOf({ ...ready, gone: true, bound: true, unread: true }, now)).toEqual(['gone', 'bound', 'unread'])
})
