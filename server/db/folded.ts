import { sql } from 'drizzle-orm'
import type { SQLWrapper } from 'drizzle-orm'

/** Upper and lower case are the same in every script, whatever the locale of the database. */
export const folded = (text: SQLWrapper) => sql`lower(${text} collate "und-x-icu")`
