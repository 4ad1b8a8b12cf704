import { expect, test } from 'vitest'
import { parseMonitoringSearch } from './search.ts'

test('a cause without other filters, as alert messages link to it, opens its incidents', () => {
  expect(parseMonitoringSearch({ cause: 'origin:192.0.2.1' })).toEqual({ tab: 'incidents', cause: 'origin:192.0.2.1' })
})

test('issue 23 an incident, as alert messages link to it, opens the list of incidents', () => {
  const incident = '0191f0a0-0000-7000-8000-000000000001'
  expect(parseMonitoringSearch({ incident })).toEqual({ tab: 'incidents', incident })
  expect(parseMonitoringSearch({ incident: 'x' })).toEqual({})
})

test('unknown values are dropped', () => {
  expect(parseMonitoringSearch({ tab: 'other', cause: '', state: 1, health: 'ok', q: 42, ends: null })).toEqual({ q: '42' })
  expect(parseMonitoringSearch(null)).toEqual({})
})

test('messages are filtered by result and by channel', () => {
  const channel = '0191f0a0-0000-7000-8000-000000000001'
  expect(parseMonitoringSearch({ tab: 'messages', sent: 'failed', channel })).toEqual({ tab: 'messages', sent: 'failed', channel })
  expect(parseMonitoringSearch({ sent: 'lost', channel: 'main' })).toEqual({})
})
