import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { users } from '#server/db/schema/users.ts'

export const zoneStatusEnum = pgEnum('zone_status', ['active', 'pending', 'error', 'initializing'])
export const healthEnum = pgEnum('health', ['ok', 'warnings', 'critical', 'unknown'])

export const groups = pgTable(
  'groups',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description'),
    icon: text('icon'),
    color: text('color'),
    createdAt: createdAt(),
  },
  (t) => [index('groups_owner').on(t.ownerId, t.createdAt)],
)

/**
 * One row a zone of an owner. Columns that the list filters or sorts by are derived here when records or settings are
 * read, so that no list ever joins. `owner_id` repeats the account's, for the same reason.
 */
export const zones = pgTable(
  'zones',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'set null' }),
    /** The provider's id. */
    zoneId: text('zone_id').notNull(),
    /** Punycode, lower case, as the provider has it. */
    name: text('name').notNull(),
    /** `name`, and behind a line break its Unicode form where that differs; what substring search reads. */
    search: text('search').notNull(),
    status: zoneStatusEnum('status').notNull(),
    /** The provider's word where ours is coarser (moved, deactivated …). */
    providerStatus: text('provider_status').notNull(),
    paused: boolean('paused').notNull().default(false),
    type: text('type').notNull().default('full'),
    plan: text('plan'),
    nameServers: text('name_servers')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The rest of the provider's zone object that no list needs. */
    details: jsonb('details').notNull().default({}),
    providerAccountId: text('provider_account_id'),
    sslMode: text('ssl_mode'),
    tlsMin: text('tls_min'),
    https: boolean('https'),
    hsts: boolean('hsts'),
    securityLevel: text('security_level'),
    developmentMode: integer('development_mode').notNull().default(0),
    recordsCount: integer('records_count'),
    proxiedCount: integer('proxied_count').notNull().default(0),
    originIps: text('origin_ips')
      .array()
      .notNull()
      .default(sql`'{}'`),
    health: healthEnum('health').notNull().default('unknown'),
    trackerType: text('tracker_type'),
    phishing: boolean('phishing').notNull().default(false),
    providerCreatedAt: instant('provider_created_at'),
    providerModifiedAt: instant('provider_modified_at'),
    activatedAt: instant('activated_at'),
    /** Set when a whole listing of the account no longer had it. */
    goneAt: instant('gone_at'),
    listedAt: instant('listed_at').notNull(),
    recordsReadAt: instant('records_read_at'),
    settingsReadAt: instant('settings_read_at'),
    /** A person looked at it before its details were read; such zones are filled first. */
    wantedAt: instant('wanted_at'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('zones_owner_zone').on(t.ownerId, t.zoneId),
    index('zones_account_name').on(t.accountId, t.name, t.id),
    index('zones_owner_name').on(t.ownerId, t.name, t.id),
  ],
)

/** Single settings as the provider gave them: `{ssl: {value, editable, modifiedOn}, …}`. */
export const zoneSettings = pgTable('zone_settings', {
  zoneId: uuid('zone_id')
    .primaryKey()
    .references(() => zones.id, { onDelete: 'cascade' }),
  values: jsonb('values').notNull().default({}),
  readAt: instant('read_at').notNull(),
})

export const dnsRecords = pgTable(
  'dns_records',
  {
    zoneId: uuid('zone_id')
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    /** The provider's id. */
    recordId: text('record_id').notNull(),
    type: text('type').notNull(),
    name: text('name').notNull(),
    content: text('content').notNull(),
    ttl: integer('ttl').notNull(),
    proxied: boolean('proxied').notNull().default(false),
    proxiable: boolean('proxiable').notNull().default(false),
    priority: integer('priority'),
    comment: text('comment'),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'`),
    data: jsonb('data'),
    modifiedAt: instant('modified_at'),
  },
  (t) => [primaryKey({ columns: [t.zoneId, t.recordId] })],
)
