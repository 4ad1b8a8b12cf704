import { expect, test } from 'vitest'
import type { ReasonCode, Region } from '#shared/features/monitoring/schema.ts'
import { planIncidents } from './incident.policy.ts'
import { judge } from './verdict.policy.ts'
import type { SeenView, Signals } from './verdict.policy.ts'

const now = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000
const sound: Signals = { status: 'active', providerStatus: 'active', paused: false, phishing: false, paidUntil: null, autoRenew: null }
const seen = (region: Region, state: SeenView['state'], codes: readonly ReasonCode[] = [], given: Partial<SeenView> = {}): SeenView => ({
  region,
  state,
  since: now - 10 * minute,
  failures: state === 'down' ? 2 : 0,
  checkedAt: state === 'unknown' ? null : now - minute,
  reasons: codes.map((code) => ({ code, params: {} })),
  ...given,
})
const all = new Set<Region>(['EUROPE', 'NORTH_AMERICA', 'ASIA'])
const told = (views: readonly SeenView[], live: ReadonlySet<Region> = all, signals: Signals = sound, asksOthers = false) => {
  const verdict = judge(views, live, signals, now, asksOthers)
  return verdict === null ? null : [verdict.health, ...verdict.reasons.map(({ code, regions }) => [code, ...regions].join(' '))]
}

test('R-MON-04 down is what more than half of the regions that can tell say; some of them are a warning', () => {
  const [up, down] = [seen('EUROPE', 'up'), (region: Region) => seen(region, 'down', ['connect_timeout'])]
  expect(told([up, down('NORTH_AMERICA'), down('ASIA')])).toEqual(['critical', 'connect_timeout NORTH_AMERICA ASIA'])
  expect(told([up, seen('NORTH_AMERICA', 'up'), down('ASIA')])).toEqual(['warnings', 'down_in_some_regions ASIA', 'connect_timeout ASIA'])
  // A half is no majority, and a region that cannot tell is not counted.
  expect(told([up, down('ASIA')])).toEqual(['warnings', 'down_in_some_regions ASIA', 'connect_timeout ASIA'])
  expect(told([seen('EUROPE', 'unknown'), down('ASIA')], new Set(['ASIA']))).toEqual(['critical', 'connect_timeout ASIA'])
})

test('R-MON-04 what a region saw whose probe has gone counts for ten minutes; when nobody can tell nothing is known', () => {
  const view = (age: number) => seen('EUROPE', 'down', ['http_status'], { checkedAt: now - age * minute })
  expect(told([view(9)], new Set())).toEqual(['critical', 'http_status EUROPE'])
  expect(told([view(10)], new Set())).toEqual(['unknown'])
  expect(told([seen('EUROPE', 'unknown')])).toEqual(['unknown'])
})

test('R-MON-04 while the other regions have not looked since, all stays as it was, for three minutes at most, a minute for others who are asked', () => {
  const down = (minutes: number) => seen('ASIA', 'down', ['http_status'], { since: now - minutes * minute })
  const before = seen('EUROPE', 'up', [], { checkedAt: now - 4 * minute })
  const trying = seen('EUROPE', 'up', [], { failures: 1 })
  expect([told([down(2), before]), told([down(2), trying]), told([down(3), before])]).toEqual([
    null,
    null,
    ['warnings', 'down_in_some_regions ASIA', 'http_status ASIA'],
  ])
  const unseen = seen('EUROPE', 'unknown')
  const asia = new Set<Region>(['ASIA'])
  expect([
    told([down(0.5), unseen], asia, sound, true),
    told([down(1), unseen], asia, sound, true),
    told([down(0.5), unseen], asia),
  ]).toEqual([null, ['critical', 'http_status ASIA'], ['critical', 'http_status ASIA']])
})

test('R-MON-03 signals of the mirror count without any check: paid until when, paused, pending, moved, phishing', () => {
  const day = 86_400_000
  const of = (signals: Partial<Signals>) => told([seen('EUROPE', 'up')], all, { ...sound, ...signals })
  expect(of({ phishing: true, paused: true })).toEqual(['critical', 'phishing', 'zone_paused'])
  expect(of({ paidUntil: now - 1 })).toEqual(['critical', 'domain_expired'])
  expect(of({ paidUntil: now + 29 * day })).toEqual(['warnings', 'domain_expires_soon'])
  expect(of({ paidUntil: now + 31 * day })).toEqual(['ok'])
  expect([of({ paidUntil: now + 8 * day, autoRenew: true }), of({ paidUntil: now + 6 * day, autoRenew: true })]).toEqual([
    ['ok'],
    ['warnings', 'domain_expires_soon'],
  ])
})

test('R-MON-04 a warning has an incident of its own, which neither ends nor begins anew because the domain is down meanwhile', () => {
  const verdict = (views: readonly SeenView[]) => {
    const found = judge(views, all, sound, now)
    if (found === null) throw new Error('undecided')
    return found
  }
  const warned = verdict([seen('EUROPE', 'up', ['cert_expires_soon'])])
  expect(planIncidents([], warned, false).open.map(({ key }) => key)).toEqual(['cert_expires_soon'])
  const incident = { id: 'one', health: 'warnings', reasons: warned.reasons, lastCodes: 'cert_expires_soon' } as const
  const down = verdict([seen('EUROPE', 'down', ['http_status'])])
  expect(planIncidents([incident], down, false)).toMatchObject({ open: [{ key: 'down' }], close: [] })
  expect(planIncidents([incident], warned, false)).toEqual({ open: [], worsen: [], note: [], close: [] })
  const well = verdict([seen('EUROPE', 'up')])
  expect([planIncidents([incident], well, false).close, planIncidents([incident], well, true).close]).toEqual([['one'], []])
})
