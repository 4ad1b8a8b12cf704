import type { CheckResult, Finding } from '#server/ports/region-probe.ts'
import { isCheckWarning } from '#shared/features/monitoring/reasons.ts'
import type { CheckOptions, Timings } from '#shared/features/monitoring/schema.ts'

const beatsKept = 90
const beatOf = { nothing: 0, good: 1, warned: 2, failed: 3 } as const
const hourMs = 3_600_000
const firstRetryMs = 30_000
const retryAtMostMs = 300_000

/** Sums over an hour; times include successful checks only. */
interface Sums {
  readonly checks: number
  readonly failed: number
  readonly dnsMs: number
  readonly connectMs: number
  readonly tlsMs: number
  readonly firstByteMs: number
  readonly totalMs: number
  readonly maxTotalMs: number
}
export const noSums: Sums = { checks: 0, failed: 0, dnsMs: 0, connectMs: 0, tlsMs: 0, firstByteMs: 0, totalMs: 0, maxTotalMs: 0 }
export interface HourOfChecks extends Sums {
  readonly hour: number
}

/** A domain's state as seen from a region. Times are milliseconds since 1970. */
export interface View {
  readonly state: 'up' | 'down' | 'unknown'
  readonly since: number | null
  readonly failures: number
  readonly successes: number
  /** Confirmed findings: why it is down or last failed, and warnings seen twice. */
  readonly reasons: readonly Finding[]
  /** Warnings seen once. */
  readonly pending: readonly string[]
  readonly checkedAt: number | null
  readonly retryAt: number | null
  readonly beats: Uint8Array
  readonly status: number | null
  readonly timings: Timings
  readonly hour: number | null
  readonly sums: Sums
}

interface Advance {
  readonly view: View
  /** The finished hour, to be stored. */
  readonly ended: HourOfChecks | null
  /** The state or reasons changed, so the domain has to be evaluated again. */
  readonly changed: boolean
  /** No checks for so long that the earlier state says nothing about now: the panel was stopped or restored. */
  readonly resumed: boolean
}

const missedAtLeast = 3
const gapAtLeastMs = 10 * 60_000

/** The view when the next check follows a gap: unobserved time is neither up nor down, and pending confirmations are reset. */
function afterGap(view: View, intervalMs: number, now: number): View | null {
  const passedMs = view.checkedAt === null ? 0 : now - view.checkedAt
  if (passedMs < Math.max(gapAtLeastMs, missedAtLeast * intervalMs)) return null
  const silent = view.beats.length - 1 - view.beats.findLastIndex((beat) => beat !== beatOf.nothing)
  const missed = Math.min(Math.floor(passedMs / intervalMs) - 1 - silent, beatsKept)
  let { beats } = view
  for (let beat = 0; beat < missed; beat += 1) beats = addBeat(beats, beatOf.nothing)
  return { ...view, beats, since: view.state === 'unknown' ? view.since : now, failures: 0, successes: 0, pending: [] }
}

type Limits = Pick<CheckOptions, 'failuresToDown' | 'successesToUp'>

/**
 * Applies a check result to a view (R-MON-04). A state is confirmed by several checks before it counts, and a warning by two; an inconclusive check
 * changes only the row of beats.
 * @param interval milliseconds between two checks; a retry is never later than the next scheduled one
 */
