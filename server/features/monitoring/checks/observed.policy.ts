interface Unit {
  readonly at: string
  readonly checks: number
}

/**
 * How much time these checks report: in each hour or day no more than the checks of the region with the most fill, so that a figure of half an hour is not taken
 * for one of 90 days.
 * @param units checks by the unit's beginning, an entry for each region
 * @param unitMs length of a unit: an hour or a day
 */
export function observedMs(units: readonly Unit[], unitMs: number, intervalSeconds: number, now: number): number {
  const most = new Map<number, number>()
  for (const { at, checks } of units) most.set(Date.parse(at), Math.max(checks, most.get(Date.parse(at)) ?? 0))
  return [...most].reduce((sum, [at, checks]) => sum + Math.max(0, Math.min(checks * intervalSeconds * 1_000, unitMs, now - at)), 0)
}
