import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'

/**
 * Heartbeats of the workers that claim items and messages. A worker also holds an advisory lock; the heartbeat shows that it is running,
 * not only connected. A process that takes over its work deletes the row, so that the worker notices before its next write.
 */
export const workers = pgTable('workers', {
  worker: integer('worker').primaryKey(),
  kind: text('kind').notNull(),
  /** `application_name` of the process's connections, so that they can be terminated. */
  session: text('session').notNull().default(''),
  seenAt: instant('seen_at').notNull().defaultNow(),
})

/** Milliseconds by which each process's clock is ahead of the database's, measured every minute. */
export const processClocks = pgTable('process_clocks', {
  id: uuid('id').primaryKey(),
  host: text('host').notNull(),
  role: text('role').notNull(),
  skewMs: bigint('skew_ms', { mode: 'number' }).notNull(),
  measuredAt: instant('measured_at').notNull().defaultNow(),
})