export function advance(before: View, result: CheckResult, limits: Limits, intervalMs: number, now: number): Advance {
  if (result.outcome === 'inconclusive')
    return { view: { ...before, beats: addBeat(before.beats, beatOf.nothing), retryAt: null }, ended: null, changed: false, resumed: false }
  const resumedView = afterGap(before, intervalMs, now)
  const [view, resumed] = [resumedView ?? before, resumedView !== null]
  const next = result.outcome === 'good' ? afterGood(view, result, limits, now) : afterFailure(view, result, limits, now)
  const hour = now - (now % hourMs)
  const ended = view.hour !== null && view.hour !== hour && view.sums.checks > 0 ? { hour: view.hour, ...view.sums } : null
  const beat = result.outcome === 'failed' ? beatOf.failed : result.findings.length > 0 ? beatOf.warned : beatOf.good
  const retryMs = next.retryMs !== null && next.retryMs < intervalMs ? next.retryMs : null
  return {
    view: {
      ...next.part,
      checkedAt: now,
      retryAt: retryMs === null ? null : now + retryMs,
      beats: addBeat(view.beats, beat),
      status: result.status,
      timings: result.timings,
      hour,
      sums: addTo(view.hour === hour ? view.sums : noSums, result),
    },
    ended,
    changed: resumed || next.part.state !== view.state || codesOf(next.part.reasons) !== codesOf(view.reasons),
    resumed,
  }
}

type Part = Pick<View, 'state' | 'since' | 'failures' | 'successes' | 'reasons' | 'pending'>

function afterGood(view: View, { findings }: CheckResult, { successesToUp }: Limits, now: number): { part: Part; retryMs: number | null } {
  const successes = Math.min(view.successes + 1, 99)
  if (view.state === 'down' && successes < successesToUp) {
    return { part: { ...view, failures: 0, successes }, retryMs: firstRetryMs }
  }
  const known = new Set<string>([...view.reasons.map(({ code }) => code), ...view.pending])
  const reasons = findings.filter(({ code }) => known.has(code))
  const pending = findings.flatMap(({ code }) => (known.has(code) ? [] : [code]))
  return {
    part: { state: 'up', since: view.state === 'up' ? view.since : now, failures: 0, successes, reasons, pending },
    retryMs: pending.length > 0 ? firstRetryMs : null,
  }
}

function afterFailure(
  view: View,
  { findings }: CheckResult,
  { failuresToDown }: Limits,
  now: number,
): { part: Part; retryMs: number | null } {
  const failures = Math.min(view.failures + 1, 99)
  const rest = { failures, successes: 0, pending: view.pending }
  if (view.state === 'down') return { part: { ...rest, state: 'down', since: view.since, reasons: findings }, retryMs: null }
  if (failures >= failuresToDown) return { part: { ...rest, state: 'down', since: now, reasons: findings }, retryMs: null }
  // It is not confirmed down yet, so earlier warnings stay.
  const warnings = view.reasons.filter(({ code }) => isCheckWarning(code))
  return {
    part: {
      ...rest,
      state: view.state,
      since: view.since,
      reasons: [...findings.filter(({ code }) => !isCheckWarning(code)), ...warnings],
    },
    retryMs: Math.min(firstRetryMs * 2 ** (failures - 1), retryAtMostMs),
  }
}

/** The number of remaining days is ignored, except for a certificate. */
const codesOf = (findings: readonly Finding[]): string =>
  [...new Set(findings.map(({ code, params }) => `${code}${code === 'cert_expires_soon' ? params['days'] : ''}`))].toSorted().join(' ')

function addBeat(beats: Uint8Array, beat: number): Uint8Array {
  const kept = beats.length < beatsKept ? beats : beats.subarray(beats.length - beatsKept + 1)
  const next = new Uint8Array(kept.length + 1)
  next.set(kept)
  next[kept.length] = beat
  return next
}

/** At no more than about one check per minute, the counts of an hour fit into their columns. */
function addTo(sums: Sums, { outcome, timings }: CheckResult): Sums {
  if (outcome !== 'good') return { ...sums, checks: sums.checks + 1, failed: sums.failed + 1 }
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = timings
  return {
    checks: sums.checks + 1,
    failed: sums.failed,
    dnsMs: sums.dnsMs + (dnsMs ?? 0),
    connectMs: sums.connectMs + (connectMs ?? 0),
    tlsMs: sums.tlsMs + (tlsMs ?? 0),
    firstByteMs: sums.firstByteMs + (firstByteMs ?? 0),
    totalMs: sums.totalMs + (totalMs ?? 0),
    maxTotalMs: Math.max(sums.maxTotalMs, totalMs ?? 0),
  }
}
