import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { groups, healthEnum, zones } from '#server/db/schema/zones.ts'
import { region, viewState } from '#shared/features/monitoring/schema.ts'
import type { DomainId } from '#shared/ids.ts'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

export const regionEnum = pgEnum('region', region.enum)
export const viewStateEnum = pgEnum('view_state', viewState.enum)

/** Monitoring and notification settings of a person; without a row nothing is monitored. */
export const monitorSettings = pgTable('monitor_settings', {
  ownerId: uuid('owner_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  enabled: boolean('enabled').notNull().default(false),
  regions: regionEnum('regions')
    .array()
    .notNull()
    .default(sql`'{EUROPE,NORTH_AMERICA,ASIA}'`),
  intervalMinutes: integer('interval_minutes').notNull().default(5),
  /** `CheckOptions`. */
  options: jsonb('options').notNull(),
  /** `Notices`. */
  notices: jsonb('notices').notNull(),
  /** `QuietHours`, or null. */
  quietHours: jsonb('quiet_hours'),
  /** Regions without a probe are checked by Globalping when a domain looks down elsewhere. */
  secondOpinion: boolean('second_opinion').notNull().default(false),
  /** Language of the messages. */
  language: text('language').notNull().default('ru'),
  botTokenSealed: text('bot_token_sealed'),
  /** The bot's name in Telegram, without the @. */
  botName: text('bot_name'),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** A group's overrides of its owner's settings: absent keys are inherited. */
export const monitorOverrides = pgTable('monitor_overrides', {
  groupId: uuid('group_id')
    .primaryKey()
    .references(() => groups.id, { onDelete: 'cascade' }),
  /** `{enabled?, regions?, intervalMinutes?, notices?}` and any of `CheckOptions`. */
  override: jsonb('override').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** A monitored domain with its schedule and results. `reconcile` keeps the schedule in line with settings and zones. */
export const zoneMonitors = pgTable(
  'zone_monitors',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .primaryKey()
      .references(() => zones.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id'),
    intervalSeconds: integer('interval_seconds').notNull(),
    /** Its second within the interval, derived from its id, so that checks are spread evenly, regardless of additions and restarts. */
    slot: integer('slot').notNull(),
    regions: regionEnum('regions').array().notNull(),
    /** Paused by a person; `infinity`: until resumed. */
    pausedUntil: instant('paused_until'),
    /** Monitored, but without alerts. */
    mutedUntil: instant('muted_until'),
    health: healthEnum('health').notNull().default('unknown'),
    /** `Reason[]`, most severe first. */
    reasons: jsonb('reasons').notNull().default([]),
    /** When it entered this health state. */
    since: instant('since'),
    /** Values of the mirror (paused, moved, pending, phishing, expiry), packed; a change requires a new evaluation. */
    signals: integer('signals').notNull().default(0),
    /** The last health changes, newest last, milliseconds since 1970; for detecting flapping. */
    changes: bigint('changes', { mode: 'number' })
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** `{issuer, names, notBefore, notAfter, trusted, fingerprint}` as last seen, from anywhere. */
    certificate: jsonb('certificate'),
    certExpiresAt: instant('cert_expires_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('zone_monitors_slot').on(t.intervalSeconds, t.slot, t.domainId),
    index('zone_monitors_owner').on(t.ownerId, t.health, t.domainId),
    index('zone_monitors_certificate').on(t.ownerId, t.certExpiresAt),
    index('zone_monitors_held')
      .on(t.ownerId, t.pausedUntil, t.mutedUntil)
      .where(sql`paused_until is not null or muted_until is not null`),
  ],
)

/** A domain as seen from a region: the state machine's state, the last checks, and the sums of the current hour. */
export const zoneViews = pgTable(
  'zone_views',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .notNull()
      .references(() => zoneMonitors.domainId, { onDelete: 'cascade' }),
    region: regionEnum('region').notNull(),
    state: viewStateEnum('state').notNull().default('unknown'),
    /** When it entered this state. */
    since: instant('since'),
    /** Consecutive counts; the other one is 0. */
    failures: smallint('failures').notNull().default(0),
    successes: smallint('successes').notNull().default(0),
    /** `Finding[]` in force: why it is down or last failed, and warnings seen twice (address, name servers, certificate, slow). */
    reasons: jsonb('reasons').notNull().default([]),
    checkedAt: instant('checked_at'),
    /** A retry, sooner than the interval. */
    retryAt: instant('retry_at'),
    /** A person is waiting for it ("check now"). */
    wantedAt: instant('wanted_at'),
    /** Codes of warnings that the last check had for the first time: reported if the next one has them too. */
    pending: text('pending')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** One byte per check, newest last, at most 90: 1 good, 2 with warnings, 3 failed, 0 inconclusive. */
    beats: bytes('beats')
      .notNull()
      .default(sql`'\\x'`),
    status: smallint('status'),
    dnsMs: integer('dns_ms'),
    connectMs: integer('connect_ms'),
    tlsMs: integer('tls_ms'),
    firstByteMs: integer('first_byte_ms'),
    totalMs: integer('total_ms'),
    /** The hour of the sums below; written to `check_hours` by the first check of another hour. */
    hour: instant('hour'),
    checks: smallint('checks').notNull().default(0),
    failed: smallint('failed').notNull().default(0),
    sumDnsMs: integer('sum_dns_ms').notNull().default(0),
    sumConnectMs: integer('sum_connect_ms').notNull().default(0),
    sumTlsMs: integer('sum_tls_ms').notNull().default(0),
    sumFirstByteMs: integer('sum_first_byte_ms').notNull().default(0),
    sumTotalMs: integer('sum_total_ms').notNull().default(0),
    maxTotalMs: integer('max_total_ms').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.domainId, t.region] }),
    index('zone_views_retry')
      .on(t.region, t.retryAt)
      .where(sql`retry_at is not null`),
    index('zone_views_down')
      .on(t.domainId)
      .where(sql`state = 'down'`),
    index('zone_views_wanted')
      .on(t.region, t.wantedAt)
      .where(sql`wanted_at is not null`),
  ],
)

const sums = () => ({
  domainId: uuid('zone_id').$type<DomainId>().notNull(),
  region: regionEnum('region').notNull(),
  checks: smallint('checks').notNull(),
  failed: smallint('failed').notNull(),
  /** Means over the good checks. */
  dnsMs: smallint('dns_ms'),
  connectMs: smallint('connect_ms'),
  tlsMs: smallint('tls_ms'),
  firstByteMs: smallint('first_byte_ms'),
  totalMs: smallint('total_ms'),
  maxTotalMs: smallint('max_total_ms'),
})

/** An hour of a domain in a region; kept for two weeks. Partitioned by day: dropping one costs nothing. */
export const checkHours = pgTable('check_hours', { ...sums(), hour: instant('hour').notNull() }, (t) => [
  primaryKey({ columns: [t.domainId, t.hour, t.region] }),
])

/** A day (UTC) of a domain in a region; kept for 400 days. Partitioned by month. */
export const checkDays = pgTable('check_days', { ...sums(), day: instant('day').notNull() }, (t) => [
  primaryKey({ columns: [t.domainId, t.day, t.region] }),
])

/** The progress of a region, one interval per row: the second of the interval (as a time) up to which checks were assigned. */
export const probeCursors = pgTable(
  'probe_cursors',
  {
    region: regionEnum('region').notNull(),
    intervalSeconds: integer('interval_seconds').notNull(),
    position: instant('position').notNull(),
    claimedAt: instant('claimed_at').notNull(),
    /** Seconds processed per second, over the last minute or so: 1 keeps up; at 0.5 intervals are twice as long as configured. */
    pace: real('pace').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.region, t.intervalSeconds] })],
)

