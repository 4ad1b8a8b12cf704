import { expect, test } from 'vitest'
import { isListOfNames, splitNames } from './split-names.ts'

test('names come out of lines, commas, quotes and columns, addresses whole', () => {
  expect(splitNames('a.com\r\nhttps://b.com/path?x#y\tc.com;d.com, "e.com"  \n\nпример.рф')).toEqual([
    'a.com',
    'https://b.com/path?x#y',
    'c.com',
    'd.com',
    'e.com',
    'пример.рф',
  ])
})

test('what is no name is kept for the server to call invalid', () => {
  expect(splitNames('not_a_domain\n<script>alert(1)</script>\n..')).toEqual(['not_a_domain', '<script>alert(1)</script>', '..'])
})

test('one part of a name stays a search; two names are a list', () => {
  expect(isListOfNames('shop')).toBe(false)
  expect(isListOfNames('  shop.com \n')).toBe(false)
  expect(isListOfNames('a.com\nb.com')).toBe(true)
  expect(isListOfNames('a.com, b.com')).toBe(true)
})
