const dayMs = 86_400_000

/**
 * How long before its end a certificate expires soon: `mostDays`, but at most the last third of its validity. One that is valid for a week would
 * otherwise expire soon from its first day, and again after each renewal.
 */
export const soonBeforeMs = (validityMs: number | null, mostDays: number): number =>
  Math.min(mostDays * dayMs, validityMs === null ? Infinity : validityMs / 3)
