import { expect, test } from 'vitest'
import type { Operation } from '#shared/features/operations/schema.ts'
import { roundMeasured, roundSeconds, secondsLeft, shownState } from './operation-progress.ts'

test('the duration of an operation is shown as measured, and only an estimate is rounded up', () => {
  expect([0.04, 0.68, 1.52, 9.94, 47.3, 119, 3_700, 90_000].map((seconds) => Number(roundMeasured(seconds).toFixed(3)))).toEqual([
    0.1, 0.7, 1.5, 9.9, 47, 119, 3_720, 90_000,
  ])
  expect([0.7, 47.3, 200].map(roundSeconds)).toEqual([5, 45, 180])
})

test('the remaining time is estimated from the pace since the work resumed, without the pause before it', () => {
  const operation = { state: 'running', total: 254, done: 53, failed: 1, skipped: 0, cancelled: 0 } as Operation
  const hourMs = 3_600_000
  expect(secondsLeft(operation, { ms: hourMs, finished: 4 }, hourMs + 5_000)).toBe(20)
  expect(secondsLeft(operation, { ms: hourMs, finished: 54 }, hourMs + 5_000)).toBeNull()
  expect(secondsLeft({ ...operation, state: 'paused' }, { ms: hourMs, finished: 4 }, hourMs + 5_000)).toBeNull()
})

test.each([
  [{ done: 10, failed: 0, skipped: 0 }, 'done'],
  [{ done: 9, failed: 1, skipped: 0 }, 'partly'],
  [{ done: 8, failed: 1, skipped: 1 }, 'partly'],
  [{ done: 9, failed: 0, skipped: 1 }, 'skipped'],
  [{ done: 0, failed: 0, skipped: 10 }, 'skipped'],
  [{ done: 0, failed: 10, skipped: 0 }, 'failed'],
  [{ done: 10, attention: 1, failed: 0, skipped: 0 }, 'attention'],
] as const)('R-ERR-04 an operation of ten that ended with %j is called %s', (counts, state) => {
  const ended = { state: 'done', total: 10, cancelled: 0, scheduledAt: null, trialOver: false, ...counts } as unknown as Operation
  expect(shownState(ended)).toBe(state)
  expect(shownState({ ...ended, state: 'running', done: 1 })).toBe('running')
})
