import { expect, test } from 'vitest'
import { parseMonitoringSearch } from './search.ts'

test('a cause without other filters, as a message links to it, means its incidents', () => {
  expect(parseMonitoringSearch({ cause: 'origin:192.0.2.1' })).toEqual({ tab: 'incidents', cause: 'origin:192.0.2.1' })
})

test('what is not understood is left out', () => {
  expect(parseMonitoringSearch({ tab: 'other', cause: '', state: 1, health: 'ok', q: 42, ends: null })).toEqual({ q: '42' })
  expect(parseMonitoringSearch(null)).toEqual({})
})

test('messages are filtered by result and by channel of this panel', () => {
  const channel = '0191f0a0-0000-7000-8000-000000000001'
  expect(parseMonitoringSearch({ tab: 'messages', sent: 'failed', channel })).toEqual({ tab: 'messages', sent: 'failed', channel })
  expect(parseMonitoringSearch({ sent: 'lost', channel: 'main' })).toEqual({})
})
