import { expect, test } from 'vitest'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import { namesOf, recordFor, recordProblems, relativeName } from './rules.ts'

const record = (given: Partial<RecordInput>): RecordInput => ({ type: 'A', name: 'www', content: '192.0.2.1', ...given })

test('a profile record becomes a record of the domain, with the domain name filled in', () => {
  expect(recordFor(record({ type: 'CNAME', content: 'x.{{domain}}' }), 'shop.example').record).toMatchObject({
    name: 'www.shop.example',
    content: 'x.shop.example',
  })
})

test('each problem is reported with the index of its record', () => {
  expect(recordProblems([record({}), record({ content: 'x' }), record({ name: 'a b', ttl: 5 })])).toMatchObject([
    { index: 1, field: 'content', code: 'record_ipv4' },
    { index: 2, field: 'name', code: 'record_name' },
    { index: 2, field: 'ttl', code: 'record_ttl' },
  ])
  expect(recordProblems([])).toEqual([])
})

test('a CNAME conflicts with addresses and other CNAMEs of its name, but not with other records', () => {
  const alias = record({ type: 'CNAME', content: 'example.net' })
  const cnameIssues = (index: number) => ({ index, field: 'name', code: 'profile_cname_conflict' })
  expect(recordProblems([alias, record({})])).toEqual([cnameIssues(0)])
  expect(recordProblems([record({ type: 'AAAA', content: '2001:db8::1' }), alias])).toEqual([cnameIssues(1)])
  expect(recordProblems([alias, record({ type: 'CNAME', content: 'example.org' })])).toEqual([cnameIssues(0), cnameIssues(1)])
  expect(recordProblems([alias, record({ name: 'shop' }), record({ type: 'TXT', content: 'x' })])).toEqual([])
  expect(recordProblems([record({}), record({ content: '192.0.2.2' })])).toEqual([])
  // An invalid record is not checked for conflicts.
  expect(recordProblems([alias, record({ content: 'x' })]).map(({ code }) => code)).toEqual(['record_ipv4'])
})

test.each([
  ['example.com', '@'],
  ['www.example.com', 'www'],
  ['a.b.example.com', 'a.b'],
  ['notexample.com', 'notexample.com'],
  ['www.example.org', 'www.example.org'],
])('%s in example.com is %s', (name, relative) => {
  expect(relativeName(name, 'example.com')).toBe(relative)
})

test('the names of a profile are unique, in the provider’s notation, without invalid ones', () => {
  const names = ['www', '@', 'WWW', 'тест', 'a b'].map((name) => record({ name }))
  expect(namesOf(names)).toEqual(['www', '@', 'xn--e1aybc'])
})
