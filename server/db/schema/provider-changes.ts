import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { users } from '#server/db/schema/users.ts'
import { groups } from '#server/db/schema/zones.ts'
import { changeFeedState, changeKind, criticalChange } from '#shared/features/provider-changes/schema.ts'
import type { ProviderZoneId } from '#shared/ids.ts'

export const providerChangeKindEnum = pgEnum('provider_change_kind', changeKind.enum)
export const criticalChangeEnum = pgEnum('critical_change', criticalChange.enum)
export const changeFeedStateEnum = pgEnum('change_feed_state', changeFeedState.enum)

/** Changes in an account at the provider, from its audit log. `owner_id` repeats the account's, so that lists need no join. */
export const providerChanges = pgTable(
  'provider_changes',
  {
    id: id(),
    ownerId: uuid('owner_id').notNull(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The provider's id of the entry. */
    changeId: text('change_id').notNull(),
    changedAt: instant('changed_at').notNull(),
    readAt: instant('read_at').notNull().defaultNow(),
    kind: providerChangeKindEnum('kind').notNull(),
    action: text('action').notNull(),
    /** The e-mail address of a person, the name of a token, or the type of another actor. */
    actor: text('actor').notNull(),
    tokenName: text('token_name'),
    /** The provider's term for the kind of credential. */
    via: text('via'),
    address: text('address'),
    product: text('product'),
    subject: text('subject'),
    /** Without reference: the domain may be added later, or be gone. */
    providerZoneId: text('provider_zone_id').$type<ProviderZoneId>(),
    zoneName: text('zone_name'),
    /** Made by this panel. */
    isOwn: boolean('is_own').notNull(),
    /** How many records it deleted. */
    deletions: integer('deletions').notNull().default(0),
    /** Why it is reported immediately. */
    critical: criticalChangeEnum('critical'),
    /** When a person has reviewed it, or a rule has allowed it; the activity log says who. */
    reviewedAt: instant('reviewed_at'),
    /** A rule has allowed it. */
    isAllowed: boolean('is_allowed').notNull().default(false),
  },
  (t) => [
    unique('provider_changes_entry').on(t.accountId, t.changeId),
    // Columns after the id let filters be evaluated without reading the rows.
    index('provider_changes_time').on(t.changedAt, t.id, t.kind, t.isOwn),
    index('provider_changes_owner').on(t.ownerId, t.changedAt, t.id, t.kind, t.isOwn),
    index('provider_changes_account').on(t.accountId, t.changedAt, t.id, t.kind, t.isOwn),
    index('provider_changes_zone').on(t.ownerId, t.providerZoneId, t.changedAt, t.id),
    // What waits for a review, and for that of an alert.
    index('provider_changes_unreviewed')
      .on(t.ownerId, t.changedAt, t.id, t.accountId)
      .where(sql`not is_own and reviewed_at is null`),
    index('provider_changes_critical')
      .on(t.accountId, t.changedAt)
      .where(sql`critical is not null and reviewed_at is null`),
    index('provider_changes_actor').on(t.ownerId, t.actor, t.changedAt, t.id),
  ],
)

/**
 * Rules that allow changes by others, which then need no review and are not reported: by this actor, of one kind or all, in one account, in the
 * domains of one group, or in all accounts of the owner.
 */
export const allowedChanges = pgTable(
  'allowed_changes',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As in `provider_changes`. */
    actor: text('actor').notNull(),
    kind: providerChangeKindEnum('kind'),
    accountId: uuid('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    reason: text('reason').notNull(),
    /** Who created it; null if the user was deleted. */
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('allowed_changes_actor').on(t.ownerId, t.actor),
    index('allowed_changes_account').on(t.accountId),
    index('allowed_changes_group').on(t.groupId),
  ],
)

/** How far the audit log of an account has been read. */
export const changeFeeds = pgTable(
  'change_feeds',
  {
    accountId: uuid('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    dueAt: instant('due_at').notNull(),
    state: changeFeedStateEnum('state').notNull().default('waiting'),
    /** The provider's message for the last failure. */
    errorMessage: text('error_message'),
    failures: integer('failures').notNull().default(0),
    /** Earlier changes have been read, except those that appear late. */
    readUntil: instant('read_until').notNull(),
    /** The reading in progress; null between two readings. */
    since: instant('since'),
    before: instant('before'),
    cursor: text('cursor'),
    /** When the log was last read to its end. */
    readAt: instant('read_at'),
    /** From a change to its appearance: the longest of the last ones, and the longest ever. Null until it could be measured. */
    delaySeconds: integer('delay_seconds'),
    longestDelaySeconds: integer('longest_delay_seconds'),
  },
  (t) => [index('change_feeds_due').on(t.dueAt)],
)
