import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, normalizeForSearch } from '#server/db/columns.ts'
import { role, sessionProof } from '#shared/features/auth/schema.ts'

export const roleEnum = pgEnum('role', role.enum)

export const sessionProofEnum = pgEnum('session_proof', sessionProof.enum)

export const users = pgTable(
  'users',
  {
    id: id(),
    username: text('username').notNull(),
    email: text('email').notNull(),
    name: text('name'),
    passwordHash: text('password_hash').notNull(),
    role: roleEnum('role').notNull(),
    /** Language of messages outside the browser; null: the panel's default. */
    language: text('language'),
    /** An edit names the version it is based on, so that concurrent edits do not overwrite each other. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
    createdAt: createdAt(),
    /** When the person was disabled; their resources stay. */
    disabledAt: instant('disabled_at'),
    /** Spending limit in 24 hours, in US dollars; null: unlimited. */
    spendLimitUsd: integer('spend_limit_usd'),
    /** The person's table layouts, by table name. */
    tableLayouts: jsonb('table_layouts').notNull().default({}),
    /** What happened until then was seen in the person's notifications. */
    notificationsReadUntil: instant('notifications_read_until'),
  },
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email})`), uniqueIndex('users_username_key').on(normalizeForSearch(t.username))],
)

/** `id` is the SHA-256 of the bearer token, so a copy of the database cannot be used to sign in. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    /** When a password or a second factor was last given in this session. */
    verifiedAt: instant('verified_at').notNull().defaultNow(),
    /** The strongest factor of that authentication: a person with a second factor needs it for step-up authentication. */
    verifiedBy: sessionProofEnum('verified_by').notNull().default('password'),
    address: text('address'),
    userAgent: text('user_agent'),
  },
  (t) => [index('sessions_user').on(t.userId)],
)
