import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import type { Clock } from '#server/platform/clock.ts'

/** Where they say nothing of it. */
const closedSeconds = 60
/** Nobody is believed who asks to be left unchanged for longer. */
const longestSeconds = 24 * 3_600

/** What may still be asked for, as they reported last. */
export interface Quota {
  /** Takes so many tests. @returns null, or after how many seconds there are some. */
  take(tests: number): number | null
  /** Reads the headers of an answer to a new measurement. */
  learn(answer: HttpAnswer): void
  /** Seconds until it opens again; null: it is open. */
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
      // Credits go on where the free tests end.
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
