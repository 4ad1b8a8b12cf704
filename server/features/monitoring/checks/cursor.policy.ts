/** Twice as fast as time goes, so that what a pause left is caught up evenly and never immediately. */
const hurry = 2
const gapAtMostMs = 5_000
/** A clock that was put back, or of another machine that is ahead. */
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
  /** Seconds of the interval that lie between them, in their order; their domains are due. */
  readonly slots: readonly number[]
  /** Too far behind to catch up: what is due begins again from now, everything within one interval. */
  readonly skipped: boolean
}

/** The part of the circle that may be handed out now. */
export function walk({ position, claimedAt }: Cursor, intervalSeconds: number, now: number): Walk {
  const circleMs = intervalSeconds * 1_000
  const rounds = Math.floor((now - position) / circleMs)
  const skipped = rounds >= 2 || position - now > aheadAtMostMs
  // Who cannot keep up leaves a whole round out, which every domain feels alike.
  const from = skipped ? now : position + Math.max(0, rounds) * circleMs
  const to = Math.max(from, Math.min(now, from + hurry * Math.min(Math.max(now - claimedAt, 0), gapAtMostMs)))
  const first = Math.floor(from / 1_000) + 1
  const count = Math.max(0, Math.floor(to / 1_000) - first + 1)
  return { from, to, slots: Array.from({ length: count }, (_, index) => (first + index) % intervalSeconds), skipped }
}

/**
 * The cursor after a claim.
 * @param slots how many of the seconds were handed out; fewer than there were when the domains of a claim were enough
 */
export function moveOn(cursor: Cursor, { from, to, slots: all, skipped }: Walk, slots: number, now: number): Cursor {
  const position = slots === all.length ? to : (Math.floor(from / 1_000) + slots) * 1_000
  const elapsed = now - cursor.claimedAt
  const share = Math.min(1, Math.max(0, elapsed) / paceOverMs)
  const pace = skipped || elapsed <= 0 ? cursor.pace : cursor.pace + (Math.min(1, (position - from) / elapsed) - cursor.pace) * share
  return { position, claimedAt: now, pace }
}
