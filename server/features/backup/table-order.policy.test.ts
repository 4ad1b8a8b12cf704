import { expect, test } from 'vitest'
import { inOrder } from './table-order.policy.ts'

const table = (name: string, ...refersTo: string[]) => ({ name, refersTo })
const names = (...tables: ReturnType<typeof table>[]) => inOrder(tables).map(({ name }) => name)

test('each table comes behind all that it refers to, otherwise in the given order', () => {
  expect(
    names(table('records', 'zones'), table('users'), table('zones', 'accounts', 'users'), table('accounts', 'users'), table('settings')),
  ).toEqual(['users', 'settings', 'accounts', 'zones', 'records'])
  expect(names()).toEqual([])
})

test('tables that refer to each other in a circle are refused by name, and only those', () => {
  expect(() => names(table('users'), table('a', 'b'), table('b', 'a', 'users'))).toThrow('reference each other in a cycle: a, b')
  expect(() => names(table('self', 'self'))).toThrow('cycle: self')
})
