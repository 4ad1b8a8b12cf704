import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { itemState, operationState } from '#shared/features/operations/schema.ts'

/** `draft`: a preview that nobody has confirmed. `waiting`: every item left waits for a time. */
export const operationStateEnum = pgEnum('operation_state', operationState.enum)
export const itemStateEnum = pgEnum('operation_item_state', itemState.enum)

/** A change over many domains: what was asked, and how far it has come. Its items are the truth; `counts` sums them up. */
export const operations = pgTable(
  'operations',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    actorName: text('actor_name').notNull(),
    /** The API token that started it; null: the person themselves. Without a foreign key: what it bought counts after it is revoked. */
    tokenId: uuid('token_id'),
    kind: text('kind').notNull(),
    input: jsonb('input').notNull(),
    state: operationStateEnum('state').notNull().default('draft'),
    /** Higher ones come first in each concurrency key. */
    priority: integer('priority').notNull().default(0),
    /** So many run first, then it pauses for somebody to look. */
    canary: integer('canary'),
    total: integer('total').notNull(),
    /** Items by state, as last summed up. */
    counts: jsonb('counts').notNull().default({}),
    /** Calls that the plan reckoned with. */
    calls: integer('calls').notNull().default(0),
    undoOf: uuid('undo_of'),
    scheduledAt: instant('scheduled_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Between its start and its end, while nothing ran: after a trial, a pause, or before failed items were tried again. */
    restedSeconds: integer('rested_seconds').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index('operations_owner').on(t.ownerId, t.id.desc()), index('operations_state').on(t.state)],
)

/** One domain of an operation: its plan, and the result of it. */
export const operationItems = pgTable(
  'operation_items',
  {
    operationId: uuid('operation_id')
      .notNull()
      .references(() => operations.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** The panel's zone; without a foreign key, so that what was deleted can still be reported. */
    zoneId: uuid('zone_id'),
    accountId: uuid('account_id').notNull(),
    accountEmail: text('account_email').notNull(),
    /** What shares one budget at the provider; concurrency keys run side by side. */
    lane: text('lane').notNull(),
    name: text('name').notNull(),
    state: itemStateEnum('state').notNull().default('pending'),
    /** What was shown before it was confirmed: `{before, after, dangers, calls}`. */
    plan: jsonb('plan').notNull(),
    /** What it left behind, for taking it back. */
    result: jsonb('result'),
    /** Of ours, for `failed`, `skipped` and `waiting`; the provider's own words beside it. */
    code: text('code'),
    providerCode: text('provider_code'),
    message: text('message'),
    waitUntil: instant('wait_until'),
    attempts: integer('attempts').notNull().default(0),
    /** The process that tries it; a number whose lock it holds while it lives. */
    worker: integer('worker'),
    /** Processes that died while this was among what they tried. */
    deaths: integer('deaths').notNull().default(0),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.operationId, t.position] }),
    index('operation_items_state').on(t.operationId, t.state, t.position),
    index('operation_items_lane').on(t.lane, t.state, t.operationId, t.position),
    index('operation_items_zone').on(t.zoneId),
    // `suspectDeaths`, written out.
    index('operation_items_suspects')
      .on(t.operationId, t.position)
      .where(sql`deaths >= 3`),
  ],
)
