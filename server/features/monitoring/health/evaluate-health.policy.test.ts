import { expect, test } from 'vitest'
import type { CheckReason } from '#shared/features/monitoring/reasons.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { planIncidents } from '../incidents/incident.policy.ts'
import { evaluateHealth, keyOfReason, settleIn } from './evaluate-health.policy.ts'
import type { SeenView, Signals, Thresholds } from './evaluate-health.policy.ts'

const now = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000
const sound: Signals = {
  status: 'active',
  providerStatus: 'active',
  paused: false,
  phishing: false,
  paidUntil: null,
  autoRenew: null,
  originExpiresAt: null,
  originSoonAt: null,
  trafficProblems: [],
  recent: false,
}
const seen = (region: Region, state: SeenView['state'], codes: readonly CheckReason[] = [], given: Partial<SeenView> = {}): SeenView => ({
  region,
  state,
  since: now - 10 * minute,
  failures: state === 'down' ? 2 : 0,
  checkedAt: state === 'unknown' ? null : now - minute,
  reasons: codes.map((code) => ({ code, params: {} })),
  ...given,
})
const all = new Set<Region>(['EUROPE', 'NORTH_AMERICA', 'ASIA'])
const usual: Thresholds = { downRegions: null, expiryDays: 30, expiryDaysAutoRenew: 7 }
const evaluate = (
  views: readonly SeenView[],
  live: ReadonlySet<Region> = all,
  signals: Signals = sound,
  asksOthers = false,
  thresholds: Partial<Thresholds> = {},
) => {
  const evaluation = evaluateHealth(views, live, signals, now, { asksOthers, thresholds: { ...usual, ...thresholds } })
  return evaluation === null ? null : [evaluation.health, ...evaluation.reasons.map(({ code, regions }) => [code, ...regions].join(' '))]
}

test('R-MON-04 a domain is down when more than half of the deciding regions see it down; fewer are a warning', () => {
  const [up, down] = [seen('EUROPE', 'up'), (region: Region) => seen(region, 'down', ['connect_timeout'])]
  expect(evaluate([up, down('NORTH_AMERICA'), down('ASIA')])).toEqual(['critical', 'connect_timeout NORTH_AMERICA ASIA'])
  expect(evaluate([up, seen('NORTH_AMERICA', 'up'), down('ASIA')])).toEqual([
    'warnings',
    'down_in_some_regions ASIA',
    'connect_timeout ASIA',
  ])
  // Half is not a majority, and a region that cannot decide is not counted.
  expect(evaluate([up, down('ASIA')])).toEqual(['warnings', 'down_in_some_regions ASIA', 'connect_timeout ASIA'])
  expect(evaluate([seen('EUROPE', 'unknown'), down('ASIA')], new Set(['ASIA']))).toEqual(['critical', 'connect_timeout ASIA'])
})

test('R-MON-04 an outage is one problem with its failures, each once with its regions; warnings are separate problems', () => {
  const problems = (...views: readonly SeenView[]) =>
    evaluateHealth(views, all, sound, now, { asksOthers: false, thresholds: usual })?.problems
  const broken = seen('ASIA', 'down', ['http_status', 'cert_expires_soon', 'http_status'])
  const failure = { code: 'http_status', params: {}, regions: ['ASIA'] }
  expect(problems(broken)).toEqual([{ key: 'down', health: 'critical', reasons: [failure] }])
  const some = { code: 'down_in_some_regions', params: { down: 1, of: 2 }, regions: ['ASIA'] }
  expect(problems(broken, seen('EUROPE', 'up', ['slow', 'slow']))).toEqual([
    { key: 'down', health: 'warnings', reasons: [some, failure] },
    { key: 'slow', health: 'warnings', reasons: [{ code: 'slow', params: {}, regions: ['EUROPE'] }] },
  ])
})

test.each([
  ['connect_timeout', 'down'],
  ['down_in_some_regions', 'down'],
  ['slow', 'slow'],
  ['phishing', 'phishing'],
  ['zone_paused', 'zone_paused'],
  ['domains_unlisted', 'domains_unlisted'],
  ['origin_cert_expired', 'origin_cert_expired'],
  ['origin_cert_expires_soon', 'origin_cert_expires_soon'],
] as const)('R-MON-04 an incident of %s is one of the problem %s', (code, key) => {
  expect(keyOfReason(code)).toBe(key)
})

test('R-MON-04 a region’s result counts for ten minutes after its probe disappeared; without any result the health is unknown', () => {
  const view = (age: number) => seen('EUROPE', 'down', ['http_status'], { checkedAt: now - age * minute })
  expect(evaluate([view(9)], new Set())).toEqual(['critical', 'http_status EUROPE'])
  expect(evaluate([view(10)], new Set())).toEqual(['unknown'])
  expect(evaluate([seen('EUROPE', 'unknown')])).toEqual(['unknown'])
})

