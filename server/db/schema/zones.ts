import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { registrars } from '#server/db/schema/registrars.ts'
import { users } from '#server/db/schema/users.ts'
import { dimSql } from '#shared/features/domains/dims.ts'
import { zoneHealth, zoneStatus } from '#shared/features/domains/schema.ts'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'

export const zoneStatusEnum = pgEnum('zone_status', zoneStatus.enum)
export const healthEnum = pgEnum('health', zoneHealth.enum)

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
 * One row per zone of an owner. Columns used by list filters and sorting are derived here when records or settings are read, so that lists
 * need no joins. `owner_id` repeats the account's, for the same reason.
 */
export const zones = pgTable(
  'zones',
  {
    id: id().$type<DomainId>(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'set null' }),
    registrarId: uuid('registrar_id').references(() => registrars.id, { onDelete: 'set null' }),
    /** The provider's id. */
    providerZoneId: text('zone_id').$type<ProviderZoneId>().notNull(),
    /** Punycode, lower case, as at the provider. */
    name: text('name').notNull(),
    /** `name`, followed after a line break by its Unicode form if that differs; used by substring search. */
    search: text('search').notNull(),
    status: zoneStatusEnum('status').notNull(),
    /** The provider's status if ours is coarser (moved, deactivated …). */
    providerStatus: text('provider_status').notNull(),
    paused: boolean('paused').notNull().default(false),
    type: text('type').notNull().default('full'),
    plan: text('plan'),
    nameServers: text('name_servers')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The rest of the provider's zone object, not needed by lists. */
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
    /** The kind of the tracker it is bound to; written by triggers of `tracker_bindings`. */
    trackerType: text('tracker_type'),
    phishing: boolean('phishing').notNull().default(false),
    providerCreatedAt: instant('provider_created_at'),
    /** From the provider, or when the panel changed records or settings, or detected a later change. */
    providerModifiedAt: instant('provider_modified_at'),
    /** The provider's last value; null: the same as `provider_modified_at`. A different value means that details must be read. */
    listedModifiedAt: instant('listed_modified_at'),
    activatedAt: instant('activated_at'),
    /** Set when a complete listing of the account lacked it. */
    goneAt: instant('gone_at'),
    listedAt: instant('listed_at').notNull(),
    recordsReadAt: instant('records_read_at'),
    settingsReadAt: instant('settings_read_at'),
    /** When the records (settings) are due: null if as recent as the listing, in the future after a failure. */
    recordsDueAt: instant('records_due_at'),
    settingsDueAt: instant('settings_due_at'),
    /** When its rules are read again by the sync; null: they are not. */
    rulesDueAt: instant('rules_due_at'),
    /** Consecutive failed reads of the details. */
    detailFailures: integer('detail_failures').notNull().default(0),
    /** A person viewed it before its details were read; such zones come first. */
    wantedAt: instant('wanted_at'),
    createdAt: createdAt(),
    /** Expiry from the registrar's list, or else from the registry; null if unknown. Triggers write these four. */
    paidUntil: instant('paid_until'),
    /** Reported by the registry, because no registrar does. */
    paidByRegistry: boolean('paid_by_registry').notNull().default(false),
    autoRenew: boolean('auto_renew'),
    /** The registrar's name servers differ from those assigned by Cloudflare. */
    elsewhere: boolean('elsewhere').notNull().default(false),
    /** The account's, for sorting; written by a trigger. */
    accountEmail: text('account_email').notNull().default(''),
    /** `origin_ips` as one text, each after a space, for searching; written by a trigger. */
    addresses: text('addresses').notNull().default(''),
    /** Bot settings and DNSSEC status, packed: `shared/features/domains/protection.ts` defines the bits. */
    protection: integer('protection').notNull().default(0),
    /** When the first of its certificates of Origin CA expires, without renewed ones: infinity if it has none, null until they are read. */
    originExpiresAt: instant('origin_expires_at'),
    /** From when on one of these certificates expires soon; infinity and null as above. */
    originSoonAt: instant('origin_soon_at'),
    /** Requests of the last 30 days, for sorting and filtering; null until read. `zone_traffic` has the rest. */
    requests: doublePrecision('requests'),
    /** What is unusual about its traffic, packed: `trafficProblemBits` defines the bits. */
    trafficProblems: smallint('traffic_problems').notNull().default(0),
    /** The filter dimensions, packed: `shared/features/domains/dims.ts` defines the bits. */
    dims: integer('dims')
      .notNull()
      .generatedAlwaysAs(
        sql`(case status when 'active' then 0 when 'pending' then 1 when 'error' then 2 else 3 end)
        | (case when ssl_mode is null then 0 when ssl_mode = 'off' then 1 when ssl_mode = 'flexible' then 2 when ssl_mode = 'full' then 3 when ssl_mode = 'strict' then 4 when ssl_mode = 'origin_pull' then 5 else 7 end << 2)
        | (case when https is null then 0 when https then 2 else 1 end << 5)
        | (case when security_level is null then 0 when security_level = 'off' then 1 when security_level = 'essentially_off' then 2 when security_level = 'low' then 3 when security_level = 'medium' then 4 when security_level = 'high' then 5 when security_level = 'under_attack' then 6 else 7 end << 7)
        | (case when tls_min is null then 0 when tls_min = '1.0' then 1 when tls_min = '1.1' then 2 when tls_min = '1.2' then 3 when tls_min = '1.3' then 4 else 7 end << 10)
        | (case health when 'ok' then 0 when 'warnings' then 1 when 'critical' then 2 else 3 end << 13)
        | (case when gone_at is null and (records_read_at is null or settings_read_at is null) then 1 else 0 end << 15)
        | (case tracker_type when 'KEITARO' then 1 when 'BINOM' then 2 else 0 end << 16)`,
      ),
  },
  // One index per sort order, all ending in name and id, so that every page is found by its key. `sortable` in
  // `filter-conditions.ts` repeats the expressions.
  (t) => [
    unique('zones_owner_zone').on(t.ownerId, t.providerZoneId),
    index('zones_account_name').on(t.accountId, t.name, t.id),
    index('zones_records_due')
      .on(t.accountId, t.recordsDueAt)
      .where(sql`records_due_at is not null`),
    index('zones_settings_due')
      .on(t.accountId, t.settingsDueAt)
      .where(sql`settings_due_at is not null`),
    index('zones_rules_due')
      .on(t.accountId, t.rulesDueAt)
      .where(sql`rules_due_at is not null`),
    index('zones_group')
      .on(t.groupId, t.accountId, t.dims)
      .where(sql`group_id is not null`),
    // Also finds zones without a profile.
    index('zones_registrar').on(t.registrarId, t.ownerId, t.name, t.id, t.dims),
    // `delegations.repo.ts` repeats the condition.
    index('zones_delegation')
      .on(t.ownerId, t.nameServers, t.name, t.id, t.status, t.registrarId)
      .where(sql`gone_at is null and type <> 'partial' and cardinality(name_servers) > 1 and (status <> 'active' or elsewhere)`),
    // Zones without an expiry from a registrar; `registry.repo.ts` and `renewals.repo.ts` repeat the condition.
    index('zones_registry')
      .on(t.ownerId, t.paidUntil, t.name, t.id)
      .where(sql`gone_at is null and (paid_until is null or paid_by_registry)`),
    index('zones_account').on(t.accountId, t.groupId, t.dims),
    index('zones_owner_dims').on(t.ownerId, t.dims),
    // Counts of these filters need no other column.
    index('zones_owner_protection').on(t.ownerId, t.protection, t.accountId, t.groupId, t.dims),
    index('zones_owner_origin_soon')
      .on(t.ownerId, t.originSoonAt, t.originExpiresAt, t.accountId, t.groupId, t.dims)
      .where(sql`origin_soon_at is not null`),
    index('zones_owner_traffic')
      .on(t.ownerId, t.requests, t.accountId, t.groupId, t.dims)
      .where(sql`requests is not null`),
    // Columns after the id are not for sorting: they let a filter on `dims` or a search be evaluated without reading the rows.
    index('zones_owner_name').on(t.ownerId, t.name, t.id, t.dims, t.search),
    index('zones_owner_script')
      .on(t.ownerId, t.name, t.id, t.dims, t.search)
      .where(sql`search <> name`),
    // The same for an administrator, who sees everybody's.
    index('zones_name').on(t.name, t.id, t.dims, t.search),
    index('zones_script')
      .on(t.name, t.id, t.dims, t.search)
      .where(sql`search <> name`),
    index('zones_owner_status').on(t.ownerId, sql.raw(dimSql('status', 'dims')), t.name, t.id, t.dims),
    index('zones_owner_ssl').on(t.ownerId, sql.raw(dimSql('ssl', 'dims')), t.name, t.id, t.dims),
    index('zones_owner_security').on(t.ownerId, sql.raw(dimSql('securityLevel', 'dims')), t.name, t.id, t.dims),
    index('zones_owner_health').on(t.ownerId, sql.raw(dimSql('health', 'dims')), t.name, t.id, t.dims),
    index('zones_owner_account').on(t.ownerId, t.accountEmail, t.name, t.id, t.dims),
    index('zones_owner_records').on(t.ownerId, sql`coalesce(records_count, -1)`, t.name, t.id, t.dims, t.recordsCount),
    index('zones_owner_requests').on(t.ownerId, sql`coalesce(requests, -1)`, t.name, t.id, t.dims, t.requests),
    index('zones_owner_paid').on(t.ownerId, sql`coalesce(paid_until, 'infinity')`, t.name, t.id, t.dims, t.paidUntil, t.registrarId),
    index('zones_owner_created').on(
      t.ownerId,
      sql`coalesce(provider_created_at, created_at)`,
      t.name,
      t.id,
      t.dims,
      t.providerCreatedAt,
      t.createdAt,
    ),
    index('zones_owner_updated').on(
      t.ownerId,
      sql`coalesce(provider_modified_at, created_at)`,
      t.name,
      t.id,
      t.dims,
      t.providerModifiedAt,
      t.createdAt,
    ),
  ],
)

