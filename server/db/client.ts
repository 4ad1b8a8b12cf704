import { drizzle } from 'drizzle-orm/postgres-js'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import type { PostgresJsDatabase, PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import type { ExtractTablesWithRelations } from 'drizzle-orm'
import postgres from 'postgres'
import * as schema from '#server/db/schema/index.ts'

type Schema = typeof schema
export type Sql = postgres.Sql
export type SqlTransaction = postgres.TransactionSql

/** A pool. `sql` is the same pool without drizzle, for the few statements that are hot or that drizzle cannot say. */
export interface Database {
  readonly orm: PostgresJsDatabase<Schema>
  readonly sql: Sql
  close(): Promise<void>
}

export type Transaction = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>
/** What a repository takes: the pool or the transaction that is open. */
export type Queryable = PostgresJsDatabase<Schema> | Transaction

export function connect(url: string, options: { readonly max?: number; readonly name?: string } = {}): Database {
  const sql = postgres(url, {
    max: options.max ?? 10,
    connection: { application_name: options.name ?? 'zonedeck', TimeZone: 'UTC' },
    onnotice: () => undefined,
    connect_timeout: 10,
  })
  return { orm: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 5 }) }
}