test('R-MON-04 the health is unchanged until other regions have checked, for at most three minutes, or one for external checkers', () => {
  const down = (minutes: number) => seen('ASIA', 'down', ['http_status'], { since: now - minutes * minute })
  const before = seen('EUROPE', 'up', [], { checkedAt: now - 4 * minute })
  const trying = seen('EUROPE', 'up', [], { failures: 1 })
  expect([evaluate([down(2), before]), evaluate([down(2), trying]), evaluate([down(3), before])]).toEqual([
    null,
    null,
    ['warnings', 'down_in_some_regions ASIA', 'http_status ASIA'],
  ])
  const unseen = seen('EUROPE', 'unknown')
  const asia = new Set<Region>(['ASIA'])
  expect([
    evaluate([down(0.5), unseen], asia, sound, true),
    evaluate([down(1), unseen], asia, sound, true),
    evaluate([down(0.5), unseen], asia),
  ]).toEqual([null, ['critical', 'http_status ASIA'], ['critical', 'http_status ASIA']])
})

test('R-MON-04 only regions that have not checked since the last region went down, or failed since, are waited for', () => {
  const down = seen('ASIA', 'down', ['http_status'], { since: now - 2 * minute })
  const health = (view: Partial<SeenView>) => evaluate([down, seen('EUROPE', 'up', [], view)])?.[0] ?? null
  expect([health({ checkedAt: now - 2 * minute - 1 }), health({ checkedAt: now - 2 * minute }), health({ failures: 1 })]).toEqual([
    null,
    'warnings',
    null,
  ])
  expect(evaluate([down, seen('EUROPE', 'unknown')])).toBeNull()
  const earlier = seen('NORTH_AMERICA', 'down', ['http_status'], { since: now - 5 * minute })
  const others = [seen('EUROPE', 'up', [], { checkedAt: now - 4 * minute }), seen('OCEANIA', 'up')]
  expect(evaluate([down, earlier, ...others], new Set([...all, 'OCEANIA']))).toBeNull()
})

test('R-MON-04 the configured number of regions makes a domain down, or all deciding regions if there are fewer', () => {
  const [up, down] = [(region: Region) => seen(region, 'up'), (region: Region) => seen(region, 'down', ['connect_timeout'])]
  const health = (views: readonly SeenView[], downRegions: number | null) => evaluate(views, all, sound, false, { downRegions })?.[0]
  const one = [up('EUROPE'), up('NORTH_AMERICA'), down('ASIA')]
  expect([health(one, null), health(one, 1), health(one, 2)]).toEqual(['warnings', 'critical', 'warnings'])
  const two = [up('EUROPE'), down('NORTH_AMERICA'), down('ASIA')]
  expect([health(two, null), health(two, 2), health(two, 3), health(two, 6)]).toEqual(['critical', 'critical', 'warnings', 'warnings'])
  const everywhere = [down('EUROPE'), down('NORTH_AMERICA'), down('ASIA')]
  expect([health(everywhere, 3), health(everywhere, 6), health([up('EUROPE')], 1)]).toEqual(['critical', 'critical', 'ok'])
})

test('R-MON-04 once the configured number of regions sees a domain down, the others are not waited for', () => {
  const down = seen('ASIA', 'down', ['http_status'], { since: now - minute })
  const before = seen('EUROPE', 'up', [], { checkedAt: now - 4 * minute })
  expect(evaluate([down, before])).toBeNull()
  expect(evaluate([down, before], all, sound, false, { downRegions: 1 })?.[0]).toBe('critical')
})

test('R-MON-03 mirrored zone states count without any check: paused, pending, moved, deactivated, phishing', () => {
  const of = (signals: Partial<Signals>) => evaluate([seen('EUROPE', 'up')], all, { ...sound, ...signals })
  expect(of({ phishing: true, paused: true })).toEqual(['critical', 'phishing', 'zone_paused'])
  expect([of({ providerStatus: 'moved' }), of({ providerStatus: 'deactivated' })]).toEqual([
    ['critical', 'zone_moved'],
    ['critical', 'zone_moved'],
  ])
  expect([of({ status: 'pending' }), of({ status: 'initializing' })]).toEqual([
    ['warnings', 'zone_pending'],
    ['warnings', 'zone_pending'],
  ])
  expect(of({ status: 'error', providerStatus: 'pending' })).toEqual(['ok'])
})

test('R-MON-03 an expiring domain is a warning the configured days before, fewer with automatic renewal, and critical once expired', () => {
  const day = 86_400_000
  const of = (left: number, autoRenew: boolean | null, thresholds: Partial<Thresholds> = {}) => {
    const evaluation = evaluateHealth([seen('EUROPE', 'up')], all, { ...sound, paidUntil: now + left, autoRenew }, now, {
      asksOthers: false,
      thresholds: { ...usual, ...thresholds },
    })
    return evaluation?.reasons.map(({ code, params }) => [code, params['days']].join(' ')) ?? null
  }
  expect([of(30 * day, null), of(30 * day - 1, null), of(30 * day - 1, false)]).toEqual([
    [],
    ['domain_expires_soon 29'],
    ['domain_expires_soon 29'],
  ])
  expect([of(7 * day, true), of(7 * day - 1, true)]).toEqual([[], ['domain_expires_soon 6']])
  expect([of(10 * day, null, { expiryDays: 10 }), of(10 * day - 1, null, { expiryDays: 10 })]).toEqual([[], ['domain_expires_soon 9']])
  expect([of(2 * day, true, { expiryDaysAutoRenew: 2 }), of(day, true, { expiryDaysAutoRenew: 2 })]).toEqual([
    [],
    ['domain_expires_soon 1'],
  ])
  expect([of(0, null), of(-1, null), of(-day - 1, true)]).toEqual([['domain_expires_soon 0'], ['domain_expired 1'], ['domain_expired 2']])
})

