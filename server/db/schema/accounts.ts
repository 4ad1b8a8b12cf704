import { boolean, index, integer, pgEnum, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { accountHealth, accountKind } from '#shared/features/accounts/schema.ts'

export const accountKindEnum = pgEnum('account_kind', accountKind.enum)
export const accountHealthEnum = pgEnum('account_health', accountHealth.enum)

export const accounts = pgTable(
  'accounts',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name'),
    email: text('email').notNull(),
    kind: accountKindEnum('kind').notNull(),
    /** AES-256-GCM; the plain key or token leaves the server only through `revealAccount`. */
    apiKeySealed: text('api_key_sealed').notNull(),
    passwordSealed: text('password_sealed'),
    /** HMAC of the credential, to detect duplicates without decrypting it. */
    credentialHash: text('credential_hash').notNull(),
    health: accountHealthEnum('health').notNull().default('unknown'),
    /** The provider's own code and message for the last failure. */
    healthCode: text('health_code'),
    healthMessage: text('health_message'),
    checkedAt: instant('checked_at'),
    /** A requested check; done when `checked_at` is later. */
    checkRequestedAt: instant('check_requested_at'),
    checkRunId: uuid('check_run_id'),
    /** Cloudflare's user of the credential; two credentials of one user share its budget. */
    providerUserId: text('provider_user_id'),
    /** Cloudflare accounts accessible with the credential; empty before the first check. */
    providerAccountIds: text('provider_account_ids').array().notNull().default([]),
    /** When the zone list was last read completely. */
    syncedAt: instant('synced_at'),
    syncStartedAt: instant('sync_started_at'),
    syncDone: integer('sync_done').notNull().default(0),
    syncTotal: integer('sync_total'),
    syncErrorCode: text('sync_error_code'),
    syncErrorMessage: text('sync_error_message'),
    /** When the account is due next. */
    nextSyncAt: instant('next_sync_at').notNull().defaultNow(),
    syncFailures: integer('sync_failures').notNull().default(0),
    /** The zone list is being read. */
    syncing: boolean('syncing').notNull().default(false),
    /** Someone requested the next sync, so it precedes scheduled ones and is logged. */
    syncAsked: boolean('sync_asked').notNull().default(false),
    /** When records, settings or rules of some zone are due; null if none are. */
    detailsDueAt: instant('details_due_at'),
    /** No rules are read before, so that they use only a share of the budget. */
    rulesNextAt: instant('rules_next_at'),
    /** The details (records, settings) that the credential may not read; null if permitted or unknown. */
    detailsRefused: text('details_refused'),
    /** When the traffic of its zones is read next, or, while it is being read, when another process may take over. */
    trafficDueAt: instant('traffic_due_at').notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('accounts_credential').on(t.ownerId, t.credentialHash),
    index('accounts_owner').on(t.ownerId, t.email),
    index('accounts_next_sync').on(t.nextSyncAt),
  ],
)