/**
 * Number of zones per owner by `dims`: in total (`kind` 0, `key` the owner), by account (1) and by group (2); and regardless of `dims`,
 * which is then 0, by account (3) and by group (4). Triggers on `zones` append differences to `zone_count_changes`, so no writer waits for
 * another; the true count is the sum of both tables, and `compactCounts` merges the differences.
 */
export const zoneCounts = pgTable('zone_counts', {
  ownerId: uuid('owner_id').notNull(),
  kind: smallint('kind').notNull(),
  key: uuid('key').notNull(),
  dims: integer('dims').notNull(),
  n: integer('n').notNull(),
})

export const zoneCountChanges = pgTable(
  'zone_count_changes',
  {
    ownerId: uuid('owner_id').notNull(),
    kind: smallint('kind').notNull(),
    key: uuid('key').notNull(),
    dims: integer('dims').notNull(),
    n: integer('n').notNull(),
  },
  (t) => [index('zone_count_changes_owner').on(t.ownerId, t.kind, t.key)],
)

/** Individual settings as returned by the provider: `{ssl: {value, editable, modifiedOn}, …}`. */
export const zoneSettings = pgTable('zone_settings', {
  domainId: uuid('zone_id')
    .$type<DomainId>()
    .primaryKey()
    .references(() => zones.id, { onDelete: 'cascade' }),
  values: jsonb('values').notNull().default({}),
  readAt: instant('read_at').notNull(),
  /** Counted when the domain is refreshed; null before. */
  pageRulesUsed: integer('page_rules_used'),
})

