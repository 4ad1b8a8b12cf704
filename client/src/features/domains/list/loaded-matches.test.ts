import { expect, test } from 'vitest'
import type { ListedDomain, DomainFilter } from '#shared/features/domains/schema.ts'
import { loadedMatches } from './loaded-matches.ts'

const rows = [
  {
    name: 'shop-a.com',
    displayName: 'shop-a.com',
    status: 'active',
    sslMode: 'off',
    https: true,
    botFightMode: true,
    dnssecStatus: 'pending',
    originCertificate: 'none',
    traffic: { requests: 0 },
    groupId: 'g',
    accountId: 'a',
  },
  {
    name: 'xn--e1aybc.xn--p1ai',
    displayName: 'тест.рф',
    status: 'pending',
    sslMode: 'full',
    https: false,
    botFightMode: false,
    dnssecStatus: 'disabled',
    originCertificate: 'expires_soon',
    traffic: { requests: 12 },
    groupId: null,
    accountId: 'b',
  },
  {
    name: 'shop-b.com',
    displayName: 'shop-b.com',
    status: 'active',
    sslMode: null,
    https: null,
    botFightMode: null,
    dnssecStatus: null,
    originCertificate: null,
    traffic: null,
    groupId: 'h',
    accountId: 'a',
  },
] as unknown as readonly ListedDomain[]
const found = (filter: DomainFilter) => loadedMatches(rows, filter)?.map((row) => rows.indexOf(row))

test('R-DOM-02 loaded rows are searched by any part of the name in either form, and filters combine', () => {
  expect(found({})).toEqual([0, 1, 2])
  expect(found({ search: 'OP-' })).toEqual([0, 2])
  expect(found({ search: 'ТЕСТ' })).toEqual([1])
  expect(found({ search: 'xn--e1' })).toEqual([1])
  expect(found({ search: 'shop', status: 'pending' })).toEqual([])
  expect(found({ accountIds: ['a'], groupIds: ['h'] })).toEqual([2])
})

test('R-DOM-02 unread settings match no value', () => {
  expect(found({ ssl: 'on' })).toEqual([1])
  expect(found({ ssl: 'off' })).toEqual([0])
  expect(found({ https: 'disabled' })).toEqual([1])
  expect(found({ botFightMode: 'disabled' })).toEqual([1])
  expect(found({ botFightMode: 'enabled', dnssec: 'pending' })).toEqual([0])
  expect(found({ originCertificate: 'none' })).toEqual([0])
  expect(found({ traffic: 'none' })).toEqual([0])
  expect(found({ traffic: 'some' })).toEqual([1])
  expect(found({ traffic: 'ungrouped' })).toEqual([1])
  expect(found({ traffic: 'ungrouped', accountIds: ['a'] })).toEqual([])
  expect(found({ originCertificate: 'expires_soon' })).toEqual([1])
})

test('R-DOM-02 a filter that only the server can answer gets no early rows', () => {
  expect(found({ ip: '203.0.113.1' })).toBeUndefined()
  expect(found({ search: 'shop', email: 'a@' })).toBeUndefined()
  expect(found({ traffic: 'idle' })).toBeUndefined()
  expect(found({ email: undefined, search: 'shop-b' })).toEqual([2])
})
