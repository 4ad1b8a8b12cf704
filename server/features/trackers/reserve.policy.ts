import type { ReserveProblem } from '#shared/features/trackers/schema.ts'
import type { ReserveRow } from './reserve.repo.ts'

/** A domain that expires too soon is no useful replacement. */
const paidAheadMs = 30 * 86_400_000

/** Why a domain cannot be used as a replacement now; empty: it is ready. @param now in milliseconds */
export function problemsOf(row: ReserveRow, now: number): ReserveProblem[] {
  const tests: readonly (readonly [ReserveProblem, boolean])[] = [
    ['gone', row.gone],
    ['not_active', row.status !== 'active'],
    ['paused', row.paused],
    ['phishing', row.phishing],
    ['unhealthy', row.health === 'critical'],
    ['bound', row.bound],
    ['paid_soon', row.paidUntil !== null && Date.parse(row.paidUntil) < now + paidAheadMs],
    ['unread', row.unread],
    ['records_missing', row.recordsMissing],
  ]
  return tests.flatMap(([problem, holds]) => (holds ? [problem] : []))
}
