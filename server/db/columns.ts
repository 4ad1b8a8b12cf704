import { sql } from 'drizzle-orm'
import { timestamp, uuid } from 'drizzle-orm/pg-core'

/** Time-ordered ids keep index pages warm when thousands of rows are inserted at once. */
export const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })
export const createdAt = () => instant('created_at').notNull().defaultNow()