/** A check assigned to a probe and not yet reported; expired ones are assigned again. */
export const probeClaims = pgTable(
  'probe_claims',
  {
    id: id(),
    region: regionEnum('region').notNull(),
    probeId: uuid('probe_id').notNull(),
    domainIds: uuid('zone_ids').$type<DomainId>().array().notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Number of assignments; checks with which several processes died are halved, and a single one is skipped until its next turn. */
    attempts: smallint('attempts').notNull().default(1),
  },
  (t) => [index('probe_claims_region').on(t.region, t.expiresAt)],
)

/** Progress of the daily maintenance of history. */
export const monitorChores = pgTable('monitor_chores', { name: text('name').primaryKey(), doneUntil: instant('done_until').notNull() })

/** The checking processes. One not seen for a minute is gone. */
export const probes = pgTable('probes', {
  id: uuid('id').primaryKey(),
  region: regionEnum('region').notNull(),
  startedAt: instant('started_at').notNull(),
  seenAt: instant('seen_at').notNull(),
  /** Whether its own network works; otherwise its results say nothing about the domains. */
  online: boolean('online').notNull(),
  checksPerSecond: integer('checks_per_second').notNull().default(0),
  /** The delay of the region; more than a few seconds mean that intervals are stretched. */
  lagMs: integer('lag_ms').notNull().default(0),
})

/** A period with a problem: of a domain, or of an account (then without a zone). */
export const incidents = pgTable(
  'incidents',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Without a foreign key: it is reported even after the zone was deleted. */
    domainId: uuid('zone_id').$type<DomainId>(),
    accountId: uuid('account_id'),
    groupId: uuid('group_id'),
    /** The domain's, or the account's email. */
    name: text('name').notNull(),
    health: healthEnum('health').notNull(),
    /** The initial `Reason[]`, and the most severe one reached. */
    reasons: jsonb('reasons').notNull(),
    /** A shared cause: `account:ID`, `origin:ADDRESS`, `name_servers:NAME,NAME`, `registrar:ID`, `tracker:ID`, or `code:CODE`. */
    cause: text('cause').notNull(),
    openedAt: instant('opened_at').notNull(),
    closedAt: instant('closed_at'),
    acknowledgedAt: instant('acknowledged_at'),
    acknowledgedBy: text('acknowledged_by'),
    /** Its events: `[{at, kind: opened|reasons|acknowledged|muted|closed, …}]`, at most 100. */
    timeline: jsonb('timeline').notNull().default([]),
    /** When the notifier processed its beginning and its end (sent alerts, or found no recipient). */
    openTakenAt: instant('open_taken_at'),
    closeTakenAt: instant('close_taken_at'),
    /** No alerts before: quiet hours, maintenance, muted. */
    heldUntil: instant('held_until'),
    /** An alert of its beginning was put into the outbox: only then its end is reported. */
    told: boolean('told').notNull().default(false),
  },
  (t) => [
    index('incidents_owner').on(t.ownerId, t.id.desc()),
    index('incidents_zone').on(t.domainId, t.id.desc()),
    index('incidents_cause').on(t.ownerId, t.cause, t.openedAt),
    index('incidents_open')
      .on(t.ownerId, t.cause, t.id)
      .where(sql`closed_at is null`),
    index('incidents_open_due')
      .on(sql`coalesce(${t.heldUntil}, ${t.openedAt})`)
      .where(sql`open_taken_at is null`),
    index('incidents_close_due')
      .on(t.closedAt)
      .where(sql`closed_at is not null and close_taken_at is null`),
  ],
)

/** A public status page: the domains of a group, without addresses and reasons. */
export const statusPages = pgTable(
  'status_pages',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    title: text('title').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [unique('status_pages_slug').on(t.slug), unique('status_pages_group').on(t.groupId)],
)
