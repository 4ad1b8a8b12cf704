import type { ZoneReason } from './reasons.ts'

/** What can be unusual about the traffic of a domain, each with its bit in `zones.traffic_problems`. */
export const trafficProblemBits = {
  traffic_dropped: 1,
  traffic_server_errors: 2,
  traffic_threats: 4,
} as const satisfies Partial<Record<ZoneReason, number>>

export interface TrafficProblem {
  readonly code: keyof typeof trafficProblemBits
  readonly params: Readonly<Record<string, string | number>>
}

export const packTrafficProblems = (problems: readonly TrafficProblem[]): number =>
  problems.reduce((bits, { code }) => bits | trafficProblemBits[code], 0)
