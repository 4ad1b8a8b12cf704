import { expect, test } from 'vitest'
import { changeKind } from '#shared/features/provider-changes/schema.ts'
import { kinds, parseChangesSearch, queryOf } from './search.ts'

const account = '019ab0d4-0000-7000-8000-000000000001'
const domain = '019ab0d4-0000-7000-8000-000000000002'

test('the URL keeps the filters of changes at the provider, and unknown values are dropped', () => {
  const search = {
    account,
    domain,
    author: 'colleague@example.com',
    kind: 'records',
    review: 'open',
    from: '2026-11-01',
    to: '2026-11-21',
    own: 'yes',
  }
  expect(parseChangesSearch(search)).toEqual(search)
  expect(parseChangesSearch({ account: 'x', domain: 3, kind: 'zones', review: 'all', from: '2026-13-40', own: true, cursor: 'x' })).toEqual(
    {},
  )
  expect(parseChangesSearch({ author: 4_711 })).toEqual({ author: '4711' })
  expect([parseChangesSearch(null), parseChangesSearch('x')]).toEqual([{}, {}])
})

test('only changes from outside the panel are requested, unless its own are wanted too', () => {
  expect(queryOf({})).toEqual({ outside: true })
  expect(queryOf({ own: 'yes' })).toEqual({ outside: false })
})

test('what waits for a review is requested, and of it what is critical', () => {
  expect(queryOf({ review: 'open' })).toEqual({ outside: true, unreviewed: true })
  expect(queryOf({ review: 'critical' })).toEqual({ outside: true, unreviewed: true, critical: true })
})

test('filters are requested under the server’s names, and days from the first to the last moment of local dates', () => {
  expect(queryOf({ account, domain, author: 'deploy', kind: 'rules', from: '2026-02-28', to: '2026-02-28' })).toEqual({
    accountId: account,
    domainId: domain,
    actor: 'deploy',
    kind: 'rules',
    since: new Date(2026, 1, 28).toISOString(),
    before: new Date(2026, 2, 1).toISOString(),
    outside: true,
  })
})

test('every kind of change is an option of the filter', () => {
  expect(kinds).toEqual(changeKind.options)
  for (const kind of kinds) expect(parseChangesSearch({ kind })).toEqual({ kind })
})
