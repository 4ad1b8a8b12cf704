import type { Reason } from '#shared/features/monitoring/schema.ts'
import type { Health, HealthEvaluation } from './evaluate-health.policy.ts'

const hourMs = 3_600_000
const changesOfFlapping = 4
/** Flapping ends after this long without a change. */
export const stableMs = 15 * 60_000

export interface ReportedHealth {
  readonly health: Health
  readonly reasons: readonly Reason[]
  /** Changes within the last hour, milliseconds since 1970, oldest first. */
  readonly changes: readonly number[]
}

const isMark = ({ code }: Reason) => code === 'flapping'

export interface Moment {
  readonly now: number
  /** Time of the last check: only observed time counts as stable. */
  readonly lookedAt: number
  /** There were no checks for long before, so stability starts with this one. */
  readonly isResumed: boolean
}

/**
 * The health to report and store for an evaluation: a domain that changes four times in an hour is flapping, and is not reported as up before it is
 * stable for a quarter of an hour (R-MON-04).
 */
export function dampFlapping(
  before: ReportedHealth,
  evaluation: Pick<HealthEvaluation, 'health' | 'reasons'>,
  { now, lookedAt, isResumed }: Moment,
): ReportedHealth & { readonly flapping: boolean } {
  const mark = before.reasons.find(isMark)
  const wasFlapping = mark !== undefined
  if (evaluation.health === 'unknown')
    return {
      ...evaluation,
      reasons: [...evaluation.reasons, ...(mark === undefined ? [] : [mark])],
      changes: before.changes,
      flapping: wasFlapping,
    }
  // A domain with no other reason than flapping was up.
  const real = wasFlapping && before.health !== 'unknown' && before.reasons.every(isMark) ? 'ok' : before.health
  const changed = real !== 'unknown' && real !== evaluation.health
  // Changes are not forgotten during time without checks.
  const known = wasFlapping && isResumed ? [...before.changes.slice(0, -1), now] : before.changes
  const recent = known.filter((at) => lookedAt - at < hourMs)
  const changes = changed ? [...recent, now] : recent
  const last = changes.at(-1)
  const flapping = (wasFlapping || changes.length >= changesOfFlapping) && last !== undefined && lookedAt - last < stableMs
  if (!flapping) return { ...evaluation, changes: wasFlapping ? [] : changes, flapping }
  const next: Reason = { code: 'flapping', params: { changes: changes.length }, regions: [] }
  return { health: evaluation.health === 'ok' ? 'warnings' : evaluation.health, reasons: [...evaluation.reasons, next], changes, flapping }
}
