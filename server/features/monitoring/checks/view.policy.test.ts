import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckResult } from '#server/ports/region-probe.ts'
import { advance, noSums } from './view.policy.ts'
import type { View } from './view.policy.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-20T10:00:00Z')
const noTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null }
const fresh: View = {
  state: 'unknown',
  since: null,
  failures: 0,
  successes: 0,
  reasons: [],
  pending: [],
  checkedAt: null,
  retryAt: null,
  beats: new Uint8Array(),
  status: null,
  timings: noTimings,
  hour: null,
  sums: noSums,
}
const result = (outcome: CheckResult['outcome'], codes: readonly CheckResult['findings'][number]['code'][] = []): CheckResult => ({
  outcome,
  findings: codes.map((code) => ({ code, params: {} })),
  status: 200,
  family: 4 as const,
  timings: { ...noTimings, dnsMs: 10, totalMs: 100 },
  certificate: null,
})
const good = result('good')
const failed = result('failed', ['connect_timeout'])
const nothing = result('inconclusive')
const limits = { failuresToDown: 3, successesToUp: 2 }
const interval = 300_000

/** One check per minute. */
function run(results: readonly CheckResult[], from: View = fresh) {
  let view = from
  const states: string[] = []
  for (const [index, each] of results.entries()) {
    view = advance(view, each, limits, interval, start + index * 60_000).view
    states.push(view.state)
  }
  return { view, states }
}

test('R-MON-04 a domain is down after the configured number of consecutive failures and up after that of successes; the first check needs one success', () => {
  expect(run([good, failed, failed, good, failed, failed, failed, good, failed, good, good]).states).toEqual([
    'up',
    'up',
    'up',
    'up',
    'up',
    'up',
    'down',
    'down',
    'down',
    'down',
    'up',
  ])
  expect(run([failed, failed]).states).toEqual(['unknown', 'unknown'])
})

test('R-MON-04 retries start after half a minute with growing pauses, also when confirming a recovery, and never exceed the interval', () => {
  const tries = (results: readonly CheckResult[], intervalMs = interval) => {
    let view = fresh
    return results.map((each) => {
      view = advance(view, each, limits, intervalMs, start).view
      return view.retryAt === null ? null : (view.retryAt - start) / 1_000
    })
  }
  expect(tries([good, failed, failed, failed, failed, good, good])).toEqual([null, 30, 60, null, null, 30, null])
  expect(tries([failed, failed], 60_000)).toEqual([30, null])
  const warned = result('good', ['slow'])
  expect(tries([warned, warned])).toEqual([30, null])
})

test('R-MON-04 a warning counts after two consecutive checks, stays while failures are confirmed, and ends with the first check without it', () => {
  const warned = result('good', ['slow'])
  const codes = (results: readonly CheckResult[]) => run(results).view.reasons.map(({ code }) => code)
  expect([codes([good, warned]), codes([warned, good, warned]), codes([warned, warned]), codes([warned, warned, good])]).toEqual([
    [],
    [],
    ['slow'],
    [],
  ])
  expect(codes([warned, warned, failed])).toEqual(['connect_timeout', 'slow'])
  expect(advance(run([good]).view, warned, limits, interval, start).changed).toBe(false)
  const pending = (results: readonly CheckResult[]) => run(results).view.pending
  expect([pending([warned]), pending([warned, failed]), pending([warned, warned])]).toEqual([['slow'], ['slow'], []])
})

test('R-MON-04 until an outage is confirmed, its reasons are those of the last failure, without new warnings', () => {
  const codes = (results: readonly CheckResult[]) => run(results).view.reasons.map(({ code }) => code)
  expect(codes([failed, result('failed', ['http_status'])])).toEqual(['http_status'])
  expect(codes([good, result('failed', ['http_status', 'slow'])])).toEqual(['http_status'])
})