const trafficByDay = (name: string) =>
  doublePrecision(name)
    .array()
    .notNull()
    .default(sql`'{}'`)

/** The traffic of a zone in the last 30 days, as last read. */
export const zoneTraffic = pgTable('zone_traffic', {
  domainId: uuid('zone_id')
    .$type<DomainId>()
    .primaryKey()
    .references(() => zones.id, { onDelete: 'cascade' }),
  bytes: doublePrecision('bytes').notNull(),
  threats: doublePrecision('threats').notNull(),
  /** Requests that were answered with a status from 400 to 499, and from 500 on. */
  clientErrors: doublePrecision('client_errors').notNull(),
  serverErrors: doublePrecision('server_errors').notNull(),
  /** Requests by day, the oldest first; the last day is that of the reading, in UTC. */
  days: doublePrecision('days').array().notNull(),
  /**
   * The others by day; empty until read by a version that stores them. Until all processes have that version, one of the version before may update
   * only `days`: the others then end a day earlier until the next reading, and so do their sums by position.
   */
  byteDays: trafficByDay('byte_days'),
  threatDays: trafficByDay('threat_days'),
  clientErrorDays: trafficByDay('client_error_days'),
  serverErrorDays: trafficByDay('server_error_days'),
  /** What is unusual about the last whole day, for monitoring: `Finding[]`; `zones.traffic_problems` has their codes. */
  problems: jsonb('problems').notNull().default([]),
  readAt: instant('read_at').notNull(),
})

