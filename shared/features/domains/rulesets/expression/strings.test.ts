import { expect, test } from 'vitest'
import { checkRegex, checkWildcard, readString } from './strings.ts'
import type { Token } from './tokenize.ts'

const token = (text: string, hashes: number | null = null): Token => ({ kind: 'string', at: 0, length: text.length + 2, text, hashes })
const read = (text: string, isRegex = false) => readString(token(text), isRegex, () => undefined)

test('escapes of a quoted string are resolved', () => {
  expect(read(String.raw`a\"b\\c\x41d\101e`)).toEqual({ value: 'a"b\\cAdAe' })
  expect(read(String.raw`\n\r\t`)).toEqual({ value: '\n\r\t' })
})

test('an unknown or incomplete escape is refused at its place', () => {
  for (const escape of [String.raw`\d`, String.raw`\x4`, String.raw`\40`, String.raw`\477`]) {
    expect(read(`ab${escape}`)).toEqual({ code: 'invalid_escape', at: 2, length: 2 })
  }
})

test('in a quoted regular expression only the quote is an escape', () => {
  expect(read(String.raw`\.a\"b\\`, true)).toEqual({ value: String.raw`\.a"b\\` })
})

test('a raw string has no escapes', () => {
  expect(readString(token(String.raw`\d\"`, 0), false, () => undefined)).toEqual({ value: String.raw`\d\"` })
})

test('two asterisks are refused unless one is escaped', () => {
  expect(['a*b*', String.raw`a\**`].map(checkWildcard)).toEqual([null, null])
  expect(checkWildcard('a**')).toMatchObject({ at: 1 })
})

test('look-around and back-references of regular expressions are refused', () => {
  for (const [pattern, at] of [
    ['a(?=b)', 1],
    ['a(?<!b)', 1],
    [String.raw`(a)\1`, 3],
    ['[a](?!b)', 3],
  ] as const)
    expect(checkRegex(pattern)).toMatchObject({ code: 'unsupported_regex', at })
  for (const pattern of ['(?:a)', '(?<name>a)', '[a(?=]', String.raw`[\1]`, String.raw`\(?=`, String.raw`\\d`, String.raw`[\]1](?i)`])
    expect(checkRegex(pattern)).toBeNull()
})
