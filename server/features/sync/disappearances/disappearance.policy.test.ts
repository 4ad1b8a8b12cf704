import { expect, test } from 'vitest'
import { isMassDisappearance, pickSample, sampleSize } from './disappearance.policy.ts'

test.each([
  [0, 0, false],
  [1, 1, true],
  [1, 2, false],
  [5, 6, false],
  [6, 7, true],
  [6, 299, true],
  [6, 300, false],
  [20, 1_000, false],
  [21, 1_000, true],
])('%i missing of %i are held: %s', (missing, known, held) => {
  expect(isMassDisappearance(missing, known)).toBe(held)
})

test('a sample contains each zone once, and no more than there are', () => {
  const keys = Array.from({ length: 100 }, (_, n) => String(n))
  const sample = pickSample(keys)
  expect(new Set(sample).size).toBe(sampleSize)
  expect(pickSample(['a', 'b'], () => 0.999).toSorted()).toEqual(['a', 'b'])
  expect(pickSample(['a', 'b', 'c'], () => 0.5)).toEqual(['b', 'c', 'a'])
})
