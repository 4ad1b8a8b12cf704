import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderedAs, planMoves } from './plan-moves.policy.ts'
import type { Move } from './plan-moves.policy.ts'

function apply(list: readonly string[], { id, after }: Move): string[] {
  const rest = list.filter((each) => each !== id)
  return rest.toSpliced(after === null ? 0 : rest.indexOf(after) + 1, 0, id)
}

test('one moved rule is one move', () => {
  expect(planMoves(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toEqual([{ id: 'd', after: null }])
  expect(planMoves(['a', 'b', 'c', 'd'], ['b', 'c', 'a', 'd'])).toEqual([{ id: 'a', after: 'c' }])
  expect(planMoves(['a', 'b'], ['a', 'b'])).toEqual([])
})

test('the moves lead to the wanted order, and there are fewer than rules', () => {
  const pair = fc
    .uniqueArray(fc.string(), { maxLength: 20 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  fc.assert(
    fc.property(pair, ([present, target]) => {
      const moves = planMoves(present, target)
      expect(moves.reduce(apply, present)).toEqual(target)
      expect(moves.length).toBeLessThanOrEqual(Math.max(0, present.length - 1))
    }),
  )
})

test('fixed rules are not moved, and the others as seldom as possible', () => {
  expect(planMoves(['x', 'a'], ['a', 'x'], new Set(['x']))).toEqual([{ id: 'a', after: null }])
  expect(planMoves(['x', 'a', 'b', 'y'], ['a', 'b', 'x', 'y'], new Set(['x', 'y']))).toEqual([
    { id: 'a', after: null },
    { id: 'b', after: 'a' },
  ])
  expect(planMoves(['a', 'x', 'b', 'c'], ['b', 'c', 'x', 'a'], new Set(['x']))).toHaveLength(3)
})

test('rules that the wanted order does not name keep their places', () => {
  expect(orderedAs(['a', 'x', 'b', 'y', 'c'], ['c', 'gone', 'a'])).toEqual(['c', 'x', 'b', 'y', 'a'])
})
