import { z } from 'zod'
import { changeKind } from '#shared/features/provider-changes/schema.ts'
import { sharedWithMe } from '#shared/features/sharing/schema.ts'
import { possibleDay } from '#shared/instant.ts'
import { historyRanges } from './ranges.ts'
import { health, reason, region, timings, viewState } from './schema.ts'

const count = z.int().nonnegative()
const at = z.iso.datetime()

export const probeRegion = z.object({
  region,
  /** Processes seen within the last minute; 0 means that nothing checks from there. */
  probes: count,
  /** How many of them have internet access. */
  online: count,
  checksPerSecond: count,
  /** How far the region is behind schedule. */
  lagMs: count,
  /** 1: on schedule; 0.5: checks run half as often as configured. */
  pace: z.number(),
  /** Monitored domains in an unknown state that were never checked from there; a value above 1,000 means more than 1,000. */
  unseen: count,
  /** Why nothing is checked from there; null if something is. */
  reason: z.literal('no_probe').nullable(),
})

/** The common cause of several open incidents. */
export const openCause = z.object({
  /** `account:ID`, `origin:ADDRESS`, `name_servers:NAME,NAME`, `registrar:ID`, `tracker:ID` or `code:CODE`. */
  cause: z.string(),
  /** Null if it has domains of several owners. */
  ownerId: z.uuid().nullable(),
  /** The account's email, the address, the registrar's name, or the code. */
  name: z.string(),
  health,
  /** The number of incidents, and the earliest start. */
  incidents: count,
  since: at,
  /** A sample of the domains. */
  names: z.array(z.object({ zoneId: z.uuid().nullable(), name: z.string(), displayName: z.string() })),
  reasons: z.array(reason),
})
export type OpenCause = z.infer<typeof openCause>

/** Administrators see all owners and others see what is shared with them; this filters by one. */
export const monitoringOverviewInput = z.object({ ownerId: z.uuid().optional() })
export const monitoringOverview = z.object({
  /** Whether monitoring is enabled by the owners shown. */
  enabled: z.boolean(),
  checkInterval: count,
  watched: count,
  health: z.object({ ok: count, warnings: count, critical: count, unknown: count }),
  paused: count,
  muted: count,
  openIncidents: count,
  /** The most severe and largest first, at most 100. */
  causes: z.array(openCause),
  regions: z.array(probeRegion),
  /** Incidents started in the last 24 hours, the current hour last. */
  lastDay: z.array(z.object({ hour: at, opened: count })),
})
export type MonitoringOverview = z.infer<typeof monitoringOverview>

export const timelineEntry = z.looseObject({ at: z.string(), kind: z.string() })
export const incident = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  shared: sharedWithMe,
  /** Null for an incident of an account. */
  zoneId: z.uuid().nullable(),
  name: z.string(),
  displayName: z.string(),
  health,
  reasons: z.array(reason),
  cause: z.string(),
  openedAt: at,
  closedAt: at.nullable(),
  acknowledgedAt: at.nullable(),
  acknowledgedBy: z.string().nullable(),
  /** Whether an alert was sent. */
  told: z.boolean(),
  timeline: z.array(timelineEntry),
})
export type Incident = z.infer<typeof incident>
export const listIncidentsInput = z.object({
  ownerId: z.uuid().optional(),
  /** Defaults to all. */
  state: z.enum(['open', 'closed']).optional(),
  cause: z.string().max(300).optional(),
  health: z.enum(['critical', 'warnings']).optional(),
  zoneId: z.uuid().optional(),
  /** Part of a domain's name. */
  search: z.string().trim().max(255).optional(),
  /** The last incident of the previous page. */
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(200).default(50),
})
/** Newest first. */
export const listIncidentsOutput = z.object({ incidents: z.array(incident), nextCursor: z.uuid().nullable() })

/** A change of affected domains, or of their accounts, in the hour before an outage. */
export const earlierChange = z.object({
  /** Of several, the last one. */
  at,
  /** An operation or a person in the panel, an undo of a person there, or anybody else at Cloudflare. */
  source: z.enum(['operation', 'panel', 'revert', 'provider']),
  actor: z.string().nullable(),
  kinds: z.array(changeKind),
  /** How many of the affected domains it changed; 0: only their account. */
  domains: count,
  /** What was changed: the name of a record, of a setting or of a rule; null if several were. */
  subject: z.string().nullable(),
  /** The account, unless domains were changed. */
  account: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  operation: z
    .object({
      id: z.uuid(),
      kind: z.string(),
      /** As in the list of operations. */
      subject: z.string().nullable(),
      /** Whether it is one of the caller's operations; those of other people cannot be opened. */
      canOpen: z.boolean(),
      canUndo: z.boolean(),
    })
    .nullable(),
})
export type EarlierChange = z.infer<typeof earlierChange>

