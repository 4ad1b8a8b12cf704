import type { ReserveProblem } from '#shared/features/trackers/schema.ts'
import type { ReserveRow } from './reserve.repo.ts'

/** A domain that ends before a replaced one would be missed is no help. */
const paidAheadMs = 30 * 86_400_000

/** Why a domain could not take another's place now; empty: it is ready. @param now in milliseconds */
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
  ]
  return tests.flatMap(([problem, holds]) => (holds ? [problem] : []))
}
