import { expect, test } from 'vitest'
import { selectedOf, inOrder } from './use-sellers.ts'

const all = inOrder([
  { id: 'a', name: 'Alpha', health: 'auth_error' },
  { id: 'c', name: 'Gamma', health: 'unknown' },
  { id: 'b', name: 'Beta', health: 'working' },
  { id: 'd', name: 'Delta', health: 'api_error' },
])
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id)

test('R-BUY-01 failing registrars are listed last and are asked only when they are selected', () => {
  expect(ids(all)).toEqual(['b', 'c', 'a', 'd'])
  expect(ids(selectedOf(all, null))).toEqual(['b', 'c'])
  expect(ids(selectedOf(all, ['d', 'b']))).toEqual(['b', 'd'])
  expect(selectedOf(all, [])).toEqual([])
})
