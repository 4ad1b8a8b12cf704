import { expect, test } from 'vitest'
import type { Reason, ReasonCode } from '#shared/features/monitoring/schema.ts'
import { dampFlapping as dampFlappingAt, stableMs } from './flapping.policy.ts'
import type { ReportedHealth } from './flapping.policy.ts'
import type { Health } from './evaluate-health.policy.ts'

const minute = 60_000
/** Evaluated right after a check. */
const dampFlapping = (before: ReportedHealth, evaluation: Parameters<typeof dampFlappingAt>[1], at: number) =>
  dampFlappingAt(before, evaluation, { now: at, lookedAt: at, isResumed: false })
const hour = 60 * minute
const now = Date.parse('2026-11-20T10:00:00Z')
const reasons = (...codes: ReasonCode[]): Reason[] => codes.map((code) => ({ code, params: {}, regions: [] }))
const evaluationOf = (health: Health) => ({ health, reasons: health === 'critical' ? reasons('connect_refused') : [] })

/** The reported health after each of these evaluations, at minutes since `now`. */
function follow(steps: readonly (readonly [atMinutes: number, health: Health])[]) {
  let before: ReportedHealth = { health: 'ok', reasons: [], changes: [] }
  return steps.map(([at, health]) => {
    const next = dampFlapping(before, evaluationOf(health), now + at * minute)
    before = { health: next.health, reasons: next.reasons, changes: next.changes }
    return [next.health, next.flapping, next.reasons.map(({ code }) => code).join(' '), next.changes.length]
  })
}

test('R-MON-04 three changes within an hour are not flapping, the fourth is, and a healthy domain is then a warning', () => {
  expect(
    follow([
      [0, 'critical'],
      [5, 'ok'],
      [10, 'critical'],
      [15, 'ok'],
    ]),
  ).toEqual([
    ['critical', false, 'connect_refused', 1],
    ['ok', false, '', 2],
    ['critical', false, 'connect_refused', 3],
    ['warnings', true, 'flapping', 4],
  ])
})

test('R-MON-04 a change counts for an hour, to the millisecond', () => {
  const changes = [now - hour, now - 20 * minute, now - 10 * minute]
  const at = (earlier: number) =>
    dampFlapping({ health: 'ok', reasons: [], changes: [earlier, ...changes.slice(1)] }, evaluationOf('critical'), now)
  expect([at(now - hour).flapping, at(now - hour).changes.length]).toEqual([false, 3])
  expect([at(now - hour + 1).flapping, at(now - hour + 1).changes.length]).toEqual([true, 4])
})

test('R-MON-04 flapping ends exactly a quarter of an hour after the last change, and its changes are cleared', () => {
  const before: ReportedHealth = { health: 'warnings', reasons: reasons('flapping'), changes: [1, 2, 3, now] }
  expect(stableMs).toBe(15 * minute)
  const early = dampFlapping(before, evaluationOf('ok'), now + stableMs - 1)
  expect([early.health, early.flapping, early.reasons.map(({ code }) => code)]).toEqual(['warnings', true, ['flapping']])
  const then = dampFlapping(before, evaluationOf('ok'), now + stableMs)
  expect(then).toEqual({ health: 'ok', reasons: [], changes: [], flapping: false })
})

test('R-MON-04 while flapping, each further change extends it, even with fewer than four left in the hour', () => {
  const flapping: ReportedHealth = { health: 'warnings', reasons: reasons('flapping'), changes: [now - 10 * minute] }
  const next = dampFlapping(flapping, evaluationOf('critical'), now)
  expect([next.health, next.flapping, next.changes, next.reasons.map(({ code }) => code)]).toEqual([
    'critical',
    true,
    [now - 10 * minute, now],
    ['connect_refused', 'flapping'],
  ])
  expect(next.reasons.at(-1)).toEqual({ code: 'flapping', params: { changes: 2 }, regions: [] })
})

test('R-MON-04 a domain that is a warning only for flapping counts as healthy: recovering is no change, going down is one', () => {
  const flapping: ReportedHealth = { health: 'warnings', reasons: reasons('flapping'), changes: [now - minute] }
  expect(dampFlapping(flapping, evaluationOf('ok'), now).changes).toHaveLength(1)
  expect(dampFlapping(flapping, evaluationOf('critical'), now).changes).toHaveLength(2)
  const slow: ReportedHealth = { health: 'warnings', reasons: reasons('slow', 'flapping'), changes: [now - minute] }
  expect(dampFlapping(slow, evaluationOf('ok'), now).changes).toHaveLength(2)
  expect(dampFlapping(slow, { health: 'warnings', reasons: reasons('slow') }, now).changes).toHaveLength(1)
})

test('R-MON-04 leaving the unknown state is not a change, and the unknown state keeps the changes and shows its reasons', () => {
  expect(dampFlapping({ health: 'unknown', reasons: [], changes: [] }, evaluationOf('critical'), now)).toMatchObject({
    changes: [],
    flapping: false,
  })
  const changes = [now - minute]
  expect(dampFlapping({ health: 'unknown', reasons: reasons('flapping'), changes }, evaluationOf('critical'), now).changes).toEqual(changes)
  const setting = { health: 'unknown', reasons: reasons('setting_up') } as const
  expect(dampFlapping({ health: 'ok', reasons: [], changes }, setting, now)).toEqual({ ...setting, changes, flapping: false })
  expect(dampFlapping({ health: 'warnings', reasons: reasons('flapping'), changes }, setting, now).flapping).toBe(true)
})

test('R-MON-04 an unchanged evaluation changes nothing, however often it is repeated', () => {
  const before: ReportedHealth = { health: 'critical', reasons: reasons('connect_refused'), changes: [now - minute] }
  expect(dampFlapping(before, evaluationOf('critical'), now)).toEqual({ ...before, flapping: false })
})

test('R-MON-04 time without checks is not stability: a flapping domain is still flapping and needs another quarter of an hour', () => {
  const before: ReportedHealth = { health: 'warnings', reasons: reasons('flapping'), changes: [now - 4, now - 3, now - 2, now - 1] }
  const later = now + 5 * hour
  // Evaluated without a new check, as after a restart or a change in the mirror.
  const evaluated = dampFlappingAt(before, evaluationOf('ok'), { now: later, lookedAt: now, isResumed: false })
  expect([evaluated.flapping, evaluated.changes.length]).toEqual([true, 4])
  const unseen = dampFlappingAt(before, evaluationOf('unknown'), { now: later, lookedAt: now, isResumed: false })
  expect([unseen.health, unseen.flapping, unseen.reasons.map(({ code }) => code)]).toEqual(['unknown', true, ['flapping']])
  const recent = { ...before, changes: [now - 40 * minute, now - 30 * minute, now - 20 * minute] }
  expect(dampFlappingAt(recent, evaluationOf('ok'), { now, lookedAt: now, isResumed: true }).changes).toEqual([
    now - 40 * minute,
    now - 30 * minute,
    now,
  ])
  const seen = dampFlappingAt(unseen, evaluationOf('ok'), { now: later, lookedAt: later, isResumed: true })
  expect([seen.health, seen.flapping, seen.changes.at(-1)]).toEqual(['warnings', true, later])
  expect(dampFlapping(seen, evaluationOf('ok'), later + stableMs - 1).flapping).toBe(true)
  expect(dampFlapping(seen, evaluationOf('ok'), later + stableMs)).toMatchObject({ health: 'ok', flapping: false })
})
