import { expect, test } from 'vitest'
import { roundMeasured, roundSeconds } from './operation-progress.ts'

test('how long an operation took is told as it was measured, and only an estimate is rounded up', () => {
  expect([0.04, 0.68, 1.52, 9.94, 47.3, 119, 3_700, 90_000].map((seconds) => Number(roundMeasured(seconds).toFixed(3)))).toEqual([
    0.1, 0.7, 1.5, 9.9, 47, 119, 3_720, 90_000,
  ])
  expect([0.7, 47.3, 200].map(roundSeconds)).toEqual([5, 45, 180])
})
