import { expect, test } from 'vitest'
import { packRows, unpackRows } from './packed-rows.ts'

interface Row {
  readonly id: string
  readonly account: { readonly email: string }
  readonly note: string | null
  readonly gone: boolean
  readonly until: string | null
}
const names = ['id', 'account', 'note', 'gone', 'until'] as const
const packing = { fewValued: new Set(['account'] as const), times: new Set(['until'] as const) }
const [one, two] = [{ email: 'one@team.example' }, { email: 'two@team.example' }]
const rows: readonly Row[] = [
  { id: 'a', account: two, note: null, gone: false, until: '2026-01-02T03:04:05.006Z' },
  { id: 'b', account: one, note: 'x', gone: false, until: null },
  { id: 'c', account: two, note: null, gone: false, until: '2027-01-01T00:00:00.000Z' },
]

test.each([
  ['rows', rows],
  ['one row', rows.slice(0, 1)],
  ['no rows', []],
  [
    'rows of more values than digits',
    Array.from({ length: 40 }, (_, at) => ({ id: 'a', note: null, gone: false, until: null, account: { email: `${at}@team.example` } })),
  ],
])('%s arrive as they were sent, in their order', (_, sent) => {
  const text = JSON.stringify(packRows(sent, names, packing))
  expect(unpackRows(JSON.parse(text) as ReturnType<typeof packRows<Row>>)).toEqual(sent)
})

test('a value that all rows share, and one of few, are sent once', () => {
  expect(packRows(rows, names, packing)).toEqual({
    count: 3,
    same: { gone: false },
    columns: { id: ['a', 'b', 'c'], note: [null, 'x', null] },
    choices: { account: { values: [two, one], rows: '010' } },
    times: { until: [1_767_323_045_006, null, 1_798_761_600_000] },
  })
})
