import { expect, test } from 'vitest'
import { isListOfNames, pastedNames, splitNames } from './split-names.ts'

test('names are extracted from lines, commas, quotes and columns, and URLs are kept whole', () => {
  expect(splitNames('a.com\r\nhttps://b.com/path?x#y\tc.com;d.com, "e.com"  \n\nпример.рф')).toEqual([
    'a.com',
    'https://b.com/path?x#y',
    'c.com',
    'd.com',
    'e.com',
    'пример.рф',
  ])
})

test('invalid names are kept for the server to report', () => {
  expect(splitNames('not_a_domain\n<script>alert(1)</script>\n..')).toEqual(['not_a_domain', '<script>alert(1)</script>', '..'])
})

test('a line of words without names is one entry; names on one line are several', () => {
  expect(splitNames('bad name here\n a.com b.com \n\n')).toEqual(['bad name here', 'a.com', 'b.com'])
})

test('a part of one name stays a search; two names are a list', () => {
  expect(isListOfNames('shop')).toBe(false)
  expect(isListOfNames('  shop.com \n')).toBe(false)
  expect(isListOfNames('a.com\nb.com')).toBe(true)
  expect(isListOfNames('a.com, b.com')).toBe(true)
})

test.each([
  ['', []],
  ['\n \n', []],
  ['a.com\nb.com', [1, 'a.com', 2, 'b.com']],
  ['a.com, b.com;c.com\r\n\t"d.com"', [1, 'a.com', 1, 'b.com', 1, 'c.com', 2, 'd.com']],
  ['x'.repeat(400), [1, 'x'.repeat(300)]],
])('%j is split into names with their line numbers', (text, expected) => {
  expect(pastedNames(text).flatMap(({ line, name }) => [line, name])).toEqual(expected)
})
