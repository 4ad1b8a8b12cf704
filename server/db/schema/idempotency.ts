import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'

/** Calls that were given an `Idempotency-Key`, with their answers: the same key again answers the same. Kept for a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    /** A keyed SHA-256 over method, path and input: another call with the same key is a mistake. */
    requestHash: text('request_hash').notNull(),
    /** Null while the first call is being answered. */
    status: integer('status'),
    answer: jsonb('answer'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index('idempotency_keys_created').on(t.createdAt)],
)
