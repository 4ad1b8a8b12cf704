import type { QueryKey } from '@tanstack/react-query'
import type { LiveKind } from '#shared/features/live/schema.ts'
import { queryClient } from './query-client.ts'
import { useRenewal } from './use-renewal.ts'

interface LiveQueries {
  /** Events that make the queries stale. */
  readonly on: readonly LiveKind[]
  readonly queries: readonly QueryKey[]
  /** Milliseconds from the first event to the refetch. */
  readonly waitMs: number
  /** Milliseconds between two refetches during a stream of events, such as a first sync. */
  readonly streamMs: number
}

/** Which queries are refetched after which events; the only place that defines this. */
const liveQueries = {
  abuseReports: { on: ['reports', 'accounts', 'shares'], queries: [[['abuseReports']]], waitMs: 300, streamMs: 2_000 },
  accountHistory: { on: ['accounts'], queries: [[['history', 'listOfAccount']]], waitMs: 300, streamMs: 5_000 },
  accounts: { on: ['accounts', 'shares'], queries: [[['accounts', 'list']]], waitMs: 100, streamMs: 1_000 },
  accountCheck: { on: ['accounts'], queries: [[['accounts', 'checkProgress']]], waitMs: 100, streamMs: 500 },
  certificates: {
    on: ['domains'],
    // The stored state: queries that call the provider are not repeated for each event.
    queries: [[['zoneSettings', 'ssl'], { input: { fresh: false } }]],
    waitMs: 100,
    streamMs: 1_000,
  },
  delegations: { on: ['domains', 'registrars'], queries: [[['registrars']]], waitMs: 1_100, streamMs: 5_000 },
  domains: {
    on: ['domains', 'accounts', 'shares'],
    queries: [[['domains']], [['accounts', 'list']], [['accounts', 'missingRecords']], [['groups']]],
    // Counts are exact within a second of a change, so an earlier refetch could return the old ones.
    waitMs: 1_100,
    streamMs: 2_500,
  },
  groups: { on: ['domains', 'accounts', 'shares'], queries: [[['groups']], [['domains']]], waitMs: 600, streamMs: 2_500 },
  history: { on: ['domains'], queries: [[['history', 'list']], [['providerChanges', 'entries']]], waitMs: 800, streamMs: 800 },
  // The stored rules: those of an account are read from the provider.
  ipAccess: { on: ['domains'], queries: [[['ipAccess', 'list']]], waitMs: 800, streamMs: 2_000 },
  monitoring: { on: ['monitoring'], queries: [[['monitoring']], [['alerts']]], waitMs: 300, streamMs: 3_000 },
  notifications: { on: ['monitoring', 'operations'], queries: [[['notifications']]], waitMs: 500, streamMs: 5_000 },
  operations: { on: ['operations'], queries: [[['operations']]], waitMs: 300, streamMs: 1_500 },
  originCertificates: {
    on: ['domains'],
    queries: [[['originCertificates', 'list'], { input: { fresh: false } }]],
    waitMs: 100,
    streamMs: 1_000,
  },
  profile: { on: ['profiles', 'domains'], queries: [[['profiles', 'ofDomain']]], waitMs: 100, streamMs: 1_000 },
  // The server takes a while to count the drift of a profile.
  profiles: { on: ['profiles', 'domains'], queries: [[['profiles']]], waitMs: 600, streamMs: 8_000 },
  providerChanges: {
    on: ['provider_changes'],
    // The accounts have the delay of the changes.
    queries: [[['providerChanges', 'list']], [['providerChanges', 'listAllowed']], [['accounts', 'list']]],
    waitMs: 300,
    streamMs: 2_000,
  },
  redirects: { on: ['accounts', 'shares'], queries: [[['redirects']]], waitMs: 300, streamMs: 2_000 },
  registrars: { on: ['registrars', 'shares'], queries: [[['registrars']]], waitMs: 300, streamMs: 2_000 },
  registration: { on: ['registrars'], queries: [[['registry']]], waitMs: 300, streamMs: 2_000 },
  rulesets: { on: ['domains'], queries: [[['rulesets']]], waitMs: 800, streamMs: 2_000 },
  shares: { on: ['shares'], queries: [[['sharing', 'list']]], waitMs: 100, streamMs: 1_000 },
  trackers: { on: ['trackers', 'domains', 'shares'], queries: [[['trackers']]], waitMs: 300, streamMs: 2_000 },
  unreviewedChanges: {
    on: ['provider_changes', 'accounts', 'shares'],
    queries: [[['providerChanges', 'unreviewed']]],
    waitMs: 300,
    streamMs: 2_000,
  },
  users: { on: ['users', 'domains', 'accounts'], queries: [[['users']]], waitMs: 600, streamMs: 5_000 },
  welcome: {
    on: ['accounts', 'domains', 'monitoring'],
    queries: [[['accounts', 'list']], [['domains', 'summary']], [['alerts', 'listChannels']]],
    waitMs: 600,
    streamMs: 2_500,
  },
} satisfies Record<string, LiveQueries>

/** Refetches the active queries; old data stays visible meanwhile. */
export async function readAgain(name: keyof typeof liveQueries): Promise<void> {
  await Promise.all(liveQueries[name].queries.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Refetches the active queries soon after events, while the component is mounted and this is wanted. */
export function useLiveQueries(name: keyof typeof liveQueries, isWanted = true): void {
  const { on, waitMs, streamMs }: LiveQueries = liveQueries[name]
  useRenewal(
    ({ kind }) => isWanted && on.includes(kind),
    () => void readAgain(name),
    { waitMs, streamMs },
  )
}
