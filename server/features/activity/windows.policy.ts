/** Days as dates without a time zone. */
const dayMs = 86_400_000
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export interface Windows {
  readonly today: string
  /** The first day of each, all as YYYY-MM-DD. */
  readonly week: string
  readonly month: string
  /** The last 7 days, oldest first, today the last. */
  readonly days: readonly string[]
  /** The earliest of all these dates. */
  readonly since: string
  /** Some of these days begin within a UTC hour, as in India. */
  readonly betweenHours: boolean
}

/** The current ‘today’, ‘this week’ and so on in this time zone. */
export function windowsOf(nowMs: number, timeZone: string, weekStart: 'monday' | 'sunday'): Windows {
  // The Swedish locale formats dates as ISO 8601.
  const today = new Intl.DateTimeFormat('sv', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(nowMs)
  const ms = Date.parse(today)
  const weekday = new Date(ms).getUTCDay()
  const week = dateOf(ms - (weekStart === 'sunday' ? weekday : (weekday + 6) % 7) * dayMs)
  const month = `${today.slice(0, 8)}01`
  const days = Array.from({ length: 7 }, (_, index) => dateOf(ms - (6 - index) * dayMs))
  const [since = today] = [week, month, ...days].toSorted()
  const clock = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' })
  // At UTC midnight around each day, because the day begins somewhere between.
  const betweenHours = [since, ...days].some((day) => [-1, 0, 1].some((offset) => clock.format(Date.parse(day) + offset * dayMs) !== '0'))
  return { today, week, month, days, since, betweenHours }
}
