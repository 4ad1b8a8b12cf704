import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { itemState, operationState } from '#shared/features/operations/schema.ts'
import type { DomainId } from '#shared/ids.ts'

/** `draft`: an unconfirmed preview. `waiting`: every remaining item waits for a time. */
export const operationStateEnum = pgEnum('operation_state', operationState.enum)
export const itemStateEnum = pgEnum('operation_item_state', itemState.enum)

/** A change over many domains: its input and progress. The items are authoritative; `counts` aggregates them. */
export const operations = pgTable(
  'operations',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    actorName: text('actor_name').notNull(),
    /** The API token that started it; null: the person directly. Without a foreign key: its purchases count even after revocation. */
    tokenId: uuid('token_id'),
    kind: text('kind').notNull(),
    input: jsonb('input').notNull(),
    state: operationStateEnum('state').notNull().default('draft'),
    /** Higher ones first within each concurrency key. */
    priority: integer('priority').notNull().default(0),
    /** Canary: this many run first, then it pauses for a decision. */
    canary: integer('canary'),
    total: integer('total').notNull(),
    /** Items by state, as last aggregated. */
    counts: jsonb('counts').notNull().default({}),
    /** Number of calls estimated by the plan. */
    calls: integer('calls').notNull().default(0),
    undoOf: uuid('undo_of'),
    scheduledAt: instant('scheduled_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Idle time between start and end: after a canary, a pause, or before a retry of failed items. */
    restedSeconds: integer('rested_seconds').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index('operations_owner').on(t.ownerId, t.id.desc()), index('operations_state').on(t.state)],
)

/** One domain of an operation: its plan and result. */
export const operationItems = pgTable(
  'operation_items',
  {
    operationId: uuid('operation_id')
      .notNull()
      .references(() => operations.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** The panel's zone; without a foreign key, so that deleted zones can still be reported. */
    domainId: uuid('zone_id').$type<DomainId>(),
    accountId: uuid('account_id').notNull(),
    accountEmail: text('account_email').notNull(),
    /** Items that share a budget at the provider; different keys run concurrently. */
    lane: text('lane').notNull(),
    name: text('name').notNull(),
    state: itemStateEnum('state').notNull().default('pending'),
    /** The confirmed preview: `{before, after, dangers, calls}`. */
    plan: jsonb('plan').notNull(),
    /** The data needed to undo it. */
    result: jsonb('result'),
    /** The panel's error code for `failed`, `skipped` and `waiting`, with the provider's own message. */
    code: text('code'),
    providerCode: text('provider_code'),
    message: text('message'),
    waitUntil: instant('wait_until'),
    attempts: integer('attempts').notNull().default(0),
    /** The worker: the number of the advisory lock that it holds as long as it runs. */
    worker: integer('worker'),
    /** Number of processes that died while this was among their claimed items. */
    deaths: integer('deaths').notNull().default(0),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.operationId, t.position] }),
    index('operation_items_state').on(t.operationId, t.state, t.position),
    index('operation_items_lane').on(t.lane, t.state, t.operationId, t.position),
    index('operation_items_zone_finished').on(t.domainId, t.finishedAt),
    // The value of `suspectDeaths`.
    index('operation_items_suspects')
      .on(t.operationId, t.position)
      .where(sql`deaths >= 3`),
  ],
)
