import { expect, test } from 'vitest'
import type { Domain } from '#shared/features/domains/schema.ts'
import { idsOf, isSelected, mark, markIds, nothing, selectAll, selectedCount, targetOf } from './selection.ts'

const row = (id: string): Domain => ({ id, name: `${id}.example` }) as Domain

test('R-DOM-04 all that match is kept without ids, and single rows can be left out of it', () => {
  const all = selectAll({ status: 'active' })
  const without = mark(all, [row('a'), row('b')], false)
  expect(selectedCount(without, 100_000)).toBe(99_998)
  expect(isSelected(without, 'a')).toBe(false)
  expect(isSelected(without, 'never-seen')).toBe(true)
  expect(selectedCount(mark(without, [row('a')], true), 100_000)).toBe(99_999)
})

test('R-DOM-04 a range over unloaded rows keeps the rows that were seen and the filter for the rest', () => {
  const first = mark(nothing, [row('a')], true)
  const ranged = markIds(first, ['a', 'b', 'c'], true, { search: 'x' }, (id) => (id === 'b' ? row('b') : undefined))
  expect(ranged).toEqual({
    kind: 'some',
    ids: new Map([
      ['a', row('a')],
      ['b', row('b')],
      ['c', null],
    ]),
    filters: [{ search: 'x' }],
  })
  expect(
    selectedCount(
      markIds(ranged, ['b', 'c'], false, {}, () => undefined),
      9,
    ),
  ).toBe(1)
})

test('R-DOM-04 changing a selection leaves the earlier one as it was', () => {
  const one = mark(nothing, [row('a')], true)
  mark(one, [row('a')], false)
  expect(selectedCount(one, 1)).toBe(1)
  expect(selectedCount(nothing, 1)).toBe(0)
})

test('R-DOM-04 an operation is about what is selected and nothing else: those left out of all that match are not in it', async () => {
  const collect = () => Promise.resolve([row('b'), row('c')])
  const refused = () => Promise.reject(new Error('nothing is to be read'))
  const all = selectAll({ status: 'active' })
  expect(await targetOf(all, refused)).toEqual({ filter: { status: 'active' } })
  expect(await targetOf(mark(all, [row('a')], false), collect)).toEqual({ ids: ['b', 'c'] })
  expect(await targetOf(mark(nothing, [row('a')], true), refused)).toEqual({ ids: ['a'] })
  expect(await idsOf(all, collect)).toEqual(['b', 'c'])
  expect(
    await idsOf(
      markIds(nothing, ['a', 'z'], true, {}, () => undefined),
      refused,
    ),
  ).toEqual(['a', 'z'])
})
