import { bigint, boolean, index, integer, jsonb, pgEnum, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { accountHealth } from '#shared/features/accounts/schema.ts'
import { registrarProvider, registrarType } from '#shared/features/registrars/schema.ts'

export const registrarTypeEnum = pgEnum('registrar_type', registrarType.enum)
export const registrarProviderEnum = pgEnum('registrar_provider', registrarProvider.enum)
export const registrarHealthEnum = pgEnum('registrar_health', accountHealth.enum)

export const registrars = pgTable(
  'registrars',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: registrarTypeEnum('type').notNull().default('MANUAL'),
    provider: registrarProviderEnum('provider').notNull().default('NAMECHEAP'),
    /** The name of another company; null: one of the known providers. */
    company: text('company'),
    sandbox: boolean('sandbox').notNull().default(false),
    /** The sign-in page of the registrar. */
    apiUrl: text('api_url'),
    accountEmail: text('account_email'),
    accountPasswordSealed: text('account_password_sealed'),
    /** One encrypted JSON of all fields: `credential_fields` lists which are set, without values. */
    credentialSealed: text('credential_sealed').notNull(),
    credentialFields: text('credential_fields').array().notNull(),
    /** HMAC of provider, sandbox and credential: equal ones share one limit. */
    credentialHash: text('credential_hash').notNull(),
    health: registrarHealthEnum('health').notNull().default('unknown'),
    healthCode: text('health_code'),
    healthMessage: text('health_message'),
    checkedAt: instant('checked_at'),
    balanceMinor: bigint('balance_minor', { mode: 'number' }),
    balanceCurrency: text('balance_currency'),
    balanceAt: instant('balance_at'),
    /** When its list of names was last read completely. */
    syncedAt: instant('synced_at'),
    syncing: boolean('syncing').notNull().default(false),
    syncErrorCode: text('sync_error_code'),
    syncErrorMessage: text('sync_error_message'),
    syncFailures: integer('sync_failures').notNull().default(0),
    nextSyncAt: instant('next_sync_at'),
    namesCount: integer('names_count').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('registrars_owner').on(t.ownerId, t.name), index('registrars_next_sync').on(t.nextSyncAt)],
)

/** The names listed by API registrars. */
export const registrarNames = pgTable(
  'registrar_names',
  {
    id: id(),
    registrarId: uuid('registrar_id')
      .notNull()
      .references(() => registrars.id, { onDelete: 'cascade' }),
    /** Punycode, lower case. */
    name: text('name').notNull(),
    status: text('status'),
    registeredAt: instant('registered_at'),
    expiresAt: instant('expires_at'),
    autoRenew: boolean('auto_renew'),
    locked: boolean('locked'),
    nameServers: text('name_servers').array(),
    nameServersAt: instant('name_servers_at'),
    renewalMinor: bigint('renewal_minor', { mode: 'number' }),
    renewalCurrency: text('renewal_currency'),
    seenAt: instant('seen_at').notNull().defaultNow(),
    /** Missing from the last complete list. */
    goneAt: instant('gone_at'),
  },
  (t) => [
    unique('registrar_names_name').on(t.registrarId, t.name),
    index('registrar_names_by_name').on(t.name),
    index('registrar_names_expiry')
      .on(t.expiresAt)
      .where(sql`gone_at is null`),
  ],
)

/** The secret URL of a person's renewal calendar; knowing it grants access. */
export const calendarFeeds = pgTable('calendar_feeds', {
  ownerId: uuid('owner_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: createdAt(),
})

/** Registrant contacts; encrypted, because they are personal data. */
export const contacts = pgTable(
  'contacts',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    detailsSealed: text('details_sealed').notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('contacts_name').on(t.ownerId, t.name),
    uniqueIndex('contacts_default')
      .on(t.ownerId)
      .where(sql`is_default`),
  ],
)

export const purchaseStateEnum = pgEnum('purchase_state', ['intended', 'sent', 'bought', 'refused'])

/** The ledger of orders: written before a name is ordered, so that no crash causes a second order. */
export const purchases = pgTable(
  'purchases',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    registrarId: uuid('registrar_id').references(() => registrars.id, { onDelete: 'set null' }),
    operationId: uuid('operation_id').notNull(),
    name: text('name').notNull(),
    /** For a renewal: the name's expiry when it was confirmed. Null: a purchase of the name. */
    renewedFrom: instant('renewed_from'),
    state: purchaseStateEnum('state').notNull().default('intended'),
    years: integer('years').notNull(),
    priceMinor: bigint('price_minor', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    orderId: text('order_id'),
    chargedMinor: bigint('charged_minor', { mode: 'number' }),
    /** The part of the price that was fees and taxes in the quote; null: not reported. */
    feesMinor: bigint('fees_minor', { mode: 'number' }),
    /** The provider's response, without secrets. */
    answer: jsonb('answer'),
    /**
     * The accepted price and the idempotency key, written before the order is sent, so that a retry is the same request. Deleted once it is
     * decided.
     */
    quote: jsonb('quote'),
    sentAt: instant('sent_at'),
    boughtAt: instant('bought_at'),
    createdAt: createdAt(),
  },
  (t) => [
    // A name has one pending order, regardless of the buyer: concurrent purchases of the same list conflict here.
    uniqueIndex('purchases_open_names')
      .on(t.name)
      .where(sql`renewed_from is null and state <> 'refused'`),
    // A name can be renewed again in its next year.
    uniqueIndex('purchases_open_renewals')
      .on(t.name)
      .where(sql`renewed_from is not null and state in ('intended', 'sent')`),
    index('purchases_operation').on(t.operationId),
    index('purchases_owner').on(t.ownerId, t.createdAt),
  ],
)
