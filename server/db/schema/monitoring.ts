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

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

export const regionEnum = pgEnum('region', region.enum)
export const viewStateEnum = pgEnum('view_state', viewState.enum)

/** What a person wants watched and notified; no row: nothing is watched. */
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
  /** Regions without a probe are asked of Globalping when a domain looks down elsewhere. */
  secondOpinion: boolean('second_opinion').notNull().default(false),
  /** Of the messages. */
  language: text('language').notNull().default('ru'),
  botTokenSealed: text('bot_token_sealed'),
  /** As Telegram names it, without the @. */
  botName: text('bot_name'),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** What a group does otherwise than its owner: absent keys are the owner's. */
export const monitorOverrides = pgTable('monitor_overrides', {
  groupId: uuid('group_id')
    .primaryKey()
    .references(() => groups.id, { onDelete: 'cascade' }),
  /** `{enabled?, regions?, intervalMinutes?, notices?}` and any of `CheckOptions`. */
  override: jsonb('override').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** A domain that is watched, when, and what came of it. `reconcile` keeps the first part true to settings and zones. */
export const zoneMonitors = pgTable(
  'zone_monitors',
  {
    zoneId: uuid('zone_id')
      .primaryKey()
      .references(() => zones.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id'),
    intervalSeconds: integer('interval_seconds').notNull(),
    /** Its second in the interval, from its id: so checks spread evenly, whatever is added or restarted. */
    slot: integer('slot').notNull(),
    regions: regionEnum('regions').array().notNull(),
    /** A person paused it; `infinity`: until they say otherwise. */
    pausedUntil: instant('paused_until'),
    /** Watched, but nothing is reported. */
    mutedUntil: instant('muted_until'),
    health: healthEnum('health').notNull().default('unknown'),
    /** `Reason[]`, gravest first. */
    reasons: jsonb('reasons').notNull().default([]),
    /** Since when it is in this health. */
    since: instant('since'),
    /** What the mirror says (paused, moved, pending, phishing, expiry), packed; another number: to be judged again. */
    signals: integer('signals').notNull().default(0),
    /** The last changes of health, newest last, milliseconds since 1970; for reporting flapping. */
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
    index('zone_monitors_slot').on(t.intervalSeconds, t.slot, t.zoneId),
    index('zone_monitors_owner').on(t.ownerId, t.health, t.zoneId),
    index('zone_monitors_certificate').on(t.ownerId, t.certExpiresAt),
    index('zone_monitors_held')
      .on(t.ownerId, t.pausedUntil, t.mutedUntil)
      .where(sql`paused_until is not null or muted_until is not null`),
  ],
)

/** A domain as seen from a region: the state machine's memory, the last checks, and the sums of the hour that runs. */
export const zoneViews = pgTable(
  'zone_views',
  {
    zoneId: uuid('zone_id')
      .notNull()
      .references(() => zoneMonitors.zoneId, { onDelete: 'cascade' }),
    region: regionEnum('region').notNull(),
    state: viewStateEnum('state').notNull().default('unknown'),
    /** Since when it is in this state. */
    since: instant('since'),
    /** One after another; the other one is 0. */
    failures: smallint('failures').notNull().default(0),
    successes: smallint('successes').notNull().default(0),
    /** `Finding[]` that count: why it is down or last failed, and warnings that were seen twice (address, name servers, certificate, slow). */
    reasons: jsonb('reasons').notNull().default([]),
    checkedAt: instant('checked_at'),
    /** A second try, sooner than the interval. */
    retryAt: instant('retry_at'),
    /** A person waits for it ("check now"). */
    wantedAt: instant('wanted_at'),
    /** Codes of warnings that the last check had for the first time: reported when the next one has them too. */
    pending: text('pending')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** One byte a check, newest last, at most 90: 1 good, 2 with warnings, 3 failed, 0 nothing could be said. */
    beats: bytes('beats')
      .notNull()
      .default(sql`'\\x'`),
    status: smallint('status'),
    dnsMs: integer('dns_ms'),
    connectMs: integer('connect_ms'),
    tlsMs: integer('tls_ms'),
    firstByteMs: integer('first_byte_ms'),
    totalMs: integer('total_ms'),
    /** The hour that the sums below are of; written to `check_hours` by the first check of another hour. */
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
    primaryKey({ columns: [t.zoneId, t.region] }),
    index('zone_views_retry')
      .on(t.region, t.retryAt)
      .where(sql`retry_at is not null`),
    index('zone_views_down')
      .on(t.zoneId)
      .where(sql`state = 'down'`),
    index('zone_views_wanted')
      .on(t.region, t.wantedAt)
      .where(sql`wanted_at is not null`),
  ],
)

const sums = () => ({
  zoneId: uuid('zone_id').notNull(),
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
  primaryKey({ columns: [t.zoneId, t.hour, t.region] }),
])

/** A day (UTC) of a domain in a region; kept for 400 days. Partitioned by month. */
export const checkDays = pgTable('check_days', { ...sums(), day: instant('day').notNull() }, (t) => [
  primaryKey({ columns: [t.zoneId, t.day, t.region] }),
])

/** How far a region has come, an interval each: the second of the interval (as a time) up to which checks were handed out. */
export const probeCursors = pgTable(
  'probe_cursors',
  {
    region: regionEnum('region').notNull(),
    intervalSeconds: integer('interval_seconds').notNull(),
    position: instant('position').notNull(),
    claimedAt: instant('claimed_at').notNull(),
    /** Seconds walked in a second, over the last minute or so: 1 keeps up; at 0.5 intervals are twice as long as they should be. */
    pace: real('pace').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.region, t.intervalSeconds] })],
)