test('R-MON-04 a check that says nothing about the domain changes only the row of beats', () => {
  const before = run([good, failed]).view
  const { view, ...rest } = advance(before, nothing, limits, interval, start + 5 * hour)
  expect({ ...view, beats: null, retryAt: null }).toEqual({ ...before, beats: null, retryAt: null })
  expect(rest).toEqual({ changed: false, ended: null, resumed: false })
  expect([...view.beats]).toEqual([1, 3, 0])
})

test('R-MON-05 no check is lost or counted twice between the current hour and finished hours, in whatever order results arrive', () => {
  const anyResult = fc.constantFrom(good, failed, nothing, result('good', ['slow']))
  fc.assert(
    fc.property(fc.array(fc.tuple(anyResult, fc.integer({ min: 1, max: 50 })), { maxLength: 120 }), (steps) => {
      let view = fresh
      let now = start
      let [checks, failures, total] = [0, 0, 0]
      for (const [each, minutes] of steps) {
        now += minutes * 60_000
        const next = advance(view, each, limits, interval, now)
        if (next.ended !== null) {
          expect(next.ended.hour).toBeLessThan(now - (now % hour))
          checks += next.ended.checks
          failures += next.ended.failed
          total += next.ended.totalMs
        }
        view = next.view
      }
      const outcomes = steps.map(([each]) => each.outcome)
      // Gaps are beats too.
      expect(view.beats.length).toBeGreaterThanOrEqual(Math.min(90, steps.length))
      expect(view.beats.length).toBeLessThanOrEqual(90)
      expect([checks + view.sums.checks, failures + view.sums.failed, total + view.sums.totalMs]).toEqual([
        outcomes.filter((outcome) => outcome !== 'inconclusive').length,
        outcomes.filter((outcome) => outcome === 'failed').length,
        outcomes.filter((outcome) => outcome === 'good').length * 100,
      ])
    }),
  )
})

const advanceOnce = (view: View, given: CheckResult, now = start) => advance(view, given, limits, interval, now)
const of = (outcome: CheckResult['outcome'], timings: Partial<CheckResult['timings']>): CheckResult => ({
  ...result(outcome),
  timings: { ...noTimings, ...timings },
})

test('the sums of an hour are those of its successful checks, and a finished hour is returned as a whole', () => {
  const begun = advanceOnce(fresh, of('good', { dnsMs: 1, connectMs: 20, tlsMs: 300, firstByteMs: 4_000, totalMs: 50_000 }), start + 60_000)
  expect([begun.ended, begun.view.hour]).toEqual([null, start])
  const second = advanceOnce(begun.view, of('good', { dnsMs: 2, connectMs: 30, tlsMs: 400, firstByteMs: 5_000, totalMs: 6_000 }))
  const third = advanceOnce(second.view, of('good', {}))
  const sums = { checks: 3, failed: 0, dnsMs: 3, connectMs: 50, tlsMs: 700, firstByteMs: 9_000, totalMs: 56_000, maxTotalMs: 50_000 }
  expect([third.ended, third.view.sums]).toEqual([null, sums])
  const later = advanceOnce(third.view, failed, start + hour)
  expect(later.ended).toEqual({ hour: start, ...sums })
  expect([later.view.hour, later.view.sums]).toEqual([start + hour, { ...noSums, checks: 1, failed: 1 }])
  // An hour without checks is not stored.
  expect(advanceOnce({ ...fresh, hour: start }, good, start + hour).ended).toBeNull()
})

test('a domain is up since it came up and down since the failure was confirmed', () => {
  const up = advanceOnce(fresh, good, start).view
  expect([up.state, up.since]).toEqual(['up', start])
  expect(advanceOnce(up, good, start + 60_000).view.since).toBe(start)
  const { view } = run([good, failed, failed, failed])
  expect([view.state, view.since]).toEqual(['down', start + 3 * 60_000])
  const soon = start + 9 * 60_000
  expect(advanceOnce(view, failed, soon).view.since).toBe(start + 3 * 60_000)
  const again = [soon, soon + 60_000].reduce((one, at) => advanceOnce(one, good, at).view, view)
  expect([again.state, again.since]).toEqual(['up', soon + 60_000])
})

