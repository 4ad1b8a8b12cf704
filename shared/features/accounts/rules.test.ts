import { expect, test } from 'vitest'
import { parseAccountLines } from './rules.ts'

const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345'

test('R-ACC-02 both forms of a line are parsed', () => {
  expect(parseAccountLines(`Anna@Example.com;pa;ss:word;${key}\nivan@example.com:${key}`)).toEqual({
    items: [
      { line: 1, email: 'anna@example.com', password: 'pa;ss:word', apiKey: key },
      { line: 2, email: 'ivan@example.com', password: null, apiKey: key },
    ],
    faults: [],
  })
})

test('R-ACC-02 every error is reported by its line number, and valid lines are kept', () => {
  const text = [
    'no separator',
    `one@example.com;only-one-semicolon`,
    `not-an-email:${key}`,
    `:${key}`,
    'two@example.com:',
    `three@example.com:${key}`,
    `three@example.com:${key}`,
    `THREE@example.com;with password;${key}`,
    'four@example.com:key with spaces',
    `five@example.com:${'k'.repeat(513)}`,
    `${'e'.repeat(300)}@example.com:${key}`,
    `six@example.com;${'p'.repeat(257)};${key}`,
    'seven@example.com:ключ-кириллицей',
    `eight@example.com:${key}`,
    `nine@example.com;;${key}`,
    `ten@example.com; ;${key}`,
  ].join('\n')
  const parsed = parseAccountLines(text)
  expect(parsed.faults).toEqual([
    { line: 1, message: 'invalid_line_format' },
    { line: 2, message: 'invalid_line_format' },
    { line: 3, message: 'invalid_email' },
    { line: 4, message: 'required' },
    { line: 5, message: 'required' },
    { line: 7, message: 'duplicate_line' },
    { line: 8, message: 'duplicate_line' },
    { line: 9, message: 'invalid_key' },
    { line: 10, message: 'line_too_long' },
    { line: 11, message: 'line_too_long' },
    { line: 12, message: 'line_too_long' },
    { line: 13, message: 'invalid_key' },
    { line: 15, message: 'required' },
    { line: 16, message: 'required' },
  ])
  expect(parsed.items.map((item) => item.line)).toEqual([6, 14])
})

test('R-ACC-02 a second global key for the same email in one paste is an error of the later line', () => {
  expect(parseAccountLines(`one@example.com:${key}\nOne@example.com:another-key\none@example.com;p;${key}`)).toMatchObject({
    items: [{ line: 1 }],
    faults: [
      { line: 2, message: 'email_with_other_key' },
      { line: 3, message: 'duplicate_line' },
    ],
  })
})

test('R-ACC-02 blank lines count in the numbering but are skipped, with any line ending and a byte order mark', () => {
  const text = `\uFEFFone@example.com:${key}\r\n\r\n   \t\r\ntwo@example.com;p ;${key}\rthree@example.com : ${key} \n`
  expect(parseAccountLines(text)).toEqual({
    items: [
      { line: 1, email: 'one@example.com', password: null, apiKey: key },
      { line: 4, email: 'two@example.com', password: 'p ', apiKey: key },
      { line: 5, email: 'three@example.com', password: null, apiKey: key },
    ],
    faults: [],
  })
  expect(parseAccountLines(' \n\r\n')).toEqual({ items: [], faults: [] })
  expect(parseAccountLines(`one@example.com;pass\uFEFFword;${key}`).items).toMatchObject([{ password: 'pass\uFEFFword' }])
})
