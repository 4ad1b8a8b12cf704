import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
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

/** How far the clock of each process is ahead of the database's, measured every minute. */
export const processClocks = pgTable('process_clocks', {
  id: uuid('id').primaryKey(),
  host: text('host').notNull(),
  role: text('role').notNull(),
  skewMs: bigint('skew_ms', { mode: 'number' }).notNull(),
  measuredAt: instant('measured_at').notNull().defaultNow(),
})
