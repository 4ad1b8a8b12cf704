import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import texts from '#shared/i18n/locales/en/validation.json' with { type: 'json' }
import { describeIssue, issueKeyOf } from './describe-issues.ts'

const schemas: Readonly<Record<string, z.ZodType>> = {
  own: z.string().min(1, 'required'),
  text: z.string(),
  whole: z.int(),
  short: z.string().max(2),
  long: z.array(z.number()).min(3),
  one: z.enum(['a', 'b']),
  address: z.union([z.ipv4(), z.ipv6()]),
  id: z.uuid(),
  even: z.number().multipleOf(2),
  strict: z.strictObject({ a: z.number() }),
  pattern: z.string().regex(/^a/),
  refined: z.string().refine(() => false),
  kind: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
}

test.each(Object.entries(schemas))('R-I18-04 every built-in issue of a schema (%s) has our own message', (_name, schema) => {
  const values = [undefined, null, '', 'abc', 1.5, 3, [], {}, { a: 1, b: 2 }]
  const issues = values.flatMap((value) => schema.safeParse(value).error?.issues ?? [])
  expect(issues.length).toBeGreaterThan(3)
  expect(issues.flatMap(describeIssue).filter(({ message }) => !(message in texts))).toEqual([])
})

const shape = z.strictObject({
  mode: z.enum(['replace', 'add']),
  on: z.union([z.enum(['off', 'full']), z.literal('on')]),
  icon: z.enum(['a', 'b'], { error: 'invalid_value' }),
  role: z.enum(['admin'], 'required'),
  change: z.discriminatedUnion('kind', [z.object({ kind: z.literal('ip') }), z.object({ kind: z.literal('purge') })]),
  target: z.union([
    z.strictObject({ ids: z.array(z.uuid()).min(1) }),
    z.strictObject({ filter: z.strictObject({ status: z.enum(['active', 'pending']).optional(), limit: z.int().max(5).optional() }) }),
  ]),
  address: z.union([z.literal(''), z.string().max(10, { error: 'too_long', abort: true })]),
})
const right = { mode: 'add', on: 'on', icon: 'a', role: 'admin', change: { kind: 'ip' }, target: { filter: {} }, address: '' }
const issuesOf = (change: object) =>
  (shape.safeParse({ ...right, ...change }).error?.issues ?? [])
    .flatMap(describeIssue)
    .map(({ path, message, params }) => [path.join('.'), message, params?.['values'] ?? params?.['max'] ?? null])

test.each([
  [{ mode: 'both' }, [['mode', 'invalid_choice', 'replace, add']]],
  [{ mode: undefined }, [['mode', 'invalid_choice', 'replace, add']]],
  [{ on: 'maybe' }, [['on', 'invalid_choice', 'off, full, on']]],
  [{ icon: 'z' }, [['icon', 'invalid_choice', 'a, b']]],
  [{ change: { kind: 'x' } }, [['change.kind', 'invalid_choice', 'ip, purge']]],
  [{ target: { filter: { status: 'x' } } }, [['target.filter.status', 'invalid_choice', 'active, pending']]],
  [{ target: { filter: { limit: 6 } } }, [['target.filter.limit', 'too_big', 5]]],
  [{ target: { ids: [] } }, [['target.ids', 'none_selected', null]]],
  [{ target: { other: 1 } }, [['target', 'invalid_value', null]]],
  [{ role: 'user' }, [['role', 'required', null]]],
  [{ address: 'a'.repeat(11) }, [['address', 'too_long', 10]]],
  [{ address: 5 }, [['address', 'invalid_value', null]]],
  [{ extra: 1 }, [['extra', 'unrecognized_keys', null]]],
])('R-I18-04 %j is rejected with the accepted values', (change, issues) => {
  expect(issuesOf(change)).toEqual(issues)
})

