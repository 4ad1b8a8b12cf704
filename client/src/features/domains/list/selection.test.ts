import { expect, test } from 'vitest'
import type { ListedDomain } from '#shared/features/domains/schema.ts'
import { idsOf, isSelected, mark, markIds, nothing, selectAll, selectedCount, targetOf } from './selection.ts'

const row = (id: string): ListedDomain => ({ id, name: `${id}.example` }) as ListedDomain

test('R-DOM-04 selecting all matching rows stores no ids, and single rows can be excluded', () => {
  const all = selectAll({ status: 'active' })
  const without = mark(all, [row('a'), row('b')], false)
  expect(selectedCount(without, 100_000)).toBe(99_998)
  expect(isSelected(without, 'a')).toBe(false)
  expect(isSelected(without, 'never-seen')).toBe(true)
  expect(selectedCount(mark(without, [row('a')], true), 100_000)).toBe(99_999)
})

test('R-DOM-04 a range over unloaded rows stores the ids of loaded rows and the filter for the rest', () => {
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

test('R-DOM-04 changing a selection does not mutate the previous one', () => {
  const one = mark(nothing, [row('a')], true)
  mark(one, [row('a')], false)
  expect(selectedCount(one, 1)).toBe(1)
  expect(selectedCount(nothing, 1)).toBe(0)
})

test('R-DOM-04 an operation targets exactly the selection, without the excluded rows', async () => {
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
