import type { DomainHealth } from '#shared/features/monitoring/reports.ts'

const dayMs = 86_400_000
const ranges = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs, quarter: 90 * dayMs } as const
type Range = keyof typeof ranges
/** A range with small gaps, such as the current hour, counts as fully observed. */
const wholeShare = 0.95

/** Whether the checks cover the whole range. */
export const isWhole = (observedMs: number, range: Range): boolean => observedMs >= ranges[range] * wholeShare

interface UptimeFigure {
  readonly range: Range
  /** Null: unknown, or no more than a shorter range shows. */
  readonly uptime: number | null
  /** The observed part of the range; null: all of it. */
  readonly observedMs: number | null
}

/** The uptime of each range. A longer range that was observed no longer than a shorter one has no figure. */
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

/** A share of good checks in hundredths of a percent, rounded down, so that 100 means no failure. */
export const uptimePercent = (share: number): number => Math.floor(share * 10_000 + 1e-9) / 100

const [minute, hour, day] = [60, 3600, 86_400]

/** A duration in milliseconds as seconds of its two largest units, each whole: 2 h 5 min is `[7200, 300]`. */
export function spanParts(spanMs: number): readonly number[] {
  const seconds = Math.max(0, Math.round(spanMs / 1000))
  if (seconds < minute) return [seconds]
  if (seconds < hour) return [Math.floor(seconds / minute) * minute]
  const [large, small] = seconds < day ? [hour, minute] : [day, hour]
  const rest = Math.floor((seconds % large) / small) * small
  const whole = Math.floor(seconds / large) * large
  return rest === 0 ? [whole] : [whole, rest]
}
