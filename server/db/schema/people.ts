import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { registrars } from '#server/db/schema/registrars.ts'
import { trackers } from '#server/db/schema/trackers.ts'
import { users } from '#server/db/schema/users.ts'
import { groups } from '#server/db/schema/zones.ts'
import { tokenScope } from '#shared/features/api-tokens/schema.ts'
import { shareLevel } from '#shared/features/sharing/schema.ts'

/** Ascending: each level includes the previous ones. */
export const shareLevelEnum = pgEnum('share_level', shareLevel.enum)

/** A grant of an owner to another user for a group, an account, a registrar or a tracker; exactly one of them is set. */
export const shares = pgTable(
  'shares',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    granteeId: uuid('grantee_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    registrarId: uuid('registrar_id').references(() => registrars.id, { onDelete: 'cascade' }),
    trackerId: uuid('tracker_id').references(() => trackers.id, { onDelete: 'cascade' }),
    level: shareLevelEnum('level').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    check('shares_one_thing', sql`num_nonnulls(${t.groupId}, ${t.accountId}, ${t.registrarId}, ${t.trackerId}) = 1`),
    uniqueIndex('shares_group').on(t.granteeId, t.groupId),
    uniqueIndex('shares_account').on(t.granteeId, t.accountId),
    uniqueIndex('shares_registrar').on(t.granteeId, t.registrarId),
    uniqueIndex('shares_tracker').on(t.granteeId, t.trackerId),
    index('shares_owner').on(t.ownerId),
    index('shares_of_group').on(t.groupId),
    index('shares_of_account').on(t.accountId),
    index('shares_of_registrar').on(t.registrarId),
    index('shares_of_tracker').on(t.trackerId),
  ],
)

export const tokenScopeEnum = pgEnum('token_scope', tokenScope.enum)

/** API tokens. `token_hash` is the SHA-256 of the secret shown once; `prefix` its beginning, for display. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    scope: tokenScopeEnum('scope').notNull(),
    /** Spending limit of a purchase token in 24 hours, in US dollars; null for other tokens. */
    spendLimitUsd: integer('spend_limit_usd'),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    lastAddress: text('last_address'),
    createdAt: createdAt(),
  },
  (t) => [index('api_tokens_user').on(t.userId)],
)

/** A TOTP second factor; unconfirmed until its first code was correct. */
export const totp = pgTable('totp', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  secretSealed: text('secret_sealed').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** The 30-second step of the last accepted code: it and earlier ones are refused. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC of the code under the server's key. */
    codeHash: text('code_hash').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** base64url, as sent by the authenticator. */
    credentialId: text('credential_id').notNull().unique(),
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
    transports: jsonb('transports').notNull().default([]),
    backedUp: boolean('backed_up').notNull().default(false),
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/** A one-time challenge waiting for a response: `delete … returning` decides which request succeeds. */
export const challenges = pgTable(
  'challenges',
  {
    /** SHA-256 of the client's ticket. */
    id: text('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** `second_factor`, `passkey_add`, `passkey_sign_in`, `passkey_confirm` */
    purpose: text('purpose').notNull(),
    data: jsonb('data').notNull().default({}),
    attempts: integer('attempts').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('challenges_expires').on(t.expiresAt)],
)

/** Panel settings, by name. */
export const panelSettings = pgTable('panel_settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})
