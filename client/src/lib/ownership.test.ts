import { expect, test } from 'vitest'
import { chooseOwned, ownersOf, parseOwnership } from './ownership.ts'

const anna = '01988888-8888-7888-8888-888888888888'
const boris = '01999999-9999-7999-9999-999999999999'
const items = [
  { name: 'a', ownerId: anna, ownerName: 'Anna · anna', shared: null },
  { name: 'b', ownerId: boris, ownerName: 'Anna · boris', shared: { by: 'Anna · boris', level: 'view' as const } },
  { name: 'c', ownerId: anna, ownerName: 'Anna · anna', shared: null },
]
const selectNames = (search: Parameters<typeof chooseOwned>[1]) => chooseOwned(items, search).map(({ name }) => name)

test('R-PRM-02 a list is filtered by owner, and by shared or own', () => {
  expect(selectNames({})).toEqual(['a', 'b', 'c'])
  expect(selectNames({ owner: anna })).toEqual(['a', 'c'])
  expect(selectNames({ whose: 'shared' })).toEqual(['b'])
  expect(selectNames({ whose: 'own' })).toEqual(['a', 'c'])
  expect(selectNames({ owner: boris, whose: 'own' })).toEqual([])
})

test('R-PRM-02 owners with the same name are distinguished by their usernames', () => {
  expect(ownersOf(items)).toEqual([
    { id: anna, name: 'Anna · anna', count: 2 },
    { id: boris, name: 'Anna · boris', count: 1 },
  ])
})

test('ownership filters are read from the URL, and anything else is dropped', () => {
  expect(parseOwnership({ owner: anna.toUpperCase(), whose: 'shared' })).toEqual({ owner: anna, whose: 'shared' })
  for (const bad of [{}, { owner: 'me', whose: 'mine' }, { owner: 7, whose: ['own'] }]) expect(parseOwnership(bad)).toEqual({})
})
