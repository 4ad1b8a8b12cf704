import { expect, test } from 'vitest'
import { fitColumns, hiddenColumns } from './fit-columns.ts'

const domain = { id: 'domain', width: 200, need: 310, name: true }
const account = { id: 'account', width: 140, need: 190 }
const change = { id: 'change', width: 260, need: 400 }
const result = { id: 'result', width: 160, need: 90 }

test('each column fits its content when there is room for all', () => {
  expect(fitColumns([domain, account, change, result], 1084)).toEqual({ domain: 310, account: 190, change: 400, result: 90 })
})

test('the widest column shrinks first, and the name column keeps its width', () => {
  expect(fitColumns([domain, account, change, result], 900)).toEqual({ domain: 310, account: 190, change: 310, result: 90 })
  expect(fitColumns([domain, account, change, result], 820)).toEqual({ domain: 310, account: 160, change: 260, result: 90 })
})

test('names are not cut when the others cannot shrink: the table overflows instead', () => {
  expect(fitColumns([domain, account, change, result], 750)).toEqual({ domain: 310, account: 140, change: 260, result: 90 })
  expect(fitColumns([{ ...domain, need: 700 }, account, change, result], 850)).toEqual({
    domain: 360,
    account: 140,
    change: 260,
    result: 90,
  })
})

test('a name leaves room for the columns that scroll beside it', () => {
  expect(fitColumns([domain, account, change, result], 500)).toEqual({ domain: 225, account: 140, change: 260, result: 90 })
  expect(fitColumns([domain, account, change, result], 300)).toEqual({ domain: 200, account: 140, change: 260, result: 90 })
})

test('a header is not cut while the table can be scrolled', () => {
  expect(fitColumns([domain, { ...account, title: 170 }, change, result], 500)).toEqual({
    domain: 225,
    account: 170,
    change: 260,
    result: 90,
  })
})

test('a width set by the user is kept, and one very long cell does not take all the space', () => {
  expect(fitColumns([{ ...domain, width: 120, fixed: true }, account], 1084)).toEqual({ domain: 120, account: 190 })
  expect(fitColumns([domain, { ...result, need: 2_000 }], 1600)).toEqual({ domain: 310, result: 480 })
})

test('R-DOM-03 a column that the user showed or hid stays so at a width with another default', () => {
  const columns = [{ id: 'name' }, { id: 'health', hiddenAtFirst: 'narrow' }, { id: 'updated', hiddenAtFirst: 'narrow' }] as const
  expect(hiddenColumns(columns, {}, true)).toEqual(new Set(['health', 'updated']))
  expect(hiddenColumns(columns, {}, false)).toEqual(new Set())
  const selected = { health: true, updated: false }
  expect(hiddenColumns(columns, selected, true)).toEqual(new Set(['updated']))
  expect(hiddenColumns(columns, selected, false)).toEqual(new Set(['updated']))
  expect(hiddenColumns([{ id: 'health', hiddenAtFirst: true }], {}, false)).toEqual(new Set(['health']))
})
