import { expect, test } from 'vitest'
import { chosenOf, inOrder } from './choose-sellers.ts'

const all = inOrder([
  { id: 'a', name: 'Alpha', health: 'auth_error' },
  { id: 'c', name: 'Gamma', health: 'unknown' },
  { id: 'b', name: 'Beta', health: 'working' },
  { id: 'd', name: 'Delta', health: 'api_error' },
])
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id)

test('R-BUY-01 registrars that do not work come last, and are asked only where somebody says so', () => {
  expect(ids(all)).toEqual(['b', 'c', 'a', 'd'])
  expect(ids(chosenOf(all, null))).toEqual(['b', 'c'])
  expect(ids(chosenOf(all, ['d', 'b']))).toEqual(['b', 'd'])
  expect(chosenOf(all, [])).toEqual([])
})
