import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { groups } from '#server/db/schema/zones.ts'
import { channelKind, messageState } from '#shared/features/alerts/schema.ts'
import type { DomainId } from '#shared/ids.ts'

export const channelKindEnum = pgEnum('channel_kind', channelKind.enum)

/** Destinations of alerts. */
export const alertChannels = pgTable(
  'alert_channels',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: channelKindEnum('kind').notNull(),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** The chat of R-MON-01's `telegram.chatId`; at most one per owner. */
    main: boolean('main').notNull().default(false),
    /** Telegram: the chat's id or @name, and the topic in it. */
    chatId: text('chat_id'),
    topicId: integer('topic_id'),
    /** A webhook's host, for display; the URL is encrypted, because anyone who knows it may post there. */
    url: text('url'),
    urlSealed: text('url_sealed'),
    /** The signing secret of webhooks. */
    secretSealed: text('secret_sealed'),
    /** Only domains of these groups; null: all. */
    groupIds: uuid('group_ids').array(),
    /** Only critical alerts. */
    criticalOnly: boolean('critical_only').notNull().default(false),
    /** Set while it refuses messages: `{code, message, at}`. */
    failure: jsonb('failure'),
    /** Nothing is sent before this time: the receiver asked to wait, or does not respond. */
    pausedUntil: instant('paused_until'),
    createdAt: createdAt(),
  },
  (t) => [index('alert_channels_owner').on(t.ownerId)],
)

/** Maintenance windows: no alerts for a group, some domains, or all domains of a user. */
export const maintenanceWindows = pgTable(
  'maintenance_windows',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    domainIds: uuid('zone_ids').$type<DomainId>().array(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** `WindowRepeat`; null: not repeated. */
    repeat: jsonb('repeat'),
    createdAt: createdAt(),
  },
  (t) => [index('maintenance_windows_owner').on(t.ownerId, t.endsAt)],
)

export const messageStateEnum = pgEnum('message_state', messageState.enum)

/**
 * Alerts to deliver. A row is written in the transaction that processes the incidents, and is `sent` only after the receiver's
 * confirmation.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => alertChannels.id, { onDelete: 'cascade' }),
    state: messageStateEnum('state').notNull().default('pending'),
    /** The content in structured form (`server/features/alerts/outbox/message.ts`); the text is created when it is sent. */
    body: jsonb('body').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: instant('due_at').notNull().defaultNow(),
    /** The sending worker: the number of the advisory lock that it holds as long as it runs. */
    worker: integer('worker'),
    /** A process died while sending it, so it may have arrived. The next attempt mentions that. */
    repeated: boolean('repeated').notNull().default(false),
    /** Telegram's message id, for editing it later. */
    externalId: text('external_id'),
    failureCode: text('failure_code'),
    failureMessage: text('failure_message'),
    createdAt: createdAt(),
    sentAt: instant('sent_at'),
  },
  (t) => [
    index('outbox_due')
      .on(t.channelId, t.id)
      .where(sql`state in ('pending', 'sending')`),
    index('outbox_owner').on(t.ownerId, t.id.desc()),
  ],
)

/**
 * When a bot last wrote to a chat, so that all processes respect Telegram's limits together. `key` is the bot's fingerprint and the chat's
 * id, or the fingerprint only for limits of the whole bot.
 */
export const chatPaces = pgTable('chat_paces', {
  key: text('key').primaryKey(),
  /** The last twenty, newest last. */
  sentAt: instant('sent_at')
    .array()
    .notNull()
    .default(sql`'{}'`),
  /** Telegram asked to wait until then. */
  blockedUntil: instant('blocked_until'),
})
