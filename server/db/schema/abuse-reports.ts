import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { changeFeedStateEnum } from '#server/db/schema/provider-changes.ts'
import { users } from '#server/db/schema/users.ts'
import { abuseKind, abuseState, abuseStatus, appealReason, appealState } from '#shared/features/abuse-reports/schema.ts'
import type { AbuseSubmitter, Mitigation } from '#shared/features/abuse-reports/schema.ts'

export const abuseKindEnum = pgEnum('abuse_kind', abuseKind.enum)
export const abuseStatusEnum = pgEnum('abuse_status', abuseStatus.enum)
export const abuseStateEnum = pgEnum('abuse_state', abuseState.enum)
/** Nothing reads `notifications` yet; PostgreSQL cannot remove a value of a type. */
export const reportFeedKindEnum = pgEnum('report_feed_kind', ['abuse_reports', 'notifications'])

/** Reports of abuse in an account at the provider. `owner_id` repeats the account's, so that lists need no join. */
export const abuseReports = pgTable(
  'abuse_reports',
  {
    id: id(),
    ownerId: uuid('owner_id').notNull(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The provider's id of the report. */
    reportId: text('report_id').notNull(),
    reportedAt: instant('reported_at').notNull(),
    domain: text('domain').notNull(),
    /** The account's zone that the reported domain belongs to. Without reference: it may be added later, or be gone. */
    zoneName: text('zone_name').notNull(),
    kind: abuseKindEnum('kind').notNull(),
    status: abuseStatusEnum('status').notNull(),
    justification: text('justification'),
    originalWork: text('original_work'),
    submitter: jsonb('submitter').$type<AbuseSubmitter>().notNull(),
    urls: jsonb('urls').$type<readonly string[]>().notNull(),
    acceptedUrls: integer('accepted_urls').notNull(),
    active: integer('active').notNull(),
    pending: integer('pending').notNull(),
    inReview: integer('in_review').notNull(),
    hostNotified: boolean('host_notified').notNull(),
    mitigations: jsonb('mitigations').$type<readonly Mitigation[]>().notNull().default([]),
    mitigationsReadAt: instant('mitigations_read_at'),
    /** The mitigations have to be read. */
    mitigationsDue: boolean('mitigations_due').notNull(),
    state: abuseStateEnum('state').notNull().default('open'),
    assigneeId: uuid('assignee_id').references(() => users.id, { onDelete: 'set null' }),
    dueOn: date('due_on'),
    note: text('note'),
  },
  (t) => [
    unique('abuse_reports_report').on(t.accountId, t.reportId),
    // Columns after the id let filters be evaluated without reading the rows.
    index('abuse_reports_time').on(t.reportedAt, t.id, t.state, t.kind, t.zoneName),
    index('abuse_reports_owner').on(t.ownerId, t.reportedAt, t.id, t.state, t.kind, t.zoneName),
    index('abuse_reports_account').on(t.accountId, t.reportedAt, t.id, t.state, t.kind, t.zoneName),
    index('abuse_reports_zone').on(t.ownerId, t.zoneName, t.reportedAt, t.id),
    index('abuse_reports_open')
      .on(t.accountId, t.reportedAt)
      .where(sql`state = 'open'`),
    index('abuse_reports_mitigations_due')
      .on(t.accountId, t.reportedAt)
      .where(sql`mitigations_due`),
    index('abuse_reports_assignee').on(t.assigneeId),
  ],
)

export const appealReasonEnum = pgEnum('appeal_reason', appealReason.enum)
export const appealStateEnum = pgEnum('appeal_state', appealState.enum)

/** Requests to the provider to review mitigations. */
export const abuseAppeals = pgTable(
  'abuse_appeals',
  {
    id: id(),
    reportId: uuid('report_id')
      .notNull()
      .references(() => abuseReports.id, { onDelete: 'cascade' }),
    /** The provider's ids. */
    mitigationIds: jsonb('mitigation_ids').$type<readonly string[]>().notNull(),
    reason: appealReasonEnum('reason').notNull(),
    state: appealStateEnum('state').notNull().default('sending'),
    /** The provider's message if it was refused. */
    message: text('message'),
    sentBy: text('sent_by').notNull(),
    sentAt: instant('sent_at').notNull().defaultNow(),
  },
  (t) => [index('abuse_appeals_report').on(t.reportId, t.sentAt)],
)

/** How far the abuse reports of an account have been read. */
export const reportFeeds = pgTable(
  'report_feeds',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: reportFeedKindEnum('kind').notNull(),
    dueAt: instant('due_at').notNull(),
    state: changeFeedStateEnum('state').notNull().default('waiting'),
    /** The provider's message for the last failure. */
    errorMessage: text('error_message'),
    failures: integer('failures').notNull().default(0),
    /** Earlier ones have been read, except those that appear late. */
    readUntil: instant('read_until').notNull(),
    /** When all were last read from the beginning, because earlier ones change. */
    sweptAt: instant('swept_at'),
    /** The reading in progress; null between two readings. */
    since: instant('since'),
    page: integer('page'),
    /** When they were last read to the end. */
    readAt: instant('read_at'),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.kind] }), index('report_feeds_due').on(t.dueAt)],
)
