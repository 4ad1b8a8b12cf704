const everyMs = 100
/** Usual delay of timers. */
const usualMs = 20

/** Measures the delay of this process's event loop: a late response may have arrived in time and not been read. */
export interface Lateness {
  /** The accumulated delay in milliseconds. */
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
      // Including the current delay.
      if (performance.now() - lookedAt > everyMs + usualMs) look()
      return total
    },
    close: () => clearInterval(timer),
  }
}
