import { expect, test } from 'vitest'
import { csvLine } from '../shared/csv.ts'
import { listed } from './src/cli/print.ts'

test('a cell of --csv is escaped like in the panel’s own exports: never a formula', () => {
  const texts = ['=1+1', '＝1', '－1', 'a;=1', 'a;"@x', '\tx', '\n+1', 'me@shop.example', 'a,b', 'c"d', '']
  for (const text of texts) expect(listed('csv', [{ text }], ['text'], null)).toBe(`text\r\n${csvLine([text]).slice(0, -2)}`)
  expect(listed('csv', [{ text: -5 }], ['text'], null)).toBe('text\r\n-5')
  expect(listed('csv', [{ text: null }], ['text'], null)).toBe('text\r\n')
})
