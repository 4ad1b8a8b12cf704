import { z } from 'zod'
import { sharedWithMe } from '#shared/features/sharing/schema.ts'
import { health, reason, region, timings, viewState } from './schema.ts'

const count = z.int().nonnegative()
const at = z.iso.datetime()

export const probeRegion = z.object({
  region,
  /** Processes that were seen within a minute; 0: nobody looks from there. */
  probes: count,
  /** Of those, how many reach the world. */
  online: count,
  checksPerSecond: count,
  /** How far the region is behind. */
  lagMs: count,
  /** 1: it keeps up; 0.5: checks come half as often as is wanted. */
  pace: z.number(),
  /** Watched domains that nobody has looked at from there yet and of which nothing is known; above 1,000: more than that. */
  unseen: count,
  /** Why nothing is seen from there; null: something is. */
  reason: z.literal('no_probe').nullable(),
})

/** What many incidents that are open now share. */
export const openCause = z.object({
  /** `account:ID`, `origin:ADDRESS`, `registrar:ID` or `code:CODE`. */
  cause: z.string(),
  /** Null: domains of several owners share it. */
  ownerId: z.uuid().nullable(),
  /** The account's email, the address, the registrar's name; of a code: the code itself. */
  name: z.string(),
  health,
  /** Incidents, and the earliest one's beginning. */
  incidents: count,
  since: at,
  /** Of the first ones. */
  names: z.array(z.object({ zoneId: z.uuid().nullable(), name: z.string(), displayName: z.string() })),
  reasons: z.array(reason),
})
export type OpenCause = z.infer<typeof openCause>

/** Administrators see everybody's, others what is shared with them too; this narrows to one owner. */
export const monitoringOverviewInput = z.object({ ownerId: z.uuid().optional() })
export const monitoringOverview = z.object({
  /** Monitoring is switched on by whom it shows. */
  enabled: z.boolean(),
  checkInterval: count,
  watched: count,
  health: z.object({ ok: count, warnings: count, critical: count, unknown: count }),
  paused: count,
  muted: count,
  openIncidents: count,
  /** Gravest and largest first, at most 100. */
  causes: z.array(openCause),
  regions: z.array(probeRegion),
  /** The last day, the hour now last: incidents that began. */
  lastDay: z.array(z.object({ hour: at, opened: count })),
})
export type MonitoringOverview = z.infer<typeof monitoringOverview>

export const timelineEntry = z.looseObject({ at: z.string(), kind: z.string() })
export const incident = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  shared: sharedWithMe,
  /** Null for an account's. */
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
  /** Somebody was notified of it. */
  told: z.boolean(),
  timeline: z.array(timelineEntry),
})
export type Incident = z.infer<typeof incident>
export const listIncidentsInput = z.object({
  ownerId: z.uuid().optional(),
  /** Absent: all. */
  state: z.enum(['open', 'closed']).optional(),
  cause: z.string().max(300).optional(),
  health: z.enum(['critical', 'warnings']).optional(),
  zoneId: z.uuid().optional(),
  /** Part of a domain's name. */
  search: z.string().trim().max(255).optional(),
  /** The last incident of the page before. */
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(200).default(50),
})
/** Newest first. */
export const listIncidentsOutput = z.object({ incidents: z.array(incident), nextCursor: z.uuid().nullable() })

export const watchedView = z.object({
  region,
  state: viewState,
  since: at.nullable(),
  checkedAt: at.nullable(),
  status: z.int().nullable(),
  timings,
  /** What failed, and warnings; `no_probe` where nobody looks from there. */
  findings: z.array(reason.pick({ code: true, params: true })),
  /** At most 90, newest last: 1 good, 2 with warnings, 3 failed, 0 nothing could be said. */
  beats: z.array(z.int().min(0).max(3)),
  /** A person asked for it, and it is not there yet; false where no probe works that could look. */
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

/** Share of good checks from 0 to 1; null: there were none. */
const uptime = z.number().min(0).max(1).nullable()
export const domainHealthInput = z.object({ id: z.uuid() })
export const domainHealth = z.object({
  /** Null: nobody watches it. */
  watched: z
    .object({
      health,
      reasons: z.array(reason),
      since: at.nullable(),
      intervalSeconds: count,
      regions: z.array(region),
      /** `forever` where nobody said until when. */
      pausedUntil: z.union([at, z.literal('forever')]).nullable(),
      mutedUntil: z.union([at, z.literal('forever')]).nullable(),
      certificate: seenCertificate.nullable(),
      views: z.array(watchedView),
      uptime: z.object({ day: uptime, week: uptime, month: uptime, quarter: uptime }),
      /** How much of each range checks report; what is shorter than the range is no figure for all of it. */
      observedMs: z.object({ day: count, week: count, month: count, quarter: count }),
    })
    .nullable(),
})
export type DomainHealth = z.infer<typeof domainHealth>

export const historyRange = z.enum(['day', 'week', 'month', 'quarter'])
export type HistoryRange = z.infer<typeof historyRange>
export const domainHistoryInput = z.object({ id: z.uuid(), range: historyRange.default('day') })
export const historyPoint = z.object({
  region,
  /** Beginning of the hour (day and week) or of the day in UTC (month and quarter). */
  at,
  checks: count,
  failed: count,
  timings,
  maxTotalMs: count.nullable(),
})
export type HistoryPoint = z.infer<typeof historyPoint>
/** Oldest first; hours and days without a check are absent. */
export const domainHistory = z.object({ from: at, to: at, step: z.enum(['hour', 'day']), points: z.array(historyPoint) })
export type DomainHistory = z.infer<typeof domainHistory>

/** Of a year that any calendar here knows. */
const day = z.iso.date().refine((date) => date >= '1970' && date < '9999', 'invalid_day')
export const listCertificatesInput = z.object({
  ownerId: z.uuid().optional(),
  from: day.optional(),
  /** The last day, included. */
  to: day.optional(),
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
/** The next to end first. */
export const listCertificatesOutput = z.object({ certificates: z.array(certificateRow), nextCursor: z.string().nullable() })

export const expiriesInput = z.object({ ownerId: z.uuid().optional() })
/** What ends when: certificates as visitors are shown them, and domains as registrars report. */
export const expiriesOutput = z.object({
  certificates: z.object({ ended: count, week: count, month: count, later: count, unknown: count }),
  /** The coming 92 days, those with something. */
  days: z.array(z.object({ day: z.iso.date(), certificates: count, domains: count })),
})

export const publicStatusInput = z.object({ slug: z.string().max(64).toLowerCase() })
/** What anybody with the address may know: no addresses, no reasons, nothing of domains that Cloudflare does not serve yet. */
export const publicStatus = z.object({
  title: z.string(),
  checkedAt: at.nullable(),
  domains: z.array(
    z.object({
      name: z.string(),
      health,
      /** Share of good checks over 90 days, and how much of them checks report. */
      uptime,
      observedMs: count,
      /** 90 days, newest last: share of good checks; null: none. */
      days: z.array(uptime),
    }),
  ),
  /** How many more there are than are shown. */
  more: count,
  /** Of the last 14 days, newest first. */
  incidents: z.array(z.object({ name: z.string(), health, openedAt: at, closedAt: at.nullable() })),
})
export type PublicStatus = z.infer<typeof publicStatus>
