import { expect, test } from 'vitest'
import { spanParts } from './format.ts'

const [minute, hour, day] = [60, 3600, 86_400]
const parts = (seconds: number) => spanParts(seconds * 1000)

test('the duration of an outage is shown in its two largest units', () => {
  expect(parts(42)).toEqual([42])
  expect(parts(12 * minute + 50)).toEqual([12 * minute])
  expect(parts(2 * hour + 5 * minute + 59)).toEqual([2 * hour, 5 * minute])
  expect(parts(3 * day + 59 * minute)).toEqual([3 * day])
  expect(parts(3 * day + 4 * hour + 59 * minute)).toEqual([3 * day, 4 * hour])
  expect(parts(-5)).toEqual([0])
})
