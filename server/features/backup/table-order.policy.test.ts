import { expect, test } from 'vitest'
import { inOrder } from './table-order.policy.ts'

const table = (name: string, ...refersTo: string[]) => ({ name, refersTo })
const names = (...tables: ReturnType<typeof table>[]) => inOrder(tables).map(({ name }) => name)

test('each table follows all tables it references, otherwise in the given order', () => {
  expect(
    names(table('records', 'zones'), table('users'), table('zones', 'accounts', 'users'), table('accounts', 'users'), table('settings')),
  ).toEqual(['users', 'settings', 'accounts', 'zones', 'records'])
  expect(names()).toEqual([])
})

test('tables with circular references are refused by name, and no others', () => {
  expect(() => names(table('users'), table('a', 'b'), table('b', 'a', 'users'))).toThrow('reference each other in a cycle: a, b')
  expect(() => names(table('self', 'self'))).toThrow('cycle: self')
})
