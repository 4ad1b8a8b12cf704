import { describe, expect, test } from 'vitest'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { mostNames } from '#server/features/monitoring/index.ts'
import type { CauseNaming } from '#server/features/monitoring/index.ts'
import { groupIncidents, mostIncidentsOfCall } from './group-incidents.policy.ts'
import type { NotifiableIncident } from './group-incidents.policy.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(start + seconds * 1_000)
const takenAt = after(60)
const reason = (code: Reason['code'], params: Reason['params'] = {}): Reason => ({ code, params, regions: [] })

const incident = (name: string, change: Partial<NotifiableIncident> = {}): NotifiableIncident => ({
  id: `id of ${name}`,
  domainId: `zone of ${name}`,
  groupId: null,
  name,
  health: 'critical',
  reasons: [reason('http_status', { status: 502 })],
  cause: 'origin:203.0.113.1',
  openedAt: after(0),
  closedAt: null,
  worse: false,
  more: false,
  ...change,
})
const noNames: ReadonlyMap<string, CauseNaming> = new Map()
const grouped = (incidents: readonly NotifiableIncident[], naming = noNames, all = false) =>
  groupIncidents(incidents, naming, { takenAt, all })

test('one domain is one message with its zone and the incident that it links to', () => {
  expect(grouped([incident('a.example')])).toEqual([
    {
      kind: 'opened',
      cause: 'origin:203.0.113.1',
      causeName: null,
      health: 'critical',
      count: 1,
      names: ['a.example'],
      domains: [],
      zoneId: 'zone of a.example',
      reasons: [reason('http_status', { status: 502 })],
      takenAt: takenAt.toISOString(),
      since: after(0).toISOString(),
      worse: false,
      more: false,
      incidentId: 'id of a.example',
    },
  ])
  expect(grouped([])).toEqual([])
})

test('domains with one cause are one message with their first names, the earliest start and no zone', () => {
  const many = Array.from({ length: mostNames + 2 }, (_, at) => incident(`${at}.example`, { openedAt: after(100 - at) }))
  const [part, ...others] = grouped(many, new Map([['origin:203.0.113.1', { name: 'Origin', domains: 99, first: ['x.example'] }]]))
  expect(others).toEqual([])
  expect(part).toMatchObject({ count: mostNames + 2, causeName: 'Origin', zoneId: null, domains: [], since: after(89).toISOString() })
  expect(part?.names).toEqual(many.slice(0, mostNames).map(({ name }) => name))
})

test('a hundred domains whose requests stopped on the same day are one message that names the day', () => {
  const many = Array.from({ length: 100 }, (_, at) =>
    incident(`${at}.example`, {
      health: 'warnings',
      reasons: [reason('traffic_dropped', { date: '2026-02-28', before: 100 + at })],
      cause: 'code:traffic_dropped',
    }),
  )
  expect(grouped(many)).toMatchObject([
    { count: 100, zoneId: null, reasons: [{ code: 'traffic_dropped', params: { date: '2026-02-28' } }] },
  ])
})

test('R-MON-04 a domain in two accounts is listed and counted once; a webhook gets both incidents', () => {
  const twice = [
    incident('a.example', { cause: 'code:domain_expires_soon' }),
    incident('a.example', { cause: 'code:domain_expires_soon', id: 'second', domainId: 'second zone' }),
  ]
  const withAnother = [...twice, incident('b.example', { cause: 'code:domain_expires_soon' })]
  expect(grouped(twice)).toMatchObject([{ count: 1, names: ['a.example'], zoneId: null }])
  expect(grouped(withAnother)).toMatchObject([{ count: 2, names: ['a.example', 'b.example'] }])
  expect(grouped(withAnother, noNames, true)).toMatchObject([{ count: 3, incidents: [{}, { id: 'second' }, {}] }])
})

test.each<[string, Partial<NotifiableIncident>]>([
  ['cause', { cause: 'origin:203.0.113.2' }],
  ['severity', { health: 'warnings' }],
  ['end', { closedAt: after(30) }],
  ['former warning', { worse: true }],
  ['part in a wave', { more: true }],
])('an incident with a different %s gets a separate message', (_what, change) => {
  expect(grouped([incident('a.example'), incident('b.example', change)])).toHaveLength(2)
})

test('worse and more are copied from the incidents', () => {
  expect(grouped([incident('a.example', { worse: true, more: true })])[0]).toMatchObject({ worse: true, more: true })
})