test('a very long list of choices is truncated', () => {
  const many = z.enum(Array.from({ length: 100 }, (_, at) => `c${at}`) as [string, ...string[]])
  const [issue] = (many.safeParse('x').error?.issues ?? []).flatMap(describeIssue)
  expect(String(issue?.params?.['values'])).toMatch(/^c0, c1, .*, c39, …$/)
})

test('R-I18-04 a missing field is required, and one of the wrong type is not', () => {
  const two = z.object({ name: z.string(), count: z.number() })
  expect(two.safeParse({ count: 'three' }).error?.issues.flatMap(describeIssue)).toEqual([
    { path: ['name'], message: 'required' },
    { path: ['count'], message: 'invalid_type' },
  ])
  expect(two.safeParse(undefined).error?.issues.flatMap(describeIssue)).toEqual([{ path: [], message: 'invalid_type' }])
})

test('R-I18-04 our own message keys are kept, and the library’s messages are mapped by meaning', () => {
  const undefinedGiven = 'Invalid input: expected string, received undefined'
  expect(issueKeyOf({ message: 'record_ttl2', code: 'custom' })).toBe('record_ttl2')
  expect(issueKeyOf({ message: 'some words', code: 'custom' })).toBe('invalid_value')
  expect(issueKeyOf({ message: undefinedGiven, code: 'invalid_type' })).toBe('required')
  expect(issueKeyOf({ message: undefinedGiven, code: 'invalid_type', path: ['name'] })).toBe('required')
  expect(issueKeyOf({ message: undefinedGiven, code: 'invalid_type', path: [] })).toBe('invalid_type')
  expect(issueKeyOf({ message: undefinedGiven, code: 'invalid_value', path: ['name'] })).toBe('invalid_value')
})

test.each([
  ['array', 'none_selected'],
  ['set', 'none_selected'],
  ['map', 'none_selected'],
  ['string', 'empty'],
  ['number', 'too_small'],
])('R-I18-04 a minimum of one for the type %s has the message %s', (origin, key) => {
  expect(issueKeyOf({ message: 'Too small', code: 'too_small', origin, minimum: 1 })).toBe(key)
})

const described = (schema: z.ZodType, value: unknown) => (schema.safeParse(value).error?.issues ?? []).flatMap(describeIssue)

test('R-I18-04 issues carry their limits, including those of our own rules', () => {
  expect(described(z.string().min(3), 'ab')).toEqual([{ path: [], message: 'too_small', params: { min: 3 } }])
  expect(described(z.string().max(3), 'abcd')).toEqual([{ path: [], message: 'too_big', params: { max: 3 } }])
  expect(
    described(
      z.string().refine(() => false, { message: 'too_long', params: { max: 7 } }),
      'a',
    ),
  ).toEqual([{ path: [], message: 'too_long', params: { max: 7 } }])
  expect(
    described(
      z.string().refine(() => false, 'too_long'),
      'a',
    ),
  ).toEqual([{ path: [], message: 'too_long' }])
})

test('R-I18-04 an empty text or list is named as such, and other limits keep their number', () => {
  expect(
    described(z.object({ cause: z.string().min(1), ids: z.array(z.uuid()).min(1), count: z.int().min(1) }), {
      cause: '',
      ids: [],
      count: 0,
    }),
  ).toEqual([
    { path: ['cause'], message: 'empty', params: { min: 1 } },
    { path: ['ids'], message: 'none_selected', params: { min: 1 } },
    { path: ['count'], message: 'too_small', params: { min: 1 } },
  ])
  expect(described(z.string().min(1, 'required'), '')).toMatchObject([{ message: 'required' }])
})

test('a list of exactly the maximum number of choices is complete', () => {
  const forty = z.enum(Array.from({ length: 40 }, (_, at) => `c${at}`) as [string, ...string[]])
  expect(String(described(forty, 'x')[0]?.params?.['values'])).toMatch(/, c39$/)
})

