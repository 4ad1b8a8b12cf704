import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import type { Clock } from '#server/platform/clock.ts'

/** Used if the response has no value. */
const closedSeconds = 60
/** Longest retry delay that is accepted. */
const longestSeconds = 24 * 3_600

/** The remaining quota as last reported. */
export interface Quota {
  /**
   * Reserves this many tests.
   * @returns null, or the seconds until some are available.
   */
  take(tests: number): number | null
  /** Reads the headers of a response to a new measurement. */
  learn(answer: HttpAnswer): void
  /** Seconds until measurements are possible again; null: now. */
  closedFor(): number | null
}

export function createQuota(clock: Clock): Quota {
  /** Null: not reported yet. */
  let remaining: number | null = null
  let resetAt = 0
  let closedUntil = 0
  const secondsTo = (at: number) => Math.max(1, Math.ceil((at - clock.now()) / 1000))
  return {
    take(tests) {
      if (closedUntil > clock.now()) return secondsTo(closedUntil)
      if (clock.now() >= resetAt) remaining = null
      if (remaining !== null && remaining < tests) return secondsTo(resetAt)
      if (remaining !== null) remaining -= tests
      return null
    },
    learn({ status, headers }) {
      const header = (name: string): number | null => {
        const value = Number(headers[name] ?? Number.NaN)
        return Number.isFinite(value) && value >= 0 ? value : null
      }
      const left = header('x-ratelimit-remaining')
      const reset = header('x-ratelimit-reset')
      // Credits are used after the free tests.
      const credits = header('x-credits-remaining') ?? 0
      if (left !== null && reset !== null) {
        remaining = left + credits
        resetAt = clock.now() + Math.min(reset, longestSeconds) * 1000
      }
      if (status === 429) closedUntil = clock.now() + Math.min(header('retry-after') ?? reset ?? closedSeconds, longestSeconds) * 1000
    },
    closedFor: () => (closedUntil > clock.now() ? secondsTo(closedUntil) : null),
  }
}
