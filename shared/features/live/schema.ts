import { z } from 'zod'

/** Small news; the client reads again what it shows. */
export const liveEvent = z.discriminatedUnion('kind', [
  /** Accounts were added, changed or deleted, or their sync moved on; empty: any of them. */
  z.object({ kind: z.literal('accounts'), accountIds: z.array(z.uuid()).max(50) }),
  /** Domains of these accounts were added, changed or went; empty: any of them. */
  z.object({ kind: z.literal('domains'), accountIds: z.array(z.uuid()).max(50) }),
  /** Operations on domains of these accounts moved on; empty: any of them. */
  z.object({ kind: z.literal('operations'), accountIds: z.array(z.uuid()).max(50) }),
  /** Profiles, or which domains have them, changed; the ids are always empty. */
  z.object({ kind: z.literal('profiles'), accountIds: z.array(z.uuid()).max(50) }),
  /** Registrars, or the names at them, changed; the ids are always empty. */
  z.object({ kind: z.literal('registrars'), accountIds: z.array(z.uuid()).max(50) }),
  /** Users were added, changed or deleted; told to administrators and to the user. The ids are always empty. */
  z.object({ kind: z.literal('users'), accountIds: z.array(z.uuid()).max(50) }),
  /** What others share with the person, or they with others, changed: anything may have come or gone. The ids are always empty. */
  z.object({ kind: z.literal('shares'), accountIds: z.array(z.uuid()).max(50) }),
  /** Health, incidents, probes or what is told changed; the ids are always empty. */
  z.object({ kind: z.literal('monitoring'), accountIds: z.array(z.uuid()).max(50) }),
  /** Trackers, the domains in them, or which of ours they have changed; the ids are always empty. */
  z.object({ kind: z.literal('trackers'), accountIds: z.array(z.uuid()).max(50) }),
])
export type LiveEvent = z.infer<typeof liveEvent>
