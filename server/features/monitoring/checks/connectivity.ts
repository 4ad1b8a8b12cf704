import type { RegionProbe } from '#server/ports/region-probe.ts'

/** Longest interval between connectivity checks; also the oldest result accepted when many checks fail. */
const everyMs = 30_000
const doubtedAfterMs = 10_000

export interface Connectivity {
  /** The latest recent result. `doubted`: many checks fail, so a fresher result is required. */
  isOnline(doubted?: boolean): Promise<boolean>
}

/** Whether this process has a network connection; without one, its results say nothing about the domains. */
export function createConnectivity(probe: Pick<RegionProbe, 'isOnline'>, signal: AbortSignal): Connectivity {
  let known = true
  let askedAt = -Infinity
  let asking: Promise<boolean> | null = null
  const ask = () =>
    (asking ??= probe
      .isOnline(signal)
      .then((online) => {
        askedAt = performance.now()
        known = online || signal.aborted
        return known
      })
      .finally(() => (asking = null)))
  return {
    isOnline(doubted = false) {
      const age = performance.now() - askedAt
      return age > (doubted || !known ? doubtedAfterMs : everyMs) ? ask() : Promise.resolve(known)
    },
  }
}
