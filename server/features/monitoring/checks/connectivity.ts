import type { RegionProbe } from '#server/ports/region-probe.ts'

/** Asked of the world so often at least; and so old an answer is good enough when many checks fail concurrently. */
const everyMs = 30_000
const doubtedAfterMs = 10_000

export interface Connectivity {
  /** As it was found last, not long ago. `doubted`: many checks fail, so that a recent answer is wanted. */
  isOnline(doubted?: boolean): Promise<boolean>
}

/** Whether this process reaches anything at all; where it does not, what it sees says nothing of the domains. */
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
