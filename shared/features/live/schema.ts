import { z } from 'zod'

const kinds = [
  /** Accounts were added, changed or deleted, or their sync moved on. */
  'accounts',
  /** Domains of these accounts were added, changed or went. */
  'domains',
  /** Operations on domains of these accounts moved on. */
  'operations',
  /** Profiles, or which domains have them. */
  'profiles',
  /** Registrars, or the names at them. */
  'registrars',
  /** Users were added, changed or deleted; reported to administrators and to the user. */
  'users',
  /** What others share with the person, or they with others: anything may have come or gone. */
  'shares',
  /** Health, incidents, probes or what is reported. */
  'monitoring',
  /** Trackers, the domains in them, or which of ours they have. */
  'trackers',
] as const
export type LiveKind = (typeof kinds)[number]

/** That an event names; more are reported as none. */
export const mostAccounts = 50

/** Small change events; the client reads again what it shows. Without accounts: any of them, or the kind has none. */
export const liveEvent = z.object({ kind: z.enum(kinds), accountIds: z.array(z.uuid()).max(mostAccounts) })
export type LiveEvent = z.infer<typeof liveEvent>
