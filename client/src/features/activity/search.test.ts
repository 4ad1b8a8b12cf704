import { expect, test } from 'vitest'
import { activityEntity } from '#shared/features/activity/schema.ts'
import { entities, parseActivitySearch, queryOf } from './search.ts'

test('R-RTE-05 the URL keeps the filters of the log, and unknown values are dropped', () => {
  const user = '019ab0d4-0000-7000-8000-000000000001'
  expect(parseActivitySearch({ action: 'delete', entity: 'zone', by: 'token', user, from: '2026-11-01', to: '2026-11-21' })).toEqual({
    action: 'delete',
    entity: 'zone',
    by: 'token',
    user,
    from: '2026-11-01',
    to: '2026-11-21',
  })
  expect(parseActivitySearch({ action: 'explode', entity: 3, by: null, user: 'x', from: '2026-13-40', to: 'now', offset: 50 })).toEqual({})
  expect([parseActivitySearch(null), parseActivitySearch('x')]).toEqual([{}, {}])
})

test('R-LOG-02 filters are requested under the server’s names', () => {
  expect(queryOf({ entity: 'group', by: 'system', from: '2026-11-01' })).toMatchObject({
    entityType: 'group',
    actorKind: 'system',
    from: '2026-11-01',
  })
})

test('R-LOG-02 every kind of entity in the log is an option of the filter, including trackers', () => {
  for (const entity of activityEntity.options) expect(queryOf(parseActivitySearch({ entity }))).toMatchObject({ entityType: entity })
  expect(entities).toContain('tracker')
})
