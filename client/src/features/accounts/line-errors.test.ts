import { expect, test } from 'vitest'
import { parseAccountLines } from '#shared/features/accounts/rules.ts'
import { allFaults, leftOver, withAnswer } from './line-errors.ts'

const text = ['here@example.com:key', 'new@example.com:key', 'new@example.com:key', 'new@example.com:other', 'nonsense'].join('\n')
const answered = [
  { line: 1, message: 'account_exists' },
  { line: 3, message: 'duplicate_line' },
  { line: 4, message: 'email_with_other_key' },
  { line: 5, message: 'invalid_line_format' },
] as const

test('R-ACC-02 invalid lines keep their errors after the valid ones were added, and none of them counts as valid', () => {
  const left = leftOver(text, answered)
  expect(left).toBe('here@example.com:key\nnew@example.com:key\nnew@example.com:other\nnonsense')
  const lineErrors = withAnswer(new Map(), text, answered, true)
  expect(allFaults(left, parseAccountLines(left), lineErrors)).toEqual({
    good: 0,
    faults: [
      { line: 1, message: 'account_exists' },
      { line: 2, message: 'account_exists' },
      { line: 3, message: 'email_with_other_key' },
      { line: 4, message: 'invalid_line_format' },
    ],
  })
})

test('R-ACC-02 editing one line keeps the errors of the others; the fixed line becomes valid', () => {
  const lineErrors = withAnswer(new Map(), text, answered, false)
  const edited = 'before@example.com:key\nhere@example.com:key\nnew@example.com:key'
  expect(allFaults(edited, parseAccountLines(edited), lineErrors)).toMatchObject({ faults: [{ line: 2, message: 'account_exists' }] })
})