export const incidentInput = z.object({ id: z.uuid() })
export const incidentDetails = z.object({
  /** Its timeline also has `confirmed`, `notified`, and, of the other affected domains, `joined` and `recovered` with their number. */
  incident,
  /** The name of the account, registrar or tracker in the cause. */
  causeName: z.string().nullable(),
  /** When the first of the affected domains was found down. */
  startedAt: at,
  /** Domains with the same cause whose incidents began within an hour of this one and overlap it: the total, and the first ones. */
  affected: z.object({
    total: count,
    domains: z.array(
      z.object({
        zoneId: z.uuid().nullable(),
        name: z.string(),
        displayName: z.string(),
        openedAt: at.nullable(),
        closedAt: at.nullable(),
      }),
    ),
  }),
  /** Changes in the hour before `startedAt`: those of the most affected domains first, at most 20. */
  changes: z.array(earlierChange),
})
export type IncidentDetails = z.infer<typeof incidentDetails>

export const watchedView = z.object({
  region,
  state: viewState,
  since: at.nullable(),
  checkedAt: at.nullable(),
  status: z.int().nullable(),
  timings,
  /** Failures and warnings; `no_probe` if nothing checks from there. */
  findings: z.array(reason.pick({ code: true, params: true })),
  /** At most 90, newest last: 1 good, 2 with warnings, 3 failed, 0 inconclusive. */
  beats: z.array(z.int().min(0).max(3)),
  /** A requested check is pending; false if no working probe could run it. */
  wanted: z.boolean(),
})
export type WatchedView = z.infer<typeof watchedView>

export const seenCertificate = z.object({
  issuer: z.string(),
  names: z.array(z.string()),
  notBefore: z.string(),
  notAfter: z.string(),
  trusted: z.boolean(),
  fingerprint: z.string(),
})

/** Share of good checks from 0 to 1; null without checks. */
const uptime = z.number().min(0).max(1).nullable()
export const domainHealthInput = z.object({ id: z.uuid() })
export const domainHealth = z.object({
  /** Null if it is not monitored. */
  watched: z
    .object({
      health,
      reasons: z.array(reason),
      since: at.nullable(),
      intervalSeconds: count,
      regions: z.array(region),
      /** `forever` if there is no end. */
      pausedUntil: z.union([at, z.literal('forever')]).nullable(),
      mutedUntil: z.union([at, z.literal('forever')]).nullable(),
      certificate: seenCertificate.nullable(),
      views: z.array(watchedView),
      uptime: z.object({ day: uptime, week: uptime, month: uptime, quarter: uptime }),
      /** The observed part of each range; if it is shorter than the range, the figure does not stand for all of it. */
      observedMs: z.object({ day: count, week: count, month: count, quarter: count }),
    })
    .nullable(),
})
export type DomainHealth = z.infer<typeof domainHealth>

export const historyRange = z.enum(historyRanges)
export type HistoryRange = z.infer<typeof historyRange>
export const domainHistoryInput = z.object({ id: z.uuid(), range: historyRange.default('day') })
export const historyPoint = z.object({
  region,
  /** Start of the hour (day and week) or of the day in UTC (month and quarter). */
  at,
  checks: count,
  failed: count,
  timings,
  maxTotalMs: count.nullable(),
})
export type HistoryPoint = z.infer<typeof historyPoint>
/** Oldest first; hours and days without checks are absent. */
export const domainHistory = z.object({ from: at, to: at, step: z.enum(['hour', 'day']), points: z.array(historyPoint) })
export type DomainHistory = z.infer<typeof domainHistory>

export const listCertificatesInput = z.object({
  ownerId: z.uuid().optional(),
  from: possibleDay.optional(),
  /** The last day, inclusive. */
  to: possibleDay.optional(),
  cursor: z.string().max(100).optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const certificateRow = z.object({
  zoneId: z.uuid(),
  name: z.string(),
  displayName: z.string(),
  expiresAt: at,
  issuer: z.string().nullable(),
  trusted: z.boolean().nullable(),
})
/** The earliest expiry first. */
export const listCertificatesOutput = z.object({ certificates: z.array(certificateRow), nextCursor: z.string().nullable() })

export const expiriesInput = z.object({ ownerId: z.uuid().optional() })
/** Expiry dates: of certificates as visitors see them, and of domains as registrars report them. */
export const expiriesOutput = z.object({
  certificates: z.object({ ended: count, week: count, month: count, later: count, unknown: count }),
  /** The days with an expiry among the next 92. */
  days: z.array(z.object({ day: z.iso.date(), certificates: count, domains: count })),
})

export const publicStatusInput = z.object({ slug: z.string().max(64).toLowerCase() })
/** The public data of a status page: no addresses, no reasons, and nothing about domains that Cloudflare does not serve yet. */
export const publicStatus = z.object({
  title: z.string(),
  checkedAt: at.nullable(),
  domains: z.array(
    z.object({
      name: z.string(),
      health,
      /** Share of good checks over 90 days, and the observed part of them. */
      uptime,
      observedMs: count,
      /** 90 days, newest last: share of good checks; null without checks. */
      days: z.array(uptime),
    }),
  ),
  /** How many more there are than are shown. */
  more: count,
  /** The last 14 days, newest first. */
  incidents: z.array(z.object({ name: z.string(), health, openedAt: at, closedAt: at.nullable() })),
})
export type PublicStatus = z.infer<typeof publicStatus>
