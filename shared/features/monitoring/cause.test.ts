import { expect, test } from 'vitest'
import { causes, causeValue, readCause } from './cause.ts'

test('a stored cause is parsed back, including an IPv6 address', () => {
  expect(readCause(causes.account('a1'))).toEqual({ kind: 'account', id: 'a1' })
  expect(readCause(causes.registrar('r1'))).toEqual({ kind: 'registrar', id: 'r1' })
  expect(readCause(causes.origin('2001:db8::1'))).toEqual({ kind: 'origin', address: '2001:db8::1' })
  expect(readCause(causes.tracker('t1'))).toEqual({ kind: 'tracker', id: 't1' })
  expect(readCause(causes.name_servers(['Bob.ns.example', 'ada.ns.example']))).toEqual({
    kind: 'name_servers',
    nameServers: ['ada.ns.example', 'bob.ns.example'],
  })
  expect(readCause(causes.code('slow'))).toEqual({ kind: 'code', code: 'slow' })
  expect(['account:a1', 'registrar:r1', 'tracker:t1', 'origin:2001:db8::1', 'name_servers:a,b', 'code:slow'].map(causeValue)).toEqual([
    'a1',
    'r1',
    't1',
    '2001:db8::1',
    'a, b',
    'slow',
  ])
})

test('a cause of a later version is an unknown code', () => {
  expect(readCause('code:from_later')).toEqual({ kind: 'code', code: 'from_later' })
  expect(readCause('planet:mars')).toEqual({ kind: 'code', code: 'mars' })
  expect(readCause('plain')).toEqual({ kind: 'code', code: 'plain' })
})
