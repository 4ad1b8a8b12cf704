import { describe, expect, test } from 'vitest'
import { fieldChanges, kindOf, stepWord } from './field-changes.ts'
import { parameterLines } from './parameter-lines.ts'

const record = {
  id: 'r1',
  type: 'A',
  name: 'www.example.com',
  content: '192.0.2.1',
  ttl: 1,
  proxied: true,
  proxiable: true,
  priority: null,
  comment: null,
  tags: [],
  data: null,
  modifiedAt: '2026-11-21T09:00:00.000Z',
}

test('a changed record shows only the fields that changed', () => {
  const after = { ...record, content: '192.0.2.2', ttl: 300, modifiedAt: '2026-11-21T10:00:00.000Z' }
  expect(kindOf({ subject: 'record', before: record, after })).toBe('changed')
  expect(fieldChanges({ subject: 'record', before: record, after })).toEqual([
    { field: 'content', before: '192.0.2.1', after: '192.0.2.2' },
    { field: 'ttl', before: 1, after: 300 },
  ])
})

test('an added or deleted record shows its non-empty fields', () => {
  expect(kindOf({ subject: 'record', before: null, after: record })).toBe('created')
  expect(fieldChanges({ subject: 'record', before: null, after: record }).map(({ field }) => field)).toEqual(['content', 'ttl', 'proxied'])
  expect(kindOf({ subject: 'record', before: record, after: null })).toBe('deleted')
})

test('a setting shows its value, and a header with several parts only the changed parts', () => {
  expect(fieldChanges({ subject: 'setting', before: { value: 'full' }, after: { value: 'strict' } })).toEqual([
    { field: 'value', before: 'full', after: 'strict' },
  ])
  const header = { enabled: false, max_age: 0, include_subdomains: false, preload: false, nosniff: true }
  const side = (part: object) => ({ value: { strict_transport_security: { ...header, ...part } } })
  expect(fieldChanges({ subject: 'setting', before: side({}), after: side({ enabled: true, max_age: 2_592_000 }) })).toEqual([
    { field: 'enabled', before: false, after: true },
    { field: 'max_age', before: 0, after: 2_592_000 },
  ])
})

test.each([[null], ['text'], [{ strange: true }]])('unknown values (%j) do not throw', (side) => {
  expect(() => fieldChanges({ subject: 'record', before: side, after: side })).not.toThrow()
  expect(() => fieldChanges({ subject: 'setting', before: side, after: side })).not.toThrow()
})

test('undoing an added record is labeled as a deletion, and undoing a deletion as an addition', () => {
  const record = { content: '192.0.2.1' }
  expect(stepWord({ state: 'will_change', now: record, wanted: null }, 'record')).toBe('will_delete')
  expect(stepWord({ state: 'will_change', now: null, wanted: record }, 'record')).toBe('will_add')
  expect(stepWord({ state: 'will_change', now: record, wanted: record }, 'record')).toBe('will_change')
  expect(stepWord({ state: 'already', now: null, wanted: null }, 'record')).toBe('already')
  expect(stepWord({ state: 'will_change', now: null, wanted: 'id' }, 'zone')).toBe('will_change')
})

describe('rules', () => {
  const definition = { description: 'Bots', expression: '(cf.client.bot)', action: 'skip', enabled: true, ref: 'zonedeck_1' }
  const side = { phase: 'http_request_firewall_custom', position: 1, id: 'a', ref: 'zonedeck_1', definition }

  test('of a changed rule only the differing fields are shown, of an added one all but its name', () => {
    const after = { ...side, position: 3, definition: { ...definition, enabled: false } }
    expect(fieldChanges({ subject: 'rule', before: side, after })).toEqual([{ field: 'enabled', before: true, after: false }])
    expect(fieldChanges({ subject: 'rule', before: null, after: side }).map(({ field }) => field)).toEqual(['expression', 'action'])
    expect(kindOf({ subject: 'rule', before: null, after: side })).toBe('created')
  })

  test('an order shows names and no ids', () => {
    const order = {
      subject: 'rule_order',
      before: { value: ['a', 'b'], names: ['Bots', 'Office'] },
      after: { value: ['b', 'a'], names: ['Office', 'Bots'] },
    } as const
    expect(fieldChanges(order)).toEqual([{ field: 'value', before: ['Bots', 'Office'], after: ['Office', 'Bots'] }])
    expect(fieldChanges({ ...order, before: ['a', 'b'] })).toEqual([])
    expect(kindOf(order)).toBe('changed')
  })
})

test('the parameters of a rule are lines with the full name of each, also of those inside a list', () => {
  const redirect = { from_value: { target_url: { value: 'https://shop.example' }, status_code: 301, preserve_query_string: true } }
  expect(parameterLines(redirect)).toEqual([
    'from_value.target_url.value: https://shop.example',
    'from_value.status_code: 301',
    'from_value.preserve_query_string: true',
  ])
  expect(parameterLines({ ruleset: 'current', products: ['bic', 'waf'], overrides: [{ id: 'r1', enabled: false }], edge_ttl: {} })).toEqual(
    ['ruleset: current', 'products: bic, waf', 'overrides.0.id: r1', 'overrides.0.enabled: false', 'edge_ttl: {}'],
  )
  expect(parameterLines({})).toEqual([])
})
