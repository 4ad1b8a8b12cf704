import { expect, it } from 'vitest'
import { pastedNames } from './paste-names.ts'

it.each([
  ['', []],
  ['\n \n', []],
  ['a.com\nb.com', [1, 'a.com', 2, 'b.com']],
  ['a.com, b.com;c.com\r\n\t"d.com"', [1, 'a.com', 1, 'b.com', 1, 'c.com', 2, 'd.com']],
  ['x'.repeat(400), [1, 'x'.repeat(300)]],
])('%j is split into names with their line numbers', (text, expected) => {
  expect(pastedNames(text).flatMap(({ line, name }) => [line, name])).toEqual(expected)
})
