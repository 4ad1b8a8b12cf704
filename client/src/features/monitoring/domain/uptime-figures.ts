import type { DomainHealth } from '#shared/features/monitoring/reports.ts'

const dayMs = 86_400_000
const ranges = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs, quarter: 90 * dayMs } as const
type Range = keyof typeof ranges
/** A range with small gaps, as the hour that runs leaves one, counts as observed whole. */
const wholeShare = 0.95

/** Whether checks report the whole range. */
export const isWhole = (observedMs: number, range: Range): boolean => observedMs >= ranges[range] * wholeShare

interface UptimeFigure {
  readonly range: Range
  /** Null: nothing is known, or no more than a shorter range says. */
  readonly uptime: number | null
  /** How much of the range it reports; null: of all of it. */
  readonly observedMs: number | null
}

/** The uptime of each range, as far as it is one of that range: a longer one that was not observed for longer has none of its own. */
export function uptimeFigures({ uptime, observedMs }: Pick<NonNullable<DomainHealth['watched']>, 'uptime' | 'observedMs'>): UptimeFigure[] {
  let shorter = 0
  return (Object.keys(ranges) as Range[]).map((range) => {
    const observed = observedMs[range]
    const whole = isWhole(observed, range)
    const more = whole || observed * wholeShare > shorter
    shorter = Math.max(shorter, observed)
    return more ? { range, uptime: uptime[range], observedMs: whole ? null : observed } : { range, uptime: null, observedMs: null }
  })
}

/** A share of good checks in hundredths of a percent, cut and not rounded: only what never failed is 100. */
export const uptimePercent = (share: number): number => Math.floor(share * 10_000 + 1e-9) / 100
