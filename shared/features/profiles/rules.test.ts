import { expect, test } from 'vitest'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import {
  fillRule,
  isProfileRef,
  namesOf,
  profileRef,
  recordFor,
  recordProblems,
  relativeName,
  ruleCosts,
  unknownVariable,
} from './rules.ts'

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

const rule = (over: object = {}) => ({
  description: '',
  expression: 'ssl',
  enabled: true,
  action: 'block',
  actionParameters: null,
  ratelimit: null,
  ...over,
})
const variables = { domain: 'shop.example', trackerHost: null }

test('the variables of a rule are filled in everywhere, once', () => {
  const given = rule({
    expression: '(http.host eq "www.{{domain}}" or http.host eq "{{ Domain }}")',
    actionParameters: { from_value: { target_url: { value: 'https://{{domain}}/' }, status_code: 301, list: ['{{domain}}', 1, null] } },
  })
  expect(fillRule(given, variables)).toEqual({
    rule: {
      ...given,
      expression: '(http.host eq "www.shop.example" or http.host eq "shop.example")',
      actionParameters: {
        from_value: { target_url: { value: 'https://shop.example/' }, status_code: 301, list: ['shop.example', 1, null] },
      },
    },
  })
  expect(fillRule(rule({ expression: '"{{domain}}"' }), { ...variables, domain: '{{domain}}' })).toMatchObject({
    rule: { expression: '"{{domain}}"' },
  })
})

test('a rule is refused without a value for its variable, or if it is too long with the domain filled in', () => {
  expect(fillRule(rule({ expression: '{{tracker_host}}' }), variables)).toEqual({ refused: 'variable_missing' })
  expect(fillRule(rule({ actionParameters: { phases: ['{{tracker_host}}'] } }), variables)).toEqual({ refused: 'variable_missing' })
  expect(fillRule(rule({ expression: '{{domain}}'.padEnd(4_095, 'x') }), variables)).toEqual({ refused: 'expression_too_long' })
})

test('a placeholder that is no variable is found', () => {
  expect(unknownVariable(rule({ expression: '{{domain}} {{tracker_host}} {{{{' }))).toBeNull()
  expect(unknownVariable(rule({ expression: '"{{domian}}"' }))).toBe('{{domian}}')
  expect(unknownVariable(rule({ actionParameters: { value: '{{ value }}' } }))).toBe('{{ value }}')
})

test('the rules of a profile are recognized by their reference', () => {
  const ref = profileRef('01a21c35-1004-7d00-b388-f3b3e1c5df68', 'www')
  expect([ref, isProfileRef(ref)]).toEqual(['zonedeck_f3b3e1c5df68_www', true])
  expect([null, 'terraform_1', `zonedeck_${'0'.repeat(32)}`].map(isProfileRef)).toEqual([false, false, false])
})

test('the cost of rules is counted by phase, in the order in which they run', () => {
  const phases = ['http_ratelimit', 'http_request_firewall_custom', 'http_request_firewall_custom'] as const
  expect(ruleCosts(phases.map((phase) => ({ phase })))).toMatchObject([
    { phase: 'http_request_firewall_custom', rules: 2, limits: { free: 5 } },
    { phase: 'http_ratelimit', rules: 1, limits: { free: 1 } },
  ])
})
