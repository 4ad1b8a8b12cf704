import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { groups, zones } from '#server/db/schema/zones.ts'
import { users } from '#server/db/schema/users.ts'
import { trackerKind } from '#shared/features/trackers/schema.ts'

export const trackerKindEnum = pgEnum('tracker_kind', trackerKind.enum)

/** Enabled where both address and key are there (R-TRK-01). */
export const trackers = pgTable(
  'trackers',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: trackerKindEnum('kind').notNull(),
    name: text('name').notNull(),
    /** Where it is opened, without a slash at the end. */
    url: text('url'),
    apiKeySealed: text('api_key_sealed'),
    /** The one of its kind that the four fields of the settings are about. */
    isDefault: boolean('is_default').notNull().default(false),
    /** Where its domains lead, as its owner says; empty: where its own address leads. */
    addresses: text('addresses')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Where its own address led when it was read last. */
    foundAddresses: text('found_addresses')
      .array()
      .notNull()
      .default(sql`'{}'`),
    domainsCount: integer('domains_count').notNull().default(0),
    /** When its list of domains was last read whole. */
    syncedAt: instant('synced_at'),
    syncing: boolean('syncing').notNull().default(false),
    syncErrorCode: text('sync_error_code'),
    syncErrorMessage: text('sync_error_message'),
    syncFailures: integer('sync_failures').notNull().default(0),
    nextSyncAt: instant('next_sync_at'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('trackers_owner').on(t.ownerId, t.name),
    index('trackers_next_sync').on(t.nextSyncAt),
    uniqueIndex('trackers_default')
      .on(t.ownerId, t.kind)
      .where(sql`is_default`),
  ],
)

/** The domains in trackers, as they were listed. */
export const trackerDomains = pgTable(
  'tracker_domains',
  {
    id: id(),
    trackerId: uuid('tracker_id')
      .notNull()
      .references(() => trackers.id, { onDelete: 'cascade' }),
    /** The tracker's. */
    remoteId: text('remote_id').notNull(),
    /** Punycode, lower case. */
    name: text('name').notNull(),
    archived: boolean('archived').notNull().default(false),
    /** The tracker's own word for how it is. */
    status: text('status'),
    /** What the tracker's own check found wrong, and what it says to do. */
    problem: text('problem'),
    solution: text('solution'),
    sslStatus: text('ssl_status'),
    sslProblem: text('ssl_problem'),
    /** The campaign, or page, that its front page shows. */
    campaignId: text('campaign_id'),
    campaignName: text('campaign_name'),
    campaignsCount: integer('campaigns_count'),
    groupId: text('group_id'),
    groupName: text('group_name'),
    sslRedirect: boolean('ssl_redirect'),
    seenAt: instant('seen_at').notNull().defaultNow(),
    /** Missing from a list that was read whole. */
    goneAt: instant('gone_at'),
  },
  (t) => [unique('tracker_domains_remote').on(t.trackerId, t.remoteId), index('tracker_domains_name').on(t.name, t.trackerId)],
)

/** Which domain is in which tracker (R-TRK-03); one at most. Written before the tracker is notified, so that no two are notified of one domain. */
export const trackerBindings = pgTable(
  'tracker_bindings',
  {
    zoneId: uuid('zone_id')
      .primaryKey()
      .references(() => zones.id, { onDelete: 'cascade' }),
    trackerId: uuid('tracker_id')
      .notNull()
      .references(() => trackers.id, { onDelete: 'cascade' }),
    /** Null: the tracker has been or will be reported, and has not answered yet. */
    remoteId: text('remote_id'),
    boundBy: uuid('bound_by').references(() => users.id, { onDelete: 'set null' }),
    boundAt: instant('bound_at').notNull().defaultNow(),
  },
  (t) => [index('tracker_bindings_tracker').on(t.trackerId, t.remoteId)],
)

/** Domains that stand ready to take the place of others. */
export const reserveDomains = pgTable(
  'reserve_domains',
  {
    zoneId: uuid('zone_id')
      .primaryKey()
      .references(() => zones.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** For domains of this group only; null: for any of its owner's. */
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'set null' }),
    note: text('note'),
    addedAt: instant('added_at').notNull().defaultNow(),
  },
  (t) => [index('reserve_domains_owner').on(t.ownerId, t.addedAt)],
)