test('R-MON-03 a certificate of Origin CA is a warning once it expires soon and another one when it has expired', () => {
  const day = 86_400_000
  const of = (left: number) => {
    const signals = { ...sound, originExpiresAt: now + left, originSoonAt: now + left - 30 * day }
    const evaluation = evaluateHealth([seen('EUROPE', 'up')], all, signals, now, { asksOthers: false, thresholds: usual })
    return (
      evaluation?.problems.map(({ key, health, reasons }) => [key, health, reasons[0]?.code, reasons[0]?.params['days']].join(' ')) ?? null
    )
  }
  expect([of(30 * day), of(30 * day - 1), of(0)]).toEqual([
    [],
    ['origin_cert_expires_soon warnings origin_cert_expires_soon 29'],
    ['origin_cert_expires_soon warnings origin_cert_expires_soon 0'],
  ])
  expect([of(-1), of(-day - 1)]).toEqual([
    ['origin_cert_expired warnings origin_cert_expired 1'],
    ['origin_cert_expired warnings origin_cert_expired 2'],
  ])
})

test('R-MON-04 a new domain that has never worked is being set up: delegation and site problems are not reported, others are', () => {
  const evaluation = (views: readonly SeenView[], signals: Partial<Signals>) => {
    const found = evaluateHealth(views, all, { ...sound, ...signals }, now, { asksOthers: false, thresholds: usual })
    if (found === null) throw new Error('undecided')
    return found
  }
  const shown = ({ health, reasons, problems }: ReturnType<typeof evaluation>) => [
    health,
    reasons.map(({ code }) => code).join(' '),
    problems.map(({ key }) => key).join(' '),
  ]
  const down = seen('EUROPE', 'down', ['dns_no_such_name'])
  const fresh = { health: 'unknown', reasons: [] } as const
  const pending = evaluation([down], { status: 'pending' })
  expect(shown(settleIn(pending, fresh, true))).toEqual(['unknown', 'setting_up', ''])
  expect(shown(settleIn(pending, { health: 'unknown', reasons: [{ code: 'setting_up', params: {}, regions: [] }] }, true))[0]).toBe(
    'unknown',
  )
  // After the grace period, or once it has worked, the outage counts.
  expect(shown(settleIn(pending, fresh, false))).toEqual(['critical', 'dns_no_such_name zone_pending', 'zone_pending down'])
  expect(shown(settleIn(pending, { health: 'ok', reasons: [] }, true))[0]).toBe('critical')
  expect(shown(settleIn(pending, { health: 'critical', reasons: [{ code: 'http_status', params: {}, regions: [] }] }, true))[0]).toBe(
    'critical',
  )
  expect(shown(settleIn(evaluation([down], { phishing: true }), fresh, true))).toEqual(['critical', 'phishing setting_up', 'phishing'])
  expect(shown(settleIn(evaluation([down], { paused: true }), fresh, true))).toEqual(['warnings', 'zone_paused setting_up', 'zone_paused'])
  expect(shown(settleIn(evaluation([down], { paused: true, phishing: true }), fresh, true))[0]).toBe('critical')
  expect(settleIn(pending, fresh, true).downSomewhere).toBe(true)
  expect(shown(settleIn(evaluation([seen('EUROPE', 'up')], {}), fresh, true))).toEqual(['ok', '', ''])
  expect(shown(settleIn(evaluation([seen('EUROPE', 'up')], { phishing: true }), fresh, true))).toEqual(['critical', 'phishing', 'phishing'])
})

test('R-MON-04 a warning has its own incident, which neither ends nor restarts when the domain goes down', () => {
  const evaluation = (views: readonly SeenView[]) => {
    const found = evaluateHealth(views, all, sound, now, { asksOthers: false, thresholds: usual })
    if (found === null) throw new Error('undecided')
    return found
  }
  const warned = evaluation([seen('EUROPE', 'up', ['cert_expires_soon'])])
  expect(planIncidents([], warned, false).open.map(({ key }) => key)).toEqual(['cert_expires_soon'])
  const incident = { id: 'one', health: 'warnings', reasons: warned.reasons, lastCodes: 'cert_expires_soon' } as const
  const down = evaluation([seen('EUROPE', 'down', ['http_status'])])
  expect(planIncidents([incident], down, false)).toMatchObject({ open: [{ key: 'down' }], close: [] })
  expect(planIncidents([incident], warned, false)).toEqual({ open: [], worsen: [], note: [], close: [] })
  const well = evaluation([seen('EUROPE', 'up')])
  expect([planIncidents([incident], well, false).close, planIncidents([incident], well, true).close]).toEqual([['one'], []])
})
