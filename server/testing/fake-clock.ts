import type { Clock } from '#server/platform/clock.ts'

export interface FakeClock extends Clock {
  /** Advances time and ends, in order, every sleep due within it; lets the woken code run before it resolves. */
  advance(ms: number): Promise<void>
  /** Number of current sleeps. */
  readonly sleeping: number
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A clock that moves only on request. */
export function createFakeClock(start = Date.parse('2026-01-01T00:00:00Z')): FakeClock {
  let now = start
  const sleeps = new Set<{ readonly until: number; wake(): void }>()
  return {
    now: () => now,
    get sleeping() {
      return sleeps.size
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason as Error)
          return
        }
        const stop = () => {
          sleeps.delete(entry)
          reject(signal?.reason as Error)
        }
        const entry = {
          until: now + ms,
          wake: () => {
            sleeps.delete(entry)
            signal?.removeEventListener('abort', stop)
            resolve()
          },
        }
        sleeps.add(entry)
        signal?.addEventListener('abort', stop, { once: true })
      }),
    async advance(ms) {
      const target = now + ms
      await turn()
      for (;;) {
        const [next] = [...sleeps].filter((sleep) => sleep.until <= target).toSorted((a, b) => a.until - b.until)
        if (next === undefined) break
        now = Math.max(now, next.until)
        next.wake()
        await turn()
      }
      now = target
    },
  }
}
