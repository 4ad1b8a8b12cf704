import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { groups, zones } from '#server/db/schema/zones.ts'
import { users } from '#server/db/schema/users.ts'
import { trackerKind } from '#shared/features/trackers/schema.ts'
import type { DomainId } from '#shared/ids.ts'

export const trackerKindEnum = pgEnum('tracker_kind', trackerKind.enum)

/** Enabled if both URL and key are set (R-TRK-01). */
export const trackers = pgTable(
  'trackers',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: trackerKindEnum('kind').notNull(),
    name: text('name').notNull(),
    /** Base URL, without a trailing slash. */
    url: text('url'),
    apiKeySealed: text('api_key_sealed'),
    /** The one of its kind that the four settings fields refer to. */
    isDefault: boolean('is_default').notNull().default(false),
    /** Addresses its domains point to, as entered by its owner; empty: those of its own host. */
    addresses: text('addresses')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The addresses of its own host at the last sync. */
    foundAddresses: text('found_addresses')
      .array()
      .notNull()
      .default(sql`'{}'`),
    domainsCount: integer('domains_count').notNull().default(0),
    /** When its list of domains was last read completely. */
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

/** The domains listed by trackers. */
export const trackerDomains = pgTable(
  'tracker_domains',
  {
    id: id(),
    trackerId: uuid('tracker_id')
      .notNull()
      .references(() => trackers.id, { onDelete: 'cascade' }),
    /** The tracker's id. */
    remoteId: text('remote_id').notNull(),
    /** Punycode, lower case. */
    name: text('name').notNull(),
    archived: boolean('archived').notNull().default(false),
    /** The tracker's own status term. */
    status: text('status'),
    /** The problem found by the tracker's own check and its advice. */
    problem: text('problem'),
    solution: text('solution'),
    sslStatus: text('ssl_status'),
    sslProblem: text('ssl_problem'),
    /** The campaign or page shown on its front page. */
    campaignId: text('campaign_id'),
    campaignName: text('campaign_name'),
    campaignsCount: integer('campaigns_count'),
    groupId: text('group_id'),
    groupName: text('group_name'),
    sslRedirect: boolean('ssl_redirect'),
    seenAt: instant('seen_at').notNull().defaultNow(),
    /** Missing from the last complete list. */
    goneAt: instant('gone_at'),
  },
  (t) => [unique('tracker_domains_remote').on(t.trackerId, t.remoteId), index('tracker_domains_name').on(t.name, t.trackerId)],
)

/**
 * The binding of a domain to a tracker (R-TRK-03); at most one. Written before the tracker is called, so that a domain is never added to
 * two trackers.
 */
export const trackerBindings = pgTable(
  'tracker_bindings',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .primaryKey()
      .references(() => zones.id, { onDelete: 'cascade' }),
    trackerId: uuid('tracker_id')
      .notNull()
      .references(() => trackers.id, { onDelete: 'cascade' }),
    /** Null: the tracker was or will be called, and has not answered yet. */
    remoteId: text('remote_id'),
    boundBy: uuid('bound_by').references(() => users.id, { onDelete: 'set null' }),
    boundAt: instant('bound_at').notNull().defaultNow(),
  },
  (t) => [index('tracker_bindings_tracker').on(t.trackerId, t.remoteId)],
)

/** Reserve domains that can replace others. */
export const reserveDomains = pgTable(
  'reserve_domains',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .primaryKey()
      .references(() => zones.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** For domains of this group only; null: for any of the owner's. */
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'set null' }),
    note: text('note'),
    addedAt: instant('added_at').notNull().defaultNow(),
  },
  (t) => [index('reserve_domains_owner').on(t.ownerId, t.addedAt)],
)
