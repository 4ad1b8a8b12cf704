import { z } from 'zod'
import { sharedWithMe } from '#shared/features/sharing/schema.ts'
import { webAddress } from '#shared/possible-host.ts'
import { namePattern } from '#shared/text.ts'
import { trackerKinds } from './names.ts'
import { reconcileStates } from './reconcile-states.ts'

const count = z.int()
const instant = z.iso.datetime()

export const trackerKind = z.enum(trackerKinds)
export type TrackerKind = z.infer<typeof trackerKind>

/** R-TRK-01: only idle is stored; the result of a test is in its response. */
export const trackerConnection = z.enum(['idle'])

/** The key is never returned; `hasKey` reports whether it is stored. */
export const tracker = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  shared: sharedWithMe,
  /** The number of users it is shared with; zero for users who cannot change that. */
  sharedWith: count,
  kind: trackerKind,
  name: z.string(),
  url: z.string().nullable(),
  hasKey: z.boolean(),
  /** Whether address and key are stored. */
  enabled: z.boolean(),
  connection: trackerConnection,
  isDefault: z.boolean(),
  /** Where its domains should point, as set by its owner; empty: `foundAddresses`. */
  addresses: z.array(z.string()),
  foundAddresses: z.array(z.string()),
  /** Its domains that are not archived. */
  domainsCount: count,
  /** Domains of the panel that are bound in it. */
  boundCount: count,
  sync: z.object({
    state: z.enum(['idle', 'queued', 'running', 'failed']),
    syncedAt: instant.nullable(),
    /** A code of the catalog, and the tracker's own message. */
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    nextAt: instant.nullable(),
  }),
  createdAt: instant,
})
export type Tracker = z.infer<typeof tracker>
export const trackerAnswer = z.object({ tracker })
export const trackerIdInput = z.strictObject({ id: z.uuid() })
export const listTrackersInput = z.object({ ownerId: z.uuid().optional() })
export const listTrackersOutput = z.object({ trackers: z.array(tracker) })

const url = z.string().trim().pipe(webAddress('invalid_url'))
const apiKey = z
  .string()
  .trim()
  .max(500, 'too_long')
  .regex(/^[\x21-\x7e]*$/, 'invalid_characters')
const name = z.string({ error: 'required' }).trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters')
const addresses = z.array(z.union([z.ipv4(), z.ipv6()], 'invalid_ip')).max(20, 'too_many')

export const createTrackerInput = z.strictObject({
  kind: trackerKind,
  name,
  url,
  apiKey: apiKey.min(1, 'required'),
  isDefault: z.boolean().optional(),
  addresses: addresses.default([]),
})
/** The key, for users who may see it; null: there is none. */
export const trackerSecret = z.object({ apiKey: z.string().nullable() })
export type TrackerSecret = z.infer<typeof trackerSecret>
/**
 * An absent field or an empty key is unchanged; `enabled: false` clears address and key (R-TRK-01). An address on another host requires the key
 * again. Each kind with trackers has exactly one default, so another tracker can be made the default, but the default cannot be unset.
 */
export const updateTrackerInput = z.strictObject({
  id: z.uuid(),
  name: name.optional(),
  url: url.optional(),
  apiKey: apiKey.optional(),
  enabled: z.literal(false).optional(),
  isDefault: z.literal(true).optional(),
  addresses: addresses.optional(),
})

/** The four fields of the specification: the default tracker of each kind. Keys are never returned. */
export const trackerSettings = z.object({
  keitaroUrl: z.string().nullable(),
  keitaroApiKeyConfigured: z.boolean(),
  binomUrl: z.string().nullable(),
  binomApiKeyConfigured: z.boolean(),
  keitaro: z.object({ enabled: z.boolean(), connection: trackerConnection }),
  binom: z.object({ enabled: z.boolean(), connection: trackerConnection }),
})
export const trackerSettingsAnswer = z.object({ settings: trackerSettings })
export const trackerSettingsInput = z.object({ ownerId: z.uuid().optional() })
const cleared = z.literal('').transform(() => null)
/** An absent field is unchanged; null or empty clears it, and a tracker without both is off. */
export const updateTrackerSettingsInput = z.strictObject({
  ownerId: z.uuid().optional(),
  keitaroUrl: z.union([cleared, url]).nullish(),
  keitaroApiKey: z.union([cleared, apiKey.min(1)]).nullish(),
  binomUrl: z.union([cleared, url]).nullish(),
  binomApiKey: z.union([cleared, apiKey.min(1)]).nullish(),
})

