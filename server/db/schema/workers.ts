import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'

/**
 * Heartbeats of the workers that claim items and messages. A worker also holds an advisory lock; the heartbeat shows that it is not only connected
 * but running. Who takes its work over deletes the row, so that the worker finds out before it writes anything else.
 */
export const workers = pgTable('workers', {
  worker: integer('worker').primaryKey(),
  kind: text('kind').notNull(),
  /** `application_name` of the process's connections, so that they can be ended with it. */
  session: text('session').notNull().default(''),
  seenAt: instant('seen_at').notNull().defaultNow(),
})