test('a change is a new state or reason; remaining days matter only for a certificate', () => {
  const with_ = (code: 'cert_expires_soon' | 'slow', params: Record<string, number>): CheckResult => ({
    ...good,
    findings: [{ code, params }],
  })
  const settled = run([good, good]).view
  expect(advanceOnce(settled, good).changed).toBe(false)
  expect(advanceOnce(fresh, good).changed).toBe(true)
  const expiring = run([good, with_('cert_expires_soon', { days: 9 }), with_('cert_expires_soon', { days: 9 })]).view
  expect(expiring.reasons.map(({ code }) => code)).toEqual(['cert_expires_soon'])
  expect(advanceOnce(expiring, with_('cert_expires_soon', { days: 9 })).changed).toBe(false)
  expect(advanceOnce(expiring, with_('cert_expires_soon', { days: 8 })).changed).toBe(true)
  expect(advanceOnce(expiring, good).changed).toBe(true)
  const slow = run([good, with_('slow', { ms: 1 }), with_('slow', { ms: 1 })]).view
  expect(slow.reasons.map(({ code }) => code)).toEqual(['slow'])
  expect(advanceOnce(slow, with_('slow', { ms: 2 })).changed).toBe(false)
})

test('the row of beats has the result of each check and keeps the latest ones', () => {
  const warned = result('good', ['cert_expires_soon'])
  const row = [...run([good, warned, failed, nothing]).view.beats]
  expect(new Set(row).size).toBe(4)
  const long = run(Array.from({ length: 300 }, () => good)).view
  const kept = long.beats.length
  expect(kept).toBeLessThan(300)
  const next = advanceOnce(long, failed).view.beats
  expect([next.length, next.at(-1), next.at(-2)]).toEqual([kept, row[2], row[0]])
})

test('a gap without checks is shown and resets everything in progress: up or down, and failures or warnings seen once', () => {
  const minutes = 5
  const [seen] = [run([good, failed]).view]
  const at = start + 60_000 + 10 * minutes * 60_000
  const { view, resumed, changed } = advance(seen, good, limits, minutes * 60_000, at)
  expect({ resumed, changed, state: view.state, since: view.since, failures: view.failures }).toEqual({
    resumed: true,
    changed: true,
    state: 'up',
    since: at,
    failures: 0,
  })
  expect([...view.beats]).toEqual([1, 3, ...Array.from({ length: 9 }, () => 0), 1])
  expect(advance(run([result('good', ['slow'])]).view, failed, limits, interval, start + hour).view.pending).toEqual([])
  expect(advance(run([failed]).view, failed, limits, interval, start + hour).view.since).toBeNull()
  const down = run([failed, failed, failed]).view
  const still = advance(down, failed, limits, interval, start + 24 * hour)
  expect([still.view.state, still.view.since, still.resumed]).toEqual(['down', start + 24 * hour, true])
  expect([...still.view.beats]).toEqual([...Array.from({ length: 89 }, () => 0), 3])
})

test('inconclusive checks are not counted as a gap again, and a single missed check is not a gap', () => {
  const silent = run([good, ...Array.from({ length: 11 }, () => nothing)]).view
  const { view } = advance(silent, good, limits, 60_000, start + 12 * 60_000)
  expect([...view.beats]).toEqual([1, ...Array.from({ length: 11 }, () => 0), 1])
  expect(advance(run([good]).view, good, limits, interval, start + 2 * interval)).toMatchObject({ resumed: false, view: { since: start } })
  const resumed = (ms: number, intervalMs: number) => advance(run([good]).view, good, limits, intervalMs, start + ms).resumed
  expect([resumed(3 * interval - 1, interval), resumed(3 * interval, interval)]).toEqual([false, true])
  expect([resumed(599_999, 60_000), resumed(600_000, 60_000)]).toEqual([false, true])
})
