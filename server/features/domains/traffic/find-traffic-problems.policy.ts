import type { TrafficProblem } from '#shared/features/monitoring/traffic-problems.ts'

/** The figures of a domain on its last whole day. */
export interface LastDay {
  /** In UTC, as `2026-11-27`. */
  readonly date: string
  readonly requests: number
  /** Requests on the same day of the three weeks before. */
  readonly sameDays: readonly number[]
  readonly serverErrors: number
  readonly threats: number
  /** Threats a day in the three weeks before. */
  readonly usualThreats: number
  /** As found by the reading before. */
  readonly problems: readonly TrafficProblem[]
}

/** A domain with fewer requests on the same days before may well have none. */
const enoughBefore = 100
/** Of the domains with enough requests before, so many must have some on a day, or its figures are late or incomplete. */
const leastShareWithRequests = 0.1
const enoughForErrors = 1_000
const mostErrors = 0.1
const enoughThreats = 1_000
const peak = 10

/** By date, whether the provider has figures of that day for the account, judged by all its busy domains. */
export function findKnownDates(days: readonly LastDay[]): ReadonlySet<string> {
  const known = new Set<string>()
  for (const [date, ofDate] of Map.groupBy(days, (day) => day.date)) {
    const busy = ofDate.filter(hadEnough)
    const withRequests = busy.filter(({ requests }) => requests > 0).length
    if (withRequests > 0 && withRequests >= busy.length * leastShareWithRequests) known.add(date)
  }
  return known
}

const hadEnough = ({ sameDays }: LastDay): boolean => sameDays.length > 0 && Math.min(...sameDays) >= enoughBefore

/**
 * What is unusual about the day, compared with the weeks before. Requests that stopped are a problem until a day has some: a week later, the weeks
 * before are no measure anymore.
 */
export function findTrafficProblems(day: LastDay, isKnown: boolean): TrafficProblem[] {
  const { date, requests, sameDays, serverErrors, threats, usualThreats } = day
  const share = requests === 0 ? 0 : serverErrors / requests
  const dropped =
    day.problems.find(({ code }) => code === 'traffic_dropped') ??
    (isKnown && hadEnough(day) ? ({ code: 'traffic_dropped', params: { date, before: Math.min(...sameDays) } } as const) : undefined)
  return [
    ...(requests === 0 && dropped !== undefined ? [dropped] : []),
    ...(requests >= enoughForErrors && share >= mostErrors
      ? [{ code: 'traffic_server_errors', params: { date, percent: Math.floor(share * 100) } } as const]
      : []),
    ...(threats >= enoughThreats && threats >= usualThreats * peak
      ? [{ code: 'traffic_threats', params: { date, threats, usual: Math.round(usualThreats) } } as const]
      : []),
  ]
}
