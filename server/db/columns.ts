import { sql } from 'drizzle-orm'
import { timestamp, uuid } from 'drizzle-orm/pg-core'
import type { SQLWrapper } from 'drizzle-orm'

/** Time-ordered ids keep index pages warm when thousands of rows are inserted at the same time. */
export const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })
export const createdAt = () => instant('created_at').notNull().defaultNow()

/** Upper and lower case are the same in every script, whatever the locale of the database. */
export const normalizeForSearch = (text: SQLWrapper) => sql`lower(${text} collate "und-x-icu")`

/** `personLabel` of a row of users, which the statement calls `table`; null where it found none. */
export const personLabelText = (table: string): string =>
  `nullif(concat_ws(' · ', nullif(nullif(${table}.name, ''), ${table}.username), ${table}.username), '')`

/** The same where the table has its own name. */
export const personLabelSql = sql<string>`${sql.raw(personLabelText('users'))}`
