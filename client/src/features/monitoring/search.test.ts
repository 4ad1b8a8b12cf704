import { expect, test } from 'vitest'
import { parseMonitoringSearch } from './search.ts'

test('a cause alone, as a message links to it, means its incidents', () => {
  expect(parseMonitoringSearch({ cause: 'origin:192.0.2.1' })).toEqual({ tab: 'incidents', cause: 'origin:192.0.2.1' })
})

test('what is not understood is left out', () => {
  expect(parseMonitoringSearch({ tab: 'other', cause: '', state: 1, health: 'ok', q: 42, ends: null })).toEqual({ q: '42' })
  expect(parseMonitoringSearch(null)).toEqual({})
})
