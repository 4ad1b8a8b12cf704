/** The state of a window after a call. */
type RateDecision = {
  readonly allowed: boolean
  /** Calls that would still be permitted now. */
  readonly remaining: number
  /** Until the oldest counted call leaves the window, or, if refused, until calls are permitted again. */
  readonly resetMs: number
}

/** Sliding window over the last `limit` calls; stores one number per call. */
export type RateWindow = { take(nowMs: number): RateDecision }

/**
 * `blockMs`: after the first call over the limit, refuse everything for that long (Cloudflare's user limit);
 * 0 refuses only until the window has room again. Refused calls are not counted.
 */
export function createRateWindow(limit: number, windowMs: number, blockMs: number): RateWindow {
  const arrivals: number[] = []
  let head = 0
  let blockedUntilMs = -Infinity

  return {
    take(nowMs) {
      if (nowMs < blockedUntilMs) return { allowed: false, remaining: 0, resetMs: blockedUntilMs - nowMs }
      while (head < arrivals.length && (arrivals[head] ?? 0) <= nowMs - windowMs) head++
      if (head > 4096 && head * 2 > arrivals.length) {
        arrivals.splice(0, head)
        head = 0
      }
      const used = arrivals.length - head
      const oldest = arrivals[head] ?? nowMs
      if (used >= limit) {
        blockedUntilMs = blockMs > 0 ? nowMs + blockMs : -Infinity
        return {
          allowed: false,
          remaining: 0,
          resetMs: blockMs > 0 ? blockMs : oldest + windowMs - nowMs,
        }
      }
      arrivals.push(nowMs)
      return { allowed: true, remaining: limit - used - 1, resetMs: oldest + windowMs - nowMs }
    },
  }
}

/** A window per key; without a limit everything is permitted. */
export function createRateWindows(limit: number | null, windowMs: number) {
  const windows = new Map<unknown, RateWindow>()
  return (key: unknown, nowMs: number): RateDecision => {
    if (limit === null) return { allowed: true, remaining: Infinity, resetMs: 0 }
    const window = windows.get(key) ?? createRateWindow(limit, windowMs, 0)
    windows.set(key, window)
    return window.take(nowMs)
  }
}
