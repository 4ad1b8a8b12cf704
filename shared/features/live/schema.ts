import { z } from 'zod'

const kinds = [
  /** Accounts were added, changed or deleted, or their sync progressed. */
  'accounts',
  /** Domains of these accounts were added, changed or deleted. */
  'domains',
  /** Operations on domains of these accounts progressed. */
  'operations',
  /** Profiles, or the assignment of domains to them. */
  'profiles',
  /** Changes made at the provider were read. */
  'provider_changes',
  /** Abuse reports were read or edited. */
  'reports',
  /** Registrars, or the names at them. */
  'registrars',
  /** Users were added, changed or deleted; published to administrators and to the user. */
  'users',
  /** Shares given to or by the user: any resource may have appeared or disappeared. */
  'shares',
  /** Health, incidents, probes or alerts. */
  'monitoring',
  /** Trackers, their domains, or the bindings of our domains. */
  'trackers',
] as const
export type LiveKind = (typeof kinds)[number]

/** The most accounts that an event names; above that it names none. */
export const mostAccounts = 50

/** Small change events after which the client refetches what it shows. Without accounts: any of them, or the kind has none. */
export const liveEvent = z.object({ kind: z.enum(kinds), accountIds: z.array(z.uuid()).max(mostAccounts) })
export type LiveEvent = z.infer<typeof liveEvent>
