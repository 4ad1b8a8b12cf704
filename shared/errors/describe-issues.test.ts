import { expect, test } from 'vitest'
import { z } from 'zod'
import texts from '#shared/i18n/locales/en/validation.json' with { type: 'json' }
import { describeIssue } from './describe-issues.ts'

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

test.each(Object.entries(schemas))('R-I18-04 what a schema says of its own accord (%s) has words of ours', (_name, schema) => {
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
})
const right = { mode: 'add', on: 'on', icon: 'a', role: 'admin', change: { kind: 'ip' }, target: { filter: {} } }
const told = (change: object) =>
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
  [{ target: { ids: [] } }, [['target.ids', 'too_small', null]]],
  [{ target: { other: 1 } }, [['target', 'invalid_value', null]]],
  [{ role: 'user' }, [['role', 'required', null]]],
  [{ extra: 1 }, [['extra', 'unrecognized_keys', null]]],
])('R-I18-04 %j is refused with what would be accepted', (change, issues) => {
  expect(told(change)).toEqual(issues)
})

test('a list of very many choices is cut', () => {
  const many = z.enum(Array.from({ length: 100 }, (_, at) => `c${at}`) as [string, ...string[]])
  const [issue] = (many.safeParse('x').error?.issues ?? []).flatMap(describeIssue)
  expect(String(issue?.params?.['values'])).toMatch(/^c0, c1, .*, c39, …$/)
})

test('R-I18-04 a field that is missing is required, and one of another kind is not', () => {
  const two = z.object({ name: z.string(), count: z.number() })
  expect(two.safeParse({ count: 'three' }).error?.issues.flatMap(describeIssue)).toEqual([
    { path: ['name'], message: 'required' },
    { path: ['count'], message: 'invalid_type' },
  ])
  expect(two.safeParse(undefined).error?.issues.flatMap(describeIssue)).toEqual([{ path: [], message: 'invalid_type' }])
})