describe('R-I18-04 for a union of shapes', () => {
  const x = z.enum(['x'])
  const y = z.enum(['y'])
  test.each<[string, z.ZodType, unknown, readonly object[]]>([
    [
      'the shape without unknown fields is assumed',
      z.union([z.strictObject({ k: x }), z.strictObject({ k: y, b: y })]),
      { k: 'z', b: 'z' },
      ['k', 'b'].map((field) => ({ path: [field], message: 'invalid_choice', params: { values: 'y' } })),
    ],
    [
      'the shape without missing fields is assumed',
      z.union([z.object({ a: z.string() }), z.object({ b: y })]),
      { b: 'z' },
      [{ path: ['b'], message: 'invalid_choice', params: { values: 'y' } }],
    ],
    [
      'a nested error excludes no shape',
      z.union([z.object({ f: z.object({ n: z.number() }) }), z.object({ g: z.string() })]),
      { f: { n: 'x' } },
      [{ path: ['f', 'n'], message: 'invalid_type' }],
    ],
    [
      'every error of the assumed shape is reported',
      z.union([
        z.object({ a: z.string() }).superRefine((_, context) => {
          context.addIssue({ code: 'custom', message: 'required' })
          context.addIssue({ code: 'custom', message: 'too_long', path: ['a'] })
        }),
        z.object({ b: z.string() }),
      ]),
      { a: '' },
      [
        { path: [], message: 'required' },
        { path: ['a'], message: 'too_long' },
      ],
    ],
    [
      'no shape is assumed when two match equally',
      z.union([z.object({ k: x }), z.object({ k: y })]),
      { k: 'z' },
      [{ path: [], message: 'invalid_value' }],
    ],
    [
      'an error of the value itself assumes no shape',
      z.union([z.string().max(1, { abort: true }), z.number()]),
      'ab',
      [{ path: [], message: 'invalid_value' }],
    ],
    ['choices are not listed when other types are accepted too', z.union([x, z.number()]), 'z', [{ path: [], message: 'invalid_value' }]],
    [
      'choices of a field are not choices of the value',
      z.union([x, z.object({ b: y, c: y })]),
      { b: 'z', c: 'z' },
      [{ path: [], message: 'invalid_value' }],
    ],
    [
      'a choice in two shapes is listed once',
      z.union([z.enum(['x', 'y']), y]),
      'z',
      [{ path: [], message: 'invalid_choice', params: { values: 'x, y' } }],
    ],
  ])('%s', (_what, schema, value, expected) => {
    expect(described(schema, value)).toEqual(expected)
  })

  const required = { code: 'custom', path: [], message: 'required' }
  const tooBig = { code: 'too_big', path: ['b'], message: 'Too big', maximum: 5 }
  const choice = { code: 'invalid_value', path: [], message: 'Invalid input', values: ['x'] }
  test.each<[string, readonly (readonly object[])[], readonly object[]]>([
    ['the only shape is assumed', [[tooBig]], [{ path: ['a', 'b'], message: 'too_big', params: { max: 5 } }]],
    [
      'errors of the whole value and of its fields are reported',
      [[required, tooBig], [{ code: 'invalid_type', path: ['c'], message: 'Invalid input' }]],
      [
        { path: ['a'], message: 'required' },
        { path: ['a', 'b'], message: 'too_big', params: { max: 5 } },
      ],
    ],
    ['choices with another error are not listed', [[choice, required], [choice]], [{ path: ['a'], message: 'invalid_value' }]],
  ])('%s', (_what, errors, expected) => {
    expect(describeIssue({ code: 'invalid_union', path: ['a'], message: 'Invalid input', input: 1, errors } as never)).toEqual(expected)
  })

  test.each<[string, object]>([
    ['no shape', { code: 'invalid_union', errors: [] }],
    ['no choice', { code: 'invalid_value', values: [] }],
    ['extra parameters of another code', { code: 'invalid_format', format: 'email', params: { max: 1 } }],
  ])('an issue with %s is described as an invalid value', (_what, issue) => {
    expect(describeIssue({ path: ['a'], message: 'Invalid input', input: 1, ...issue } as never)).toEqual([
      { path: ['a'], message: 'invalid_value' },
    ])
  })
})
