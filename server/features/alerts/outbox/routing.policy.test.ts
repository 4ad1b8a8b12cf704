import { expect, test } from 'vitest'
import { routesOf } from './routing.policy.ts'

const channels = [
  { name: 'all', groupIds: null, criticalOnly: false },
  { name: 'all, grave', groupIds: null, criticalOnly: true },
  { name: 'shops', groupIds: ['shops', 'blogs'], criticalOnly: false },
  { name: 'blogs, grave', groupIds: ['blogs'], criticalOnly: true },
]
const some = channels.slice(2)
const names = (from: typeof channels, incident: Parameters<typeof routesOf>[1]) => routesOf(from, incident).map(({ name }) => name)

test.each([
  ['critical', 'shops', ['all', 'all, grave', 'shops']],
  ['critical', 'blogs', ['all', 'all, grave', 'shops', 'blogs, grave']],
  ['warnings', 'blogs', ['all', 'shops']],
  ['critical', 'another', ['all', 'all, grave']],
  ['critical', null, ['all', 'all, grave']],
] as const)(
  'an incident of a domain (%s, group %s) goes to channels for all domains and to those of its group',
  (health, groupId, expected) => {
    expect(names(channels, { domainId: 'zone', groupId, health })).toEqual(expected)
  },
)

test('an incident without a domain goes to channels for all domains, or if there are none, to every channel that accepts its severity', () => {
  const about = { domainId: null, groupId: null }
  expect(names(channels, { ...about, health: 'warnings' })).toEqual(['all'])
  expect(names(channels, { ...about, health: 'critical' })).toEqual(['all', 'all, grave'])
  expect(names(some, { ...about, health: 'critical' })).toEqual(['shops', 'blogs, grave'])
  expect(names(some, { ...about, health: 'warnings' })).toEqual(['shops'])
})
