import { z } from 'zod'
import { possibleDay } from '#shared/instant.ts'
import { abuseKinds, abuseStates, appealReasons, longestAbuseNote, longestAbuseSearch } from './names.ts'

/** What is reported; `unknown`: a kind that the panel does not know. */
export const abuseKind = z.enum(abuseKinds)
export type AbuseKind = z.infer<typeof abuseKind>

/** How far a person is with it. */
export const abuseState = z.enum(abuseStates)
export type AbuseState = z.infer<typeof abuseState>

/** Cloudflare's decision: it has accepted the report, or is reviewing it. */
export const abuseStatus = z.enum(['accepted', 'in_review', 'unknown'])
export type AbuseStatus = z.infer<typeof abuseStatus>

/** As Cloudflare names it. */
export const abusePermission = 'Trust and Safety Read'

export const mitigationStatus = z.enum(['pending', 'active', 'in_review', 'cancelled', 'removed', 'unknown'])
export type MitigationStatus = z.infer<typeof mitigationStatus>

/** What Cloudflare did, or will do, because of a report. */
export const mitigation = z.object({
  /** Cloudflare's id. */
  id: z.string(),
  /** Cloudflare's term, such as `phishing_interstitial` or `network_block`. */
  type: z.string(),
  status: mitigationStatus,
  /** `url_pattern`, `account`, `zone` or another term of Cloudflare, and what exactly. */
  entityType: z.string(),
  entity: z.string(),
  effectiveAt: z.iso.datetime().nullable(),
})
export type Mitigation = z.infer<typeof mitigation>

export const appealReason = z.enum(appealReasons)
export type AppealReason = z.infer<typeof appealReason>

/** unknown: the answer was lost, so Cloudflare may have received it; the state of the mitigations shows it later. */
export const appealState = z.enum(['sending', 'sent', 'refused', 'unknown'])

/** A request to Cloudflare to review mitigations. */
export const appeal = z.object({
  id: z.uuid(),
  /** Cloudflare's ids. */
  mitigationIds: z.array(z.string()),
  reason: appealReason,
  state: appealState,
  /** Cloudflare's message if it was refused. */
  message: z.string().nullable(),
  sentBy: z.string(),
  sentAt: z.iso.datetime(),
})
export type Appeal = z.infer<typeof appeal>

const person = z.object({ id: z.uuid(), name: z.string() })

/** A report of abuse in an account at Cloudflare, with what people in the panel noted about it. */
export const abuseReport = z.object({
  id: z.uuid(),
  /** Cloudflare's id of the report. */
  reportId: z.string(),
  reportedAt: z.iso.datetime(),
  account: z.object({ id: z.uuid(), name: z.string() }),
  /** The reported domain; the id is null while it is not in the panel. */
  domain: z.object({ id: z.uuid().nullable(), name: z.string(), displayName: z.string() }),
  kind: abuseKind,
  status: abuseStatus,
  /** How many of the reported URLs Cloudflare confirmed. */
  acceptedUrls: z.int().nonnegative(),
  /** How many mitigations there are, by state. */
  mitigations: z.object({ active: z.int().nonnegative(), pending: z.int().nonnegative(), inReview: z.int().nonnegative() }),
  state: abuseState,
  /** Who takes care of it. */
  assignee: person.nullable(),
  /** A date, `2026-11-28`. */
  dueOn: z.iso.date().nullable(),
  note: z.string().nullable(),
})
export type AbuseReport = z.infer<typeof abuseReport>

const abuseSubmitter = z.object({
  name: z.string().nullable(),
  company: z.string().nullable(),
  email: z.string().nullable(),
  telephone: z.string().nullable(),
})
export type AbuseSubmitter = z.infer<typeof abuseSubmitter>

/** Cloudflare's full text of a report. */
export const abuseReportDetails = z.object({
  justification: z.string().nullable(),
  /** The work or the brand that is said to be copied. */
  originalWork: z.string().nullable(),
  /** Who reported it; null for people who may only view. */
  submitter: abuseSubmitter.nullable(),
  urls: z.array(z.string()),
  /** Whether Cloudflare forwarded it to the hosting provider. */
  hostNotified: z.boolean(),
  mitigations: z.array(mitigation),
  /** Latest first. */
  appeals: z.array(appeal),
  /** When the mitigations were read; null: not yet, or they could not be read. */
  mitigationsReadAt: z.iso.datetime().nullable(),
  /** Whether you may edit it. */
  mayEdit: z.boolean(),
  /** Who can take care of it. */
  assignees: z.array(person),
})
export type AbuseReportDetails = z.infer<typeof abuseReportDetails>

export const listAbuseReportsInput = z.object({
  accountId: z.uuid().optional(),
  domainId: z.uuid().optional(),
  /** Part of a domain's name. */
  search: z.string().trim().max(longestAbuseSearch).optional(),
  kind: abuseKind.optional(),
  state: abuseState.optional(),
  cursor: z.string().max(200).optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listAbuseReportsOutput = z.object({ abuseReports: z.array(abuseReport), nextCursor: z.string().nullable() })

export const abuseReportIdInput = z.object({ id: z.uuid() })
export const abuseReportAnswer = z.object({ abuseReport: abuseReport.extend({ details: abuseReportDetails }) })

/** Absent fields stay unchanged; null clears a field. */
export const updateAbuseReportInput = z.object({
  id: z.uuid(),
  state: abuseState.optional(),
  assigneeId: z.uuid().nullable().optional(),
  dueOn: possibleDay.nullable().optional(),
  note: z.string().trim().max(longestAbuseNote).nullable().optional(),
})
export const updateAbuseReportOutput = z.object({ abuseReport })

export const appealMitigationsInput = z.object({
  id: z.uuid(),
  mitigationIds: z.array(z.string().min(1).max(100)).min(1).max(50),
  reason: appealReason,
})
