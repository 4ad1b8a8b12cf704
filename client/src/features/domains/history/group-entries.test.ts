import { expect, test } from 'vitest'
import type { Entry } from './queries.ts'
import { groupEntries } from './group-entries.ts'

const entry = (id: string, at: string, batchId: string | null = null): Entry => ({
  id,
  at: new Date(at).toISOString(),
  source: 'panel',
  actor: null,
  subject: 'record',
  key: id,
  label: id,
  before: null,
  after: {},
  batchId,
  revertsId: null,
  revertedById: null,
})

test('changes are grouped by day, and those of one batch together', () => {
  const days = groupEntries([
    entry('a', '2026-11-21T12:00'),
    entry('b', '2026-11-21T11:00', 'x'),
    entry('c', '2026-11-21T11:00', 'x'),
    entry('d', '2026-11-21T10:00', 'y'),
    entry('e', '2026-11-20T23:59', 'y'),
  ])
  expect(days.map(({ groups }) => groups.map(({ entries }) => entries.map(({ id }) => id).join('')))).toEqual([['a', 'bc', 'd'], ['e']])
})
