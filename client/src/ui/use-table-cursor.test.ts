import { expect, test } from 'vitest'
import { stepOf } from './use-table-cursor.ts'

test('arrows move by a line of cards and by a card in a grid, by a row in a list', () => {
  const keys = ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'PageDown', 'Home', 'End', 'a']
  expect(keys.map((key) => stepOf(key, { columns: 4, pageRows: 3 }))).toEqual([4, -4, 1, -1, 12, -Infinity, Infinity, null])
  expect(keys.map((key) => stepOf(key, { columns: 1, pageRows: 3 }))).toEqual([1, -1, null, null, 3, -Infinity, Infinity, null])
})
