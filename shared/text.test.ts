import { expect, test } from 'vitest'
import { escapeLike, strip, stripEnd } from '#shared/text.ts'

test('only the given characters are trimmed, at the end or at both ends', () => {
  expect(stripEnd('/a//b//', '/')).toBe('/a//b')
  expect(stripEnd('///', '/')).toBe('')
  expect(stripEnd('', '/')).toBe('')
  expect(strip(`'"it's"'`, `"'`)).toBe(`it's`)
  expect(strip('""', `"`)).toBe('')
})

test('wildcards and escapes of a LIKE pattern match themselves', () => {
  expect(escapeLike(String.raw`50%_a\b`)).toBe(String.raw`50\%\_a\\b`)
})