/** Tests a stored tracker or one that is being filled in; with both, the entered values take precedence. */
export const testTrackerInput = z.strictObject({
  id: z.uuid().optional(),
  kind: trackerKind,
  url: url.optional(),
  apiKey: apiKey.optional(),
})
/** The result of a connection test (R-TRK-02). */
export const trackerTest = z.object({
  ok: z.boolean(),
  /** A code of the catalog, and the tracker's own message; null if it works. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  domains: count.nullable(),
  campaigns: count.nullable(),
  addresses: z.array(z.string()),
})
export type TrackerTest = z.infer<typeof trackerTest>
export const trackerTestAnswer = z.object({ test: trackerTest })

/** `fresh`: bypasses the cache of one minute. */
export const trackerChoicesInput = z.object({ id: z.uuid(), fresh: z.boolean().optional() })
/** The options for a domain in a tracker; read from it and cached for a minute. */
export const trackerChoices = z.object({
  campaigns: z.array(z.object({ id: z.string(), name: z.string(), state: z.string().nullable() })),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  /** What its API supports. */
  able: z.object({
    /** Showing a campaign on the index page. */
    campaign: z.boolean(),
    group: z.boolean(),
    sslRedirect: z.boolean(),
    /** Restoring a domain from its archive. */
    restore: z.boolean(),
    /** Checking a failed domain again. */
    check: z.boolean(),
  }),
})
export type TrackerChoices = z.infer<typeof trackerChoices>

/** A domain in a tracker, from its list. */
export const trackerDomain = z.object({
  id: z.uuid(),
  trackerId: z.uuid(),
  remoteId: z.string(),
  name: z.string(),
  displayName: z.string(),
  archived: z.boolean(),
  /** Missing from the tracker's list. */
  gone: z.boolean(),
  status: z.string().nullable(),
  problem: z.string().nullable(),
  solution: z.string().nullable(),
  sslStatus: z.string().nullable(),
  sslProblem: z.string().nullable(),
  campaign: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  campaignsCount: count.nullable(),
  group: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  sslRedirect: z.boolean().nullable(),
  seenAt: instant,
})
export type TrackerDomainView = z.infer<typeof trackerDomain>

/** Where a domain of the panel is bound; `domain` is null while the tracker's list does not have it. */
export const domainTracker = z.object({
  binding: z
    .object({
      tracker: tracker.pick({ id: true, kind: true, name: true, url: true, enabled: true }),
      domain: trackerDomain.nullable(),
      /** The tracker was called and has not answered. */
      pending: z.boolean(),
      boundAt: instant,
    })
    .nullable(),
})
export type DomainTracker = z.infer<typeof domainTracker>

// ---- comparison of trackers, Cloudflare and registrars

export const reconcileState = z.enum(reconcileStates)
export type ReconcileState = z.infer<typeof reconcileState>

export const reconcileRow = z.object({
  /** The id of the tracker's domain, or else of the zone; unique per row. A zone with several tracker domains has a row for each. */
  key: z.uuid(),
  /** The worst first; one row can have several differences. */
  states: z.array(reconcileState).min(1),
  /** Bound in this tracker as this domain. */
  bound: z.boolean(),
  name: z.string(),
  displayName: z.string(),
  tracker: tracker.pick({ id: true, kind: true, name: true }).nullable(),
  trackerDomain: trackerDomain.nullable(),
  zone: z
    .object({
      id: z.uuid(),
      name: z.string(),
      status: z.string(),
      account: z.string(),
      originIPs: z.array(z.string()),
      proxied: z.boolean(),
      gone: z.boolean(),
    })
    .nullable(),
  /** Where the tracker's domains should point. */
  wantedAddresses: z.array(z.string()),
  registrar: z.object({ name: z.string(), paidUntil: instant.nullable() }).nullable(),
})
export type ReconcileRow = z.infer<typeof reconcileRow>
export const listReconcileInput = z.object({
  ownerId: z.uuid().optional(),
  trackerIds: z.array(z.uuid()).max(100).optional(),
  state: reconcileState.optional(),
  search: z.string().trim().max(255).optional(),
  cursor: z.string().max(1_000).optional(),
  limit: z.int().min(1).max(200).default(100),
})
export const listReconcileOutput = z.object({
  rows: z.array(reconcileRow),
  nextCursor: z.string().nullable(),
  /** By state, regardless of `state` and `cursor`. */
  counts: z.partialRecord(reconcileState, count),
  /** The same by tracker, for bulk repairs; without domains in no tracker. */
  tally: z.array(z.object({ trackerId: z.uuid(), states: z.array(reconcileState), bound: z.boolean(), count })),
  /** The oldest full sync of the trackers concerned; null before the first. */
  readAt: instant.nullable(),
})
/** All matches, for a bulk repair: ids of zones, and of tracker domains without one. `bound`: only bound or only unbound ones. */
export const reconcileIdsInput = listReconcileInput.omit({ cursor: true, limit: true }).extend({ bound: z.boolean().optional() })
export const reconcileIds = z.object({ zoneIds: z.array(z.uuid()), trackerDomainIds: z.array(z.uuid()), names: z.array(z.string()) })

// ---- reserve domains

/** Why a domain cannot replace another now. */
export const reserveProblem = z.enum([
  'not_active',
  'paused',
  'gone',
  'phishing',
  'unhealthy',
  'bound',
  'paid_soon',
  'unread',
  'records_missing',
])
export type ReserveProblem = z.infer<typeof reserveProblem>
export const reserveDomain = z.object({
  zoneId: z.uuid(),
  ownerId: z.uuid(),
  name: z.string(),
  displayName: z.string(),
  account: z.string(),
  status: z.string(),
  health: z.string(),
  paidUntil: instant.nullable(),
  /** Only for domains of this group; null: for any. */
  group: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  note: z.string().nullable(),
  /** Empty if it is ready. */
  problems: z.array(reserveProblem),
  addedAt: instant,
})
export type ReserveDomain = z.infer<typeof reserveDomain>
export const listReserveInput = z.object({ ownerId: z.uuid().optional() })
export const listReserveOutput = z.object({ domains: z.array(reserveDomain) })
export const addReserveInput = z.strictObject({
  zoneIds: z.array(z.uuid()).min(1).max(1_000),
  groupId: z.uuid().nullish(),
  note: z.string().trim().max(500, 'too_long').nullish(),
})
export const removeReserveInput = z.strictObject({ zoneIds: z.array(z.uuid()).min(1).max(1_000) })