/** The traffic of the zones of an account in a group, or in none: the sums of `zone_traffic`, computed in the background. */
export const trafficTotals = pgTable(
  'traffic_totals',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Without a reference: it is the group at the time of the sum. */
    groupId: uuid('group_id'),
    /** How many zones, and their requests of 30 days: they differ from those of `zones` if the sums are outdated. */
    zones: integer('zones').notNull(),
    requests: doublePrecision('requests').notNull(),
    /** Of the last whole day, of the last seven, and of 30 days including the last, unfinished one: requests, bytes, threats, client and server errors. */
    day: doublePrecision('day').array().notNull(),
    week: doublePrecision('week').array().notNull(),
    month: doublePrecision('month').array().notNull(),
    /** Requests by day, the oldest first. */
    days: doublePrecision('days').array().notNull(),
    /** The oldest reading in it. */
    readAt: instant('read_at').notNull(),
  },
  (t) => [
    unique('traffic_totals_account_group').on(t.accountId, t.groupId).nullsNotDistinct(),
    index('traffic_totals_group').on(t.groupId),
  ],
)

/** The rules of a zone: first read when a person opens them or its profile has rules, then by the sync. */
export const zoneRulesets = pgTable('zone_rulesets', {
  domainId: uuid('zone_id')
    .$type<DomainId>()
    .primaryKey()
    .references(() => zones.id, { onDelete: 'cascade' }),
  /** One per phase, in the order in which they run. */
  rulesets: jsonb('rulesets').notNull(),
  pageRules: jsonb('page_rules').notNull(),
  readAt: instant('read_at').notNull(),
})

export const dnsRecords = pgTable(
  'dns_records',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
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
    /** When the panel was about to delete it, so that a reading that lacks it is believed. */
    deletionSentAt: instant('deletion_sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.domainId, t.recordId] }),
    // Records with addresses outside the domain, grouped by address: `addresses.repo.ts` repeats the condition.
    index('dns_records_address')
      .on(t.content, t.domainId, t.proxied, t.type)
      .where(sql`type = 'A' or type = 'AAAA' or (type = 'CNAME' and right(name, length(content) + 1) <> '.' || content)`),
  ],
)

/**
 * Universal SSL, certificate packs and their verification as last read; the lists are in the panel's terms
 * (`shared/features/domains/settings`).
 */
export const zoneSsl = pgTable('zone_ssl', {
  domainId: uuid('zone_id')
    .$type<DomainId>()
    .primaryKey()
    .references(() => zones.id, { onDelete: 'cascade' }),
  universalEnabled: boolean('universal_enabled'),
  certificates: jsonb('certificates').notNull().default([]),
  verification: jsonb('verification').notNull().default([]),
  /** Null while only universal SSL is known. */
  readAt: instant('read_at'),
  /** When the domain's origin certificates were read. */
  originReadAt: instant('origin_read_at'),
})

/** Certificates of Origin CA, as last read. */
export const originCertificates = pgTable(
  'origin_certificates',
  {
    id: id(),
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    /** The provider's id; null while only the key is known, because the response to issuing it is missing. */
    serial: text('serial'),
    hostnames: text('hostnames').array().notNull(),
    /** rsa, ecc, or the provider's term. */
    type: text('type').notNull(),
    validityDays: integer('validity_days'),
    expiresAt: instant('expires_at'),
    /** From when on it expires soon. */
    expiresSoonAt: instant('expires_soon_at'),
    certificate: text('certificate'),
    /** By which a certificate is found whose response was lost. */
    publicKeyHash: text('public_key_hash'),
    /** Only if a person asked to keep the key. */
    keySealed: text('key_sealed'),
    /** Set if the provider no longer lists it; only with a kept key. */
    goneAt: instant('gone_at'),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('origin_certificates_serial').on(t.domainId, t.serial), index('origin_certificates_expiry').on(t.expiresAt, t.id)],
)
