import { expect, test } from 'vitest'
import { firstOf } from './first-of.ts'

test('of many the first are named, and the others are counted', () => {
  expect(firstOf([], 2)).toEqual({ shown: [], more: 0 })
  expect(firstOf(['a'], 2)).toEqual({ shown: ['a'], more: 0 })
  expect(firstOf(['a', 'b'], 2)).toEqual({ shown: ['a', 'b'], more: 0 })
  expect(firstOf(['a', 'b', 'c'], 2)).toEqual({ shown: ['a', 'b'], more: 1 })
})
