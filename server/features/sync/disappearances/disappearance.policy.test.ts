import { expect, test } from 'vitest'
import { isMassDisappearance, pickSample, sampleSize } from './disappearance.policy.ts'

test.each([
  [20, 20, false],
  [21, 21, true],
  [21, 400, true],
  [21, 420, false],
  [50, 1_000, false],
  [51, 1_000, true],
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
