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
    /** The name of another company; null: one of the known ones. */
    company: text('company'),
    sandbox: boolean('sandbox').notNull().default(false),
    /** Where people sign in on the site. */
    apiUrl: text('api_url'),
    accountEmail: text('account_email'),
    accountPasswordSealed: text('account_password_sealed'),
    /** One encrypted JSON of all fields: what is filled in is reported by `credential_fields`, what it is by nobody. */
    credentialSealed: text('credential_sealed').notNull(),
    credentialFields: text('credential_fields').array().notNull(),
    /** HMAC of provider, sandbox and credential: registrars with the same share one limit. */
    credentialHash: text('credential_hash').notNull(),
    health: registrarHealthEnum('health').notNull().default('unknown'),
    healthCode: text('health_code'),
    healthMessage: text('health_message'),
    checkedAt: instant('checked_at'),
    balanceMinor: bigint('balance_minor', { mode: 'number' }),
    balanceCurrency: text('balance_currency'),
    balanceAt: instant('balance_at'),
    /** When its list of names was last read whole. */
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

/** The names at API registrars, as they were listed. */
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
    /** Missing from a list that was read whole. */
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

/** The address at which a person's calendar reads when names end; knowing it is all that it takes. */
export const calendarFeeds = pgTable('calendar_feeds', {
  ownerId: uuid('owner_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: createdAt(),
})

/** Who holds what is bought; encrypted, because it is about people. */
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

/** The ledger of what was ordered: written before a name is ordered, so that no crash orders it again. */
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
    /** Of a renewal: until when the name was paid as it was confirmed. Null: the name itself is bought. */
    renewedFrom: instant('renewed_from'),
    state: purchaseStateEnum('state').notNull().default('intended'),
    years: integer('years').notNull(),
    priceMinor: bigint('price_minor', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    orderId: text('order_id'),
    chargedMinor: bigint('charged_minor', { mode: 'number' }),
    /** What of the price was fees and taxes when it was quoted; null: not said. */
    feesMinor: bigint('fees_minor', { mode: 'number' }),
    /** The provider's answer, without secrets. */
    answer: jsonb('answer'),
    /** The price that was accepted and the idempotency key, written before the order is sent: a repetition is the same request. Gone when it is decided. */
    quote: jsonb('quote'),
    sentAt: instant('sent_at'),
    boughtAt: instant('bought_at'),
    createdAt: createdAt(),
  },
  (t) => [
    // A name is on order once, no matter who orders it: two people who buy the same list meet here.
    uniqueIndex('purchases_open_names')
      .on(t.name)
      .where(sql`renewed_from is null and state <> 'refused'`),
    // A name is renewed again in its next year.
    uniqueIndex('purchases_open_renewals')
      .on(t.name)
      .where(sql`renewed_from is not null and state in ('intended', 'sent')`),
    index('purchases_operation').on(t.operationId),
    index('purchases_owner').on(t.ownerId, t.createdAt),
  ],
)
