import { expect, test } from 'vitest'
import { parseTrackersSearch } from './search.ts'

const [one, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

test('R-RTE-05 the URL of the trackers keeps the comparison, and unknown values are dropped', () => {
  const whole = { tab: 'reserve', state: 'gone_there', tracker: `${one}.${other}`, q: 'shop', owner: one }
  expect(parseTrackersSearch(whole)).toEqual(whole)
  expect(parseTrackersSearch({ tab: 'x', state: 'lost', tracker: `drop.${other}`, q: 7, owner: 'me' })).toEqual({ tracker: other, q: '7' })
  for (const odd of [null, 'x', 4, []]) expect(parseTrackersSearch(odd)).toEqual({})
})
