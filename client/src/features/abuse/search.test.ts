import { expect, test } from 'vitest'
import { parseAbuseSearch, queryOf } from './search.ts'

const id = '00000000-0000-4000-8000-000000000000'

test('the URL of the abuse reports keeps known filters and ignores the rest', () => {
  const search = { account: id, domain: id, q: 'shop', kind: 'phishing', state: 'open', report: id }
  expect(parseAbuseSearch(search)).toEqual(search)
  expect(parseAbuseSearch({ account: 'x', kind: 'PHISH', state: 1, report: '../', other: 'y' })).toEqual({})
})

test('the filters become those of the server', () => {
  expect(queryOf({ account: id, domain: id, q: 'shop', kind: 'phishing', state: 'open', report: id })).toEqual({
    accountId: id,
    domainId: id,
    search: 'shop',
    kind: 'phishing',
    state: 'open',
  })
  expect(queryOf({})).toEqual({})
})