test('critical messages come first, then warnings, then recoveries; within a severity the largest first', () => {
  const parts = grouped([
    incident('ended', { closedAt: after(5), cause: 'a' }),
    incident('warning', { health: 'warnings', cause: 'b' }),
    incident('one', { cause: 'c' }),
    incident('two', { cause: 'd' }),
    incident('three', { cause: 'd' }),
    incident('ended warning', { closedAt: after(5), health: 'warnings', cause: 'e' }),
  ])
  expect(parts.map(({ names }) => names.join())).toEqual(['two,three', 'one', 'warning', 'ended', 'ended warning'])
})

test('a recovery shows the shortest and longest duration; a clock that was set back makes none negative', () => {
  const ended = (name: string, from: number, to: number) => incident(name, { openedAt: after(from), closedAt: after(to) })
  expect(grouped([ended('a', 0, 90), ended('b', 10, 40), ended('c', 20, 80)])).toMatchObject([
    { kind: 'closed', shortestMs: 30_000, longestMs: 90_000 },
  ])
  expect(grouped([ended('a', 50, 20)])).toMatchObject([{ kind: 'closed', shortestMs: 0, longestMs: 0 }])
})

describe('an account', () => {
  const account = incident('ann@example.com', { domainId: null, cause: 'account:1' })

  test('counts and names its domains', () => {
    const naming = new Map([['account:1', { name: 'Ann', domains: 40, first: ['a.example', 'b.example'] }]])
    expect(grouped([account], naming)).toMatchObject([
      { causeName: 'Ann', count: 40, domains: ['a.example', 'b.example'], names: ['ann@example.com'], zoneId: null },
    ])
  })

  test('without domains counts as one, and falls back to the name stored in the incident', () => {
    const naming = new Map([['account:1', { name: 'Ann', domains: 0, first: [] }]])
    expect(grouped([account], naming)).toMatchObject([{ count: 1, domains: [] }])
    expect(grouped([account])).toMatchObject([{ causeName: 'ann@example.com', count: 1, domains: [] }])
  })
})

describe('the reasons of many incidents', () => {
  test('are those of the incident with the most, without details that differ between incidents', () => {
    const parts = grouped([
      incident('a', { reasons: [reason('http_status', { status: 502, path: '/' })] }),
      incident('b', { reasons: [reason('http_status', { status: 503, path: '/' }), reason('slow', { ms: 900 })] }),
    ])
    expect(parts[0]?.reasons).toEqual([reason('http_status', { path: '/' }), reason('slow', { ms: 900 })])
  })

  test('are at most five', () => {
    const codes = ['slow', 'flapping', 'http_status', 'tls_failed', 'zone_paused', 'phishing'] as const
    const parts = grouped([incident('a', { reasons: codes.map((code) => reason(code)) })])
    expect(parts[0]?.reasons.map(({ code }) => code)).toEqual(codes.slice(0, 5))
  })
})

test('a webhook gets every incident, in as many messages as needed', () => {
  const many = Array.from({ length: mostIncidentsOfCall + 1 }, (_, at) => incident(`${at}`, { closedAt: after(9) }))
  const parts = grouped(many, noNames, true)
  expect(parts.map(({ count, incidents }) => [count, incidents?.length])).toEqual([
    [mostIncidentsOfCall, mostIncidentsOfCall],
    [1, 1],
  ])
  expect(parts[1]?.incidents).toEqual([
    {
      id: `id of ${mostIncidentsOfCall}`,
      zoneId: `zone of ${mostIncidentsOfCall}`,
      name: `${mostIncidentsOfCall}`,
      openedAt: after(0).toISOString(),
      closedAt: after(9).toISOString(),
    },
  ])
  expect(grouped([incident('a')], noNames, true)[0]?.incidents).toMatchObject([{ closedAt: null }])
})

test('critical changes are a message for each account, and every kind keeps what, where and who', () => {
  const changes = (kinds: readonly string[], actor: string) =>
    kinds.map((kind) => reason('changed_outside', { kind, actor, changes: 1, names: `of ${kind}` }))
  const account = (name: string, reasons: readonly Reason[]) =>
    incident(name, { domainId: null, cause: 'code:changed_outside', reasons: [...reasons] })
  const [one, other] = [changes(['dnssec_off', 'token_created'], 'eve'), changes(['zone_removed'], 'mallory')]
  const parts = grouped([account('first@example.com', one), account('second@example.com', other)])
  expect(parts.map(({ names, reasons }) => ({ names, reasons }))).toEqual([
    { names: ['first@example.com'], reasons: one },
    { names: ['second@example.com'], reasons: other },
  ])
})
