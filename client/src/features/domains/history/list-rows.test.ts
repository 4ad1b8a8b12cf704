import { expect, test } from 'vitest'
import type { Entry } from './queries.ts'
import { groupEntries } from './group-entries.ts'
import { listRows, type HistoryRow } from './list-rows.ts'

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
const words = (row: HistoryRow): string =>
  row.kind === 'day'
    ? 'day'
    : `${row.kind}${row.kind === 'entry' && row.inner ? ' in' : ''}${row.first ? ' first' : ''}${row.last ? ' last' : ''}`

const many = Array.from({ length: 6 }, (_, index) => entry(`m${index}`, '2026-11-20T10:00:00', 'batch'))
const days = groupEntries([entry('a', '2026-11-21T10:00:00'), ...many])

test('each day has its own row, and its first and last rows are marked', () => {
  expect(listRows(days, new Set()).map(words)).toEqual(['day', 'entry first last', 'day', 'group first last'])
})

test('a batch is one row that expands into a row per change', () => {
  const rows = listRows(days, new Set(['m0']))
  expect(rows.map(words)).toEqual([
    'day',
    'entry first last',
    'day',
    'group first',
    ...Array.from({ length: 5 }, () => 'entry in'),
    'entry in last',
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})
