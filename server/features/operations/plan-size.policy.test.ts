import { expect, test } from 'vitest'
import { createPlanSize } from './plan-size.policy.ts'

const plan = (characters: number) => 'x'.repeat(characters - 2)

test('small plans are made for two thousand domains at a time, large ones for fewer, and the first batch is small', () => {
  const small = createPlanSize()
  expect(small.next()).toBe(200)
  small.add(200, [])
  expect(small.next()).toBe(2_000)
  small.add(
    100,
    Array.from({ length: 100 }, () => plan(3_000)),
  )
  expect(small.next()).toBe(2_000)

  const large = createPlanSize()
  large.add(
    100,
    Array.from({ length: 100 }, () => plan(200_000)),
  )
  expect(large.next()).toBe(100)
  large.add(1, [plan(40_000_000)])
  expect(large.next()).toBe(33)
  const huge = createPlanSize()
  huge.add(1, [plan(50_000_000)])
  expect(huge.next()).toBe(10)
})

test('a plan too large for the process is refused during planning', () => {
  const size = createPlanSize(1_000)
  size.add(5, [plan(500), plan(500)])
  expect(() => size.add(5, [plan(10)])).toThrow('operation_too_large')
})
