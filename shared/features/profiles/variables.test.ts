import { describe, expect, test } from 'vitest'
import { parseExpression } from '#shared/features/domains/rulesets/expression/parse.ts'
import { fillExpression, fillText, listInString, ownValueIssues, valueProblem, valuesFor, variableIssues } from './variables.ts'
import type { RuleVariables } from './variables.ts'

const variables: RuleVariables = {
  domain: 'shop.example',
  trackerHost: null,
  own: {
    countries: { kind: 'countries', values: ['RU', 'BY'] },
    office: { kind: 'addresses', values: ['192.0.2.0/24', '2001:db8::1'] },
    path: { kind: 'text', values: ['/a b'] },
    nothing: { kind: 'countries', values: [] },
  },
}

describe('values in an expression', () => {
  test.each([
    ['ip.src.country in {{countries}}', 'ip.src.country in {"RU" "BY"}'],
    ['not ip.src in {{ office }} and ssl', 'not ip.src in {192.0.2.0/24 2001:db8::1} and ssl'],
    ['http.request.uri.path eq {{path}}', 'http.request.uri.path eq "/a b"'],
    ['http.request.uri.path eq "{{path}}/x"', 'http.request.uri.path eq "/a b/x"'],
    ['http.host eq r#"{{domain}}"#', 'http.host eq r#"shop.example"#'],
  ])('%s becomes %s, which Cloudflare can read', (given, filled) => {
    expect(fillExpression(given, variables)).toBe(filled)
    expect(parseExpression(filled, { phase: 'http_request_firewall_custom', tier: null })).toMatchObject({ ok: true, warnings: [] })
  })

  test('a variable without values is missing, and a placeholder that is none stays', () => {
    expect(fillExpression('ip.src.country in {{nothing}}', variables)).toBeNull()
    expect(fillExpression('http.host eq "{{tracker_host}}"', variables)).toBeNull()
    expect(fillExpression('"{{constructor}} {{x}}"', variables)).toBe('"{{constructor}} {{x}}"')
  })

  test('a list in a string is found, a list outside of one and a text in one are not', () => {
    expect(listInString('http.host eq "{{path}}" and ip.src.country eq "{{countries}}"', variables)).toBe('{{countries}}')
    expect(listInString('http.host eq "a\\"{{path}}" and ip.src.country in {{countries}}', variables)).toBeNull()
  })

  test('in other texts lists have commas', () => {
    expect(fillText('Only {{countries}} on {{domain}}', variables)).toBe('Only RU, BY on shop.example')
  })
})

describe('what a value may be', () => {
  test.each([
    ['countries', 'RU', null],
    ['countries', 'T1', null],
    ['countries', 'ru', 'variable_country'],
    ['countries', 'UK', 'variable_country'],
    ['countries', 'ZZ', 'variable_country'],
    ['countries', 'A"', 'variable_country'],
    ['addresses', '192.0.2.0/24', null],
    ['addresses', '2001:db8::1', null],
    ['addresses', '192.0.2.1/24', 'variable_address'],
    ['addresses', '1.1.1.1} or ssl or ip.src in {1.1.1.2', 'variable_address'],
    ['text', 'anything {} else', null],
    ['text', 'x" or ssl or "', 'variable_text'],
    ['text', 'x\\', 'variable_text'],
    ['text', 'x\ny', 'variable_text'],
  ] as const)('%s: %j is %s', (kind, value, problem) => {
    expect(valueProblem(kind, value)).toBe(problem)
  })

  test('names are unique and different from the fixed variables, and a text has one value', () => {
    const issues = variableIssues([
      { name: 'domain', kind: 'text', values: [] },
      { name: 'list', kind: 'countries', values: ['RU', 'xx'] },
      { name: 'list', kind: 'text', values: ['a', 'b'] },
    ])
    expect(issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
      '0.name variable_name_taken',
      '1.values.1 variable_country',
      '2.name variable_name_taken',
      '2.values.1 variable_one_value',
    ])
  })

  test('values of a domain or group are checked as those of the profile, and only for its variables', () => {
    const countries = [{ name: 'countries', kind: 'countries' as const, values: [] }]
    expect(ownValueIssues(countries, { countries: ['RU'] })).toEqual([])
    expect(ownValueIssues(countries, { countries: ['RU', '"'] })).toMatchObject([{ path: ['countries', 1], message: 'variable_country' }])
    expect(ownValueIssues(countries, { other: [] })).toMatchObject([{ path: ['other'], message: 'unknown_variable' }])
  })
})

test('the values of a domain win over those of its group, and these over those of the profile', () => {
  const list = (name: string) => ({ name, kind: 'countries' as const, values: ['US'] })
  const given = valuesFor([list('a'), list('b'), list('c')], { a: ['RU'], b: ['RU'], gone: ['RU'] }, { a: ['BY'], b: [] })
  expect(given).toEqual({
    a: { kind: 'countries', values: ['BY'], from: 'domain' },
    b: { kind: 'countries', values: ['RU'], from: 'group' },
    c: { kind: 'countries', values: ['US'], from: 'profile' },
  })
})

test('values that were saved for another kind of the variable never reach an expression', () => {
  const broken = '192.0.2.1} or true or ip.src in {192.0.2.1'
  const own = valuesFor([{ name: 'office', kind: 'addresses', values: ['192.0.2.9'] }], { office: [broken] }, {})
  expect(own).toEqual({ office: { kind: 'addresses', values: [], from: 'group' } })
  expect(fillExpression('ip.src in {{office}}', { domain: 'shop.example', trackerHost: null, own })).toBeNull()
  expect(valuesFor([{ name: 'office', kind: 'text', values: [] }], {}, { office: ['RU', 'BY'] })['office']?.values).toEqual([])
})
