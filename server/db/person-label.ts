import { sql } from 'drizzle-orm'

/** `personLabel` of a row of users, which the statement calls `table`; null where it found none. */
export const personLabelText = (table: string): string =>
  `nullif(concat_ws(' · ', nullif(nullif(${table}.name, ''), ${table}.username), ${table}.username), '')`

/** The same where the table has its own name. */
export const personLabelSql = sql<string>`${sql.raw(personLabelText('users'))}`
