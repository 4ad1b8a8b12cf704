import { expect, it } from 'vitest'
import type { Group } from '#shared/features/groups/schema.ts'
import { chooseGroups, newestFirst } from './choose-groups.ts'

const group = (name: string, zonesCount: number, description: string | null = null): Group => ({
  id: name,
  ownerId: 'o',
  ownerName: 'Owner',
  shared: null,
  sharedWith: 0,
  name,
  description,
  icon: null,
  color: null,
  zonesCount,
  createdAt: '2026-11-21T00:00:00.000Z',
})
/** As the server returns them: newest first. */
const groups = [group('Яблоко', 3), group('shops', 1, 'Магазины'), group('Apps', 2)]
const names = (text: string, sort = newestFirst): string[] => chooseGroups(groups, text, sort).map(({ name }) => name)

it('R-GRP-04 the newest group is listed first, whatever its name', () => {
  expect(names('')).toEqual(['Яблоко', 'shops', 'Apps'])
})
it('R-GRP-02 the search matches names and descriptions in any case and script', () => {
  expect(names(' МАГАЗ ')).toEqual(['shops'])
  expect(names('яБЛ')).toEqual(['Яблоко'])
  expect(names('.*')).toEqual([])
})
it('R-GRP-02 the list sorts by any column, in both directions', () => {
  expect(names('', { key: 'name', direction: 'asc' })).toEqual(['Apps', 'shops', 'Яблоко'])
  expect(names('', { key: 'zonesCount', direction: 'desc' })).toEqual(['Яблоко', 'Apps', 'shops'])
  expect(names('', { key: 'createdAt', direction: 'asc' })).toEqual(['Apps', 'shops', 'Яблоко'])
})
