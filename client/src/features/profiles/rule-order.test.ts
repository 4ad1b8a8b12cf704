import { expect, test } from 'vitest'
import { dragged, inOrder, newKey, stepped } from './rule-order.ts'

const waf = 'http_request_firewall_custom'
const redirects = 'http_request_dynamic_redirect'
const rule = (key: string, place: 'first' | 'last', phase: typeof waf | typeof redirects = waf) => ({ key, place, phase })
const names = (rules: readonly { key: string; place: string }[] | null) => rules?.map(({ key, place }) => `${key} ${place}`)

test('rules are ordered by phase and place, and keep their order otherwise', () => {
  expect(names(inOrder([rule('b', 'last'), rule('a', 'last'), rule('c', 'first'), rule('d', 'last', redirects)]))).toEqual([
    'd last',
    'c first',
    'b last',
    'a last',
  ])
})

test('a step changes places with a neighbour of the same place, or goes over the rules of the domain', () => {
  const rules = [rule('d', 'last', redirects), rule('a', 'first'), rule('b', 'last'), rule('c', 'last')]
  expect(names(stepped(rules, 3, -1))).toEqual(['d last', 'a first', 'c last', 'b last'])
  expect(names(stepped(rules, 2, -1))).toEqual(['d last', 'a first', 'b first', 'c last'])
  expect(names(stepped(rules, 1, 1))).toEqual(['d last', 'a last', 'b last', 'c last'])
  expect(names(stepped(rules, 0, -1))).toEqual(['d first', 'a first', 'b last', 'c last'])
})

test('there is no step over the end of a phase', () => {
  const rules = [rule('d', 'last', redirects), rule('a', 'first'), rule('b', 'last')]
  expect([stepped(rules, 0, 1), stepped(rules, 1, -1), stepped(rules, 2, 1), stepped(rules, 9, 1)]).toEqual([null, null, null, null])
})

test('a dragged rule is before or after the rules of the domain like its new neighbours, and as it was between both', () => {
  const rules = [rule('d', 'last', redirects), rule('a', 'first'), rule('b', 'first'), rule('c', 'last')]
  expect(names(dragged(rules, 3, 1))).toEqual(['d last', 'c first', 'a first', 'b first'])
  expect(names(dragged(rules, 3, 2))).toEqual(['d last', 'a first', 'c first', 'b first'])
  expect(names(dragged(rules, 1, 3))).toEqual(['d last', 'b first', 'c last', 'a last'])
  expect(names(dragged(rules, 1, 2))).toEqual(['d last', 'b first', 'a first', 'c last'])
  expect(names(dragged(rules.with(2, rule('b', 'last')), 2, 1))).toEqual(['d last', 'b first', 'a first', 'c last'])
  for (const from of [1, 2, 3]) for (const to of [1, 2, 3]) expect(inOrder(dragged(rules, from, to))).toEqual(dragged(rules, from, to))
})

test('a new key is short, valid and not taken', () => {
  const keys = Array.from({ length: 200 }).reduce<{ key: string }[]>((all) => [...all, { key: newKey(all) }], [])
  expect(new Set(keys.map(({ key }) => key)).size).toBe(200)
  for (const { key } of keys) expect(key).toMatch(/^[a-z0-9]{1,8}$/)
})
