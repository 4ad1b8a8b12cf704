interface Unit {
  readonly at: string
  readonly checks: number
}

/**
 * How much time these checks cover. Each hour or day counts only the region with the most checks, so that half an hour of data is not presented as 90
 * days.
 * @param units checks by start of the unit, one entry per region
 * @param unitMs length of a unit: an hour or a day
 */
export function observedMs(units: readonly Unit[], unitMs: number, intervalSeconds: number, now: number): number {
  const most = new Map<number, number>()
  for (const { at, checks } of units) most.set(Date.parse(at), Math.max(checks, most.get(Date.parse(at)) ?? 0))
  return [...most].reduce((sum, [at, checks]) => sum + Math.max(0, Math.min(checks * intervalSeconds * 1_000, unitMs, now - at)), 0)
}
