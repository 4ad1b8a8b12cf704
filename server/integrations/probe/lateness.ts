const everyMs = 100
/** What timers are late by anyway. */
const usualMs = 20

/** How late this process is with its own work: what did not come in time may have been here, unread. */
export interface Lateness {
  /** All that has added up, milliseconds. */
  totalMs(): number
  close(): void
}

export function createLateness(): Lateness {
  let total = 0
  let lookedAt = performance.now()
  const look = () => {
    const now = performance.now()
    total += Math.max(0, now - lookedAt - everyMs - usualMs)
    lookedAt = now
  }
  const timer = setInterval(look, everyMs).unref()
  return {
    totalMs() {
      // Also what is late at this moment.
      if (performance.now() - lookedAt > everyMs + usualMs) look()
      return total
    },
    close: () => clearInterval(timer),
  }
}
