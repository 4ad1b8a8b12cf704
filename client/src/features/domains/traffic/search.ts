import type { TrafficTotalsBy } from '#shared/features/domains/traffic-totals.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'

export const trafficPeriods = ['day', 'week', 'month'] as const
export type TrafficPeriod = (typeof trafficPeriods)[number]

/** The URL parameters of the traffic page, without the defaults: groups, 30 days. */
export interface TrafficSearch {
  q?: string
  by?: Exclude<TrafficTotalsBy, 'group'>
  period?: Exclude<TrafficPeriod, 'month'>
}

export function parseTrafficSearch(raw: unknown): TrafficSearch {
  const { text, oneOf } = searchParams(raw)
  return compact<TrafficSearch>({ q: text('q'), by: oneOf('by', ['account']), period: oneOf('period', ['day', 'week']) })
}
