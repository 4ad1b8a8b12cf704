import { expect, test } from 'vitest'
import { z } from 'zod'
import texts from '#shared/i18n/locales/en/validation.json' with { type: 'json' }
import { issueKeyOf } from './issue-key.ts'

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
  expect(issues.map(issueKeyOf).filter((key) => !(key in texts))).toEqual([])
})
