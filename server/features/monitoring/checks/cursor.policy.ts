/** Catch up at twice the pace, so that a backlog is spread evenly. */
const hurry = 2
const gapAtMostMs = 5_000
/** Tolerates a clock that was set back, or another machine's clock that is ahead. */
const aheadAtMostMs = 5_000
const paceOverMs = 60_000

/** Instants are milliseconds since 1970. */
interface Cursor {
  readonly position: number
  readonly claimedAt: number
  readonly pace: number
}

interface Walk {
  readonly from: number
  readonly to: number
  /** Seconds of the interval in this range, in order; their domains are due. */
  readonly slots: readonly number[]
  /** Too far behind to catch up: the schedule restarts from now, covering everything within one interval. */
  readonly skipped: boolean
}

/** The slots that may be handed out now. */
export function walk({ position, claimedAt }: Cursor, intervalSeconds: number, now: number): Walk {
  const circleMs = intervalSeconds * 1_000
  const rounds = Math.floor((now - position) / circleMs)
  const skipped = rounds >= 2 || position - now > aheadAtMostMs
  // When a full round behind, skip the whole round, so that all domains are delayed equally.
  const from = skipped ? now : position + Math.max(0, rounds) * circleMs
  const to = Math.max(from, Math.min(now, from + hurry * Math.min(Math.max(now - claimedAt, 0), gapAtMostMs)))
  const first = Math.floor(from / 1_000) + 1
  const count = Math.max(0, Math.floor(to / 1_000) - first + 1)
  return { from, to, slots: Array.from({ length: count }, (_, index) => (first + index) % intervalSeconds), skipped }
}

/**
 * The cursor after a claim.
 * @param slots number of seconds handed out; fewer than available when the claim limit was reached
 */
export function moveOn(cursor: Cursor, { from, to, slots: all, skipped }: Walk, slots: number, now: number): Cursor {
  const position = slots === all.length ? to : (Math.floor(from / 1_000) + slots) * 1_000
  const elapsed = now - cursor.claimedAt
  const share = Math.min(1, Math.max(0, elapsed) / paceOverMs)
  const pace = skipped || elapsed <= 0 ? cursor.pace : cursor.pace + (Math.min(1, (position - from) / elapsed) - cursor.pace) * share
  return { position, claimedAt: now, pace }
}
