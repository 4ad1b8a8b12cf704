import { expect, test } from 'vitest'
import { strip, stripEnd } from '#shared/text.ts'

test('characters at the end, or at both ends, are taken off and no others', () => {
  expect(stripEnd('/a//b//', '/')).toBe('/a//b')
  expect(stripEnd('///', '/')).toBe('')
  expect(stripEnd('', '/')).toBe('')
  expect(strip(`'"it's"'`, `"'`)).toBe(`it's`)
  expect(strip('""', `"`)).toBe('')
})
