import type { WindowRepeat } from '#shared/features/alerts/schema.ts'
import { repeatLengthMs } from '#shared/features/alerts/schema.ts'

const dayMs = 86_400_000

interface Repeating {
  readonly startsAt: Date
  readonly endsAt: Date
  readonly repeat: WindowRepeat | null
}

interface Occurrence {
  readonly startsAt: Date
  readonly endsAt: Date
}

/** Local time as if it were UTC. */
function clockOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'), at % 1_000)
  }
}

/** The given number of days, weeks or months later; a month without that day uses its last one. */
function later(local: number, { every }: WindowRepeat, times: number): number {
  if (every !== 'month') return local + times * (every === 'week' ? 7 : 1) * dayMs
  const date = new Date(local)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + times]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (local % dayMs)
}

/**
 * Occurrences of a window in a time range: once, or at the same local time each day, week or month.
 * @param from milliseconds since 1970, like `to`; both inclusive
 */
export function occurrencesOf({ startsAt, endsAt, repeat }: Repeating, from: number, to: number): Occurrence[] {
  const [first, length] = [startsAt.getTime(), endsAt.getTime() - startsAt.getTime()]
  const overlaps = (at: number) => at <= to && at + length >= from
  if (repeat === null) return overlaps(first) ? [{ startsAt, endsAt }] : []
  const until = repeat.until === null ? Infinity : Date.parse(repeat.until)
  const clock = clockOf(repeat.timeZone)
  const local = clock(first)
  const momentOf = (shown: number) => {
    // Two iterations, because the offset may change between the estimate and the result.
    const near = shown - (clock(shown) - shown)
    return shown - (clock(near) - near)
  }
  const found: Occurrence[] = []
  const skipped = Math.floor((from - length - first) / repeatLengthMs[repeat.every].most) - 1
  for (let times = Math.max(0, skipped); ; times += 1) {
    const at = times === 0 ? first : momentOf(later(local, repeat, times))
    if (at > to || at >= until) return found
    if (overlaps(at)) found.push({ startsAt: new Date(at), endsAt: new Date(at + length) })
  }
}
