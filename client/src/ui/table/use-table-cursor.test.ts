import { expect, test } from 'vitest'
import { placeAfter, stepOf } from './use-table-cursor.ts'

test('arrow keys move by a row and by a card in a grid of cards, and by a row in a list', () => {
  const keys = ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'PageDown', 'Home', 'End', 'a']
  expect(keys.map((key) => stepOf(key, { columns: 4, pageRows: 3 }))).toEqual([4, -4, 1, -1, 12, -Infinity, Infinity, null])
  expect(keys.map((key) => stepOf(key, { columns: 1, pageRows: 3 }))).toEqual([1, -1, null, null, 3, -Infinity, Infinity, null])
})

test('without a current row a step goes to the first, and End to the last', () => {
  expect([1, -1, -Infinity, Infinity].map((by) => placeAfter(null, by))).toEqual([0, 0, 0, Infinity])
  expect([1, -1, -Infinity, Infinity].map((by) => placeAfter(4, by))).toEqual([5, 3, -Infinity, Infinity])
})
