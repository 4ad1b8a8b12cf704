import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as schema from '#server/db/schema/index.ts'

/** The panel's tables, as this version knows them. */
export const tableNames: string[] = Object.values(schema).flatMap((each) => (is(each, PgTable) ? [getTableName(each)] : []))