/** What a probe took to check and has not reported yet; a claim that lapsed is handed out again. */
export const probeClaims = pgTable(
  'probe_claims',
  {
    id: id(),
    region: regionEnum('region').notNull(),
    probeId: uuid('probe_id').notNull(),
    zoneIds: uuid('zone_ids').array().notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** How often it was handed out; what several processes died with is given up until its next turn. */
    attempts: smallint('attempts').notNull().default(1),
  },
  (t) => [index('probe_claims_region').on(t.region, t.expiresAt)],
)

/** How far the daily work of history has come. */
export const monitorChores = pgTable('monitor_chores', { name: text('name').primaryKey(), doneUntil: instant('done_until').notNull() })

/** The processes that check. One that has not been seen for a minute is gone. */
export const probes = pgTable('probes', {
  id: uuid('id').primaryKey(),
  region: regionEnum('region').notNull(),
  startedAt: instant('started_at').notNull(),
  seenAt: instant('seen_at').notNull(),
  /** Its own connection works; what it sees otherwise says nothing of the domains. */
  online: boolean('online').notNull(),
  checksPerSecond: integer('checks_per_second').notNull().default(0),
  /** How far the region is behind; more than a few seconds: intervals are stretched. */
  lagMs: integer('lag_ms').notNull().default(0),
})

/** A time in which something was wrong: of a domain, or of an account (then without a zone). */
export const incidents = pgTable(
  'incidents',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Without a foreign key: it is reported about after the zone has gone. */
    zoneId: uuid('zone_id'),
    accountId: uuid('account_id'),
    groupId: uuid('group_id'),
    /** The domain's, or the account's email. */
    name: text('name').notNull(),
    health: healthEnum('health').notNull(),
    /** `Reason[]` as it began, and the gravest it came to. */
    reasons: jsonb('reasons').notNull(),
    /** What many share: `account:ID`, `origin:ADDRESS`, `registrar:ID`, or `code:CODE`. */
    cause: text('cause').notNull(),
    openedAt: instant('opened_at').notNull(),
    closedAt: instant('closed_at'),
    acknowledgedAt: instant('acknowledged_at'),
    acknowledgedBy: text('acknowledged_by'),
    /** What happened in it: `[{at, kind: opened|reasons|acknowledged|muted|closed, …}]`, at most 100. */
    timeline: jsonb('timeline').notNull().default([]),
    /** When the notifier dealt with its beginning and its end (reported it, or found that nobody wants to be notified). */
    openTakenAt: instant('open_taken_at'),
    closeTakenAt: instant('close_taken_at'),
    /** Nothing is reported before: quiet hours, maintenance, muted. */
    heldUntil: instant('held_until'),
    /** Its beginning was put into the outbox: only then its end is reported. */
    told: boolean('told').notNull().default(false),
  },
  (t) => [
    index('incidents_owner').on(t.ownerId, t.id.desc()),
    index('incidents_zone').on(t.zoneId, t.id.desc()),
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

/** A page that anybody with its address may read: the domains of a group, without addresses and reasons. */
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
