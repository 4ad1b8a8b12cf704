import { expect, test } from 'vitest'
import { csvFile, csvLine } from '#shared/csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM', "'＠SUM"],
  [' =1', "' =1"],
  ['\t=1', `"'\t'=1"`],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  ['a;=1+1', `"a;'=1+1"`],
  ['a;"=1+1', `"a;'""=1+1"`],
  ['a; ＝1', `"a;' ＝1"`],
  ['a\t@x', `"a\t'@x"`],
  ['two\n-lines', `"two\n'-lines"`],
])('a cell %j is not a formula in any spreadsheet: %j', (given, written) => {
  expect(csvLine([given])).toBe(`${written}\r\n`)
})

test('a minus or other sign inside a text, a number or an email address is kept', () => {
  expect(csvLine(['a-b', 'x=1', 'me@shop.example', -5, true, null, undefined, ''])).toBe('a-b,x=1,me@shop.example,-5,true,,,\r\n')
})

test('values with separators, line breaks or quotation marks are quoted', () => {
  expect(csvFile([['a,b', 'c"d'], ['e;f']])).toBe('\uFEFF"a,b","c""d"\r\n"e;f"\r\n')
})
