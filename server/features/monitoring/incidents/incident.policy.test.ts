import { expect, test } from 'vitest'
import type { Reason, ReasonCode } from '#shared/features/monitoring/schema.ts'
import { causeOf, codesText, planIncidents } from './incident.policy.ts'
import type { OpenIncident } from './incident.policy.ts'
import type { Problem } from '../health/evaluate-health.policy.ts'

const reason = (code: ReasonCode, params: Reason['params'] = {}): Reason => ({ code, params, regions: [] })
const problem = (health: Problem['health'], ...reasons: Reason[]): Problem => ({ key: 'down', health, reasons })
const at = { originIp: '203.0.113.9', registrarId: 'registrar-1', trackerId: null, nameServers: ['bob.example', 'ada.example'] }
const incident = (health: OpenIncident['health'], ...codes: ReasonCode[]): OpenIncident => ({
  id: 'one',
  health,
  reasons: codes.map((code) => reason(code)),
  lastCodes: codesText(codes.map((code) => reason(code))),
})
const nothing = { open: [], worsen: [], note: [], close: [] }

test('R-MON-04 the cause of a server failure is its address: connection errors and statuses from 500, nothing else', () => {
  const cause = (code: ReasonCode, params: Reason['params'] = {}) => causeOf(problem('critical', reason(code, params)), at)
  expect(
    (['connect_refused', 'connect_timeout', 'connect_failed', 'connection_lost', 'answer_timeout'] as const).map((code) => cause(code)),
  ).toEqual(Array.from({ length: 5 }, () => 'origin:203.0.113.9'))
  expect([499, 500, 501, 522].map((status) => cause('http_status', { status }))).toEqual([
    'code:http_status',
    'origin:203.0.113.9',
    'origin:203.0.113.9',
    'origin:203.0.113.9',
  ])
  expect([cause('http_status', { status: '500' }), cause('http_status'), cause('not_http'), cause('slow', { status: 500 })]).toEqual([
    'code:http_status',
    'code:http_status',
    'code:not_http',
    'code:slow',
  ])
  expect(causeOf(problem('critical', reason('connect_refused')), { ...at, originIp: null })).toBe('code:connect_refused')
})

test('R-MON-04 without an address, the cause of a server failure is the tracker; without a DNS answer, it is the name servers', () => {
  const bound = { ...at, originIp: null, trackerId: 'tracker-1' }
  expect(causeOf(problem('critical', reason('connect_refused')), bound)).toBe('tracker:tracker-1')
  expect(causeOf(problem('critical', reason('not_http')), bound)).toBe('code:not_http')
  expect(causeOf(problem('critical', reason('dns_no_answer')), bound)).toBe('name_servers:ada.example,bob.example')
  expect(causeOf(problem('critical', reason('dns_no_answer')), { ...bound, nameServers: [] })).toBe('code:dns_no_answer')
  // The name itself is missing, which says nothing about the servers.
  expect(causeOf(problem('critical', reason('dns_no_such_name')), bound)).toBe('code:dns_no_such_name')
})

test('R-MON-04 the cause of an expired domain is its registrar, if known', () => {
  const expired = problem('critical', reason('domain_expired'))
  expect([causeOf(expired, at), causeOf(expired, { ...at, registrarId: null })]).toEqual(['registrar:registrar-1', 'code:domain_expired'])
})

test('R-MON-04 the cause of a partial outage is what failed in those regions', () => {
  const some = reason('down_in_some_regions')
  expect(causeOf(problem('warnings', some, reason('connect_refused')), at)).toBe('origin:203.0.113.9')
  expect([causeOf(problem('warnings', some), at), causeOf(problem('warnings'), at)]).toEqual(['code:down_in_some_regions', 'code:unknown'])
})

test('R-MON-04 an incident continues while its problem is the same, records changed reasons, and escalates once', () => {
  const plan = (open: OpenIncident, found: Problem, flapping = false) =>
    planIncidents([open], { health: found.health, problems: [found], downSomewhere: true }, flapping)
  const refused = problem('critical', reason('connect_refused'))
  expect(plan(incident('critical', 'connect_refused'), refused)).toEqual(nothing)
  expect(plan(incident('critical', 'connect_timeout'), refused)).toEqual({ ...nothing, note: [{ id: 'one', reasons: refused.reasons }] })
  expect(plan(incident('warnings', 'down_in_some_regions'), refused)).toEqual({ ...nothing, worsen: [{ id: 'one', problem: refused }] })
  const milder = problem('warnings', reason('down_in_some_regions'), reason('connect_refused'))
  expect(plan(incident('critical', 'connect_refused'), milder)).toEqual({ ...nothing, note: [{ id: 'one', reasons: milder.reasons }] })
})

test('R-MON-04 an incident ends with its problem, but not while the health is unknown or flapping, or an outage hides a warning', () => {
  const well = { health: 'ok', problems: [], downSomewhere: false } as const
  const down = incident('critical', 'connect_refused')
  const warned = incident('warnings', 'slow')
  expect(planIncidents([down, { ...warned, id: 'two' }], well, false).close).toEqual(['one', 'two'])
  expect(planIncidents([down], well, true)).toEqual(nothing)
  expect(planIncidents([down], { ...well, health: 'unknown' }, false)).toEqual(nothing)
  expect(planIncidents([warned], { ...well, downSomewhere: true }, false)).toEqual(nothing)
  expect(planIncidents([down], { ...well, downSomewhere: true }, false).close).toEqual(['one'])
  expect(planIncidents([incident('critical', 'phishing')], { ...well, downSomewhere: true }, false).close).toEqual(['one'])
  const withoutReason = { ...down, reasons: [] }
  expect(planIncidents([withoutReason], well, false).close).toEqual(['one'])
  expect(planIncidents([withoutReason], { ...well, downSomewhere: true }, false).close).toEqual(['one'])
})

test('R-MON-04 each problem without an incident gets one', () => {
  const slow: Problem = { key: 'slow', health: 'warnings', reasons: [reason('slow')] }
  const down = problem('critical', reason('connect_refused'))
  expect(planIncidents([incident('warnings', 'slow')], { health: 'critical', problems: [down, slow], downSomewhere: true }, false)).toEqual(
    {
      ...nothing,
      open: [down],
    },
  )
})

test('reason codes are listed once each, in a fixed order', () => {
  expect(codesText([reason('slow'), reason('connect_refused'), reason('slow')])).toBe('connect_refused slow')
})
