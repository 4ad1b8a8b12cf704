import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'

/** Failed sign-ins and similar attempts: one row per key and window. */
export const attempts = pgTable('attempts', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  resetsAt: instant('resets_at').notNull(),
})

/** The remaining budget of a provider's limit, shared by all processes. `log` is `[[expiresAtMs, calls], …]`. */
export const callBudgets = pgTable('call_budgets', {
  key: text('key').primaryKey(),
  log: jsonb('log').notNull().default([]),
  blockedUntil: instant('blocked_until'),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})
