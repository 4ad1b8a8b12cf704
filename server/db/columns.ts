import { sql } from 'drizzle-orm'
import { timestamp, uuid } from 'drizzle-orm/pg-core'
import type { SQLWrapper } from 'drizzle-orm'

/** Time-ordered ids keep index pages warm when thousands of rows are inserted together. */
export const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })
export const createdAt = () => instant('created_at').notNull().defaultNow()

/** Letter case is ignored in every script, regardless of the database locale. */
export const normalizeForSearch = (text: SQLWrapper) => sql`lower(${text} collate "und-x-icu")`

/** `personLabel` of a users row under the alias `table`; null if there is no row. */
export const personLabelText = (table: string): string =>
  `nullif(concat_ws(' · ', nullif(nullif(${table}.name, ''), ${table}.username), ${table}.username), '')`

/** The same for the table under its own name. */
export const personLabelSql = sql<string>`${sql.raw(personLabelText('users'))}`
