import type { QuietHours } from '#shared/features/monitoring/schema.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/** Minutes since midnight, local time. */
function minutesThere(now: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(now)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return of('hour') * 60 + of('minute')
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** When the current quiet hours end; null: they are not active. The end may be an hour off in a night with a daylight saving change. */
export function quietUntil(hours: QuietHours | null, now: number): number | null {
  if (hours === null) return null
  const [from, to, at] = [minutesOf(hours.from), minutesOf(hours.to), minutesThere(now, hours.timeZone)]
  const quiet = from < to ? at >= from && at < to : from > to && (at >= from || at < to)
  if (!quiet) return null
  const minutes = (to - at + 1_440) % 1_440
  const end = Math.floor(now / minuteMs) * minuteMs + minutes * minuteMs
  return Math.min(end, now + dayMs)
}
