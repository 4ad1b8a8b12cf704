import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import type { PostgresJsDatabase, PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import type { ExtractTablesWithRelations } from 'drizzle-orm'
import postgres from 'postgres'
import { createPing } from '#server/db/ping.ts'
import * as schema from '#server/db/schema/index.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'

type Schema = typeof schema
export type Sql = postgres.Sql
export type SqlTransaction = postgres.TransactionSql

/** A pool. `sql` is the same pool without drizzle, for the few statements that are hot or that drizzle cannot say. */
export interface Database {
  readonly orm: PostgresJsDatabase<Schema>
  readonly sql: Sql
  /**
   * A few connections for large statements that are written so that one plan serves all values. Each connection plans a statement once, where
   * the others do five times or every time, which can take longer than the answer; no answer of milliseconds is worth a parallel worker's start.
   */
  readonly steadySql: Sql
  /** Whether PostgreSQL answers within two seconds, asked on a connection of its own. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

export type Transaction = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>
/** What a repository takes: the pool or the transaction that is open. */
export type Queryable = PostgresJsDatabase<Schema> | Transaction

/** Instants as PostgreSQL writes them, as drizzle has them in the other pool. */
const asWritten = {
  to: 1184,
  from: [1082, 1083, 1114, 1184],
  serialize: (written: string) => written,
  parse: (written: string) => written,
}

/**
 * The driver (postgres 3.4.9) leaves its sockets to collect small packets: the end of every `copy` then waits 40 ms for the acknowledgement of the
 * rows before it, so a restore of few rows took seconds. It has no option for that; what our HTTP clients open is sent so anyway.
 */
subscribe('net.client.socket', (message) => {
  const socket: unknown = Reflect.get(Object(message), 'socket')
  if (socket instanceof Socket) socket.setNoDelay(true)
})

/** No transaction waits for anything but the database, so even an overloaded process is far from it. */
const idleTransactionMs = 20_000

/** The driver's own rests grow to 20 seconds, which anyone who asks meanwhile would wait for. */
const reconnectSeconds = (tries: number) => Math.min(0.05 * 2 ** tries, 1)

/** Rows of statements by hand have the names that the schema has in drizzle, whatever their columns are called; JSON is left as it is. */
const camelColumns = { column: { from: postgres.toCamel } }

/** Of this process: what hangs is ended by it (`endWorker`). */
const session = randomBytes(4).toString('hex')

export function connect(url: string, options: { readonly max?: number; readonly name?: string } = {}): Database {
  // A process that hangs within a transaction would keep its rows from all others for as long as its connection lasts.
  const settings = {
    application_name: options.name ?? `zonedeck ${session}`,
    TimeZone: 'UTC',
    idle_in_transaction_session_timeout: idleTransactionMs,
  }
  const shared = { onnotice: () => undefined, connect_timeout: 4, backoff: reconnectSeconds, transform: camelColumns }
  const sql = postgres(url, { ...shared, max: options.max ?? 10, connection: settings })
  const steadySql = postgres(url, {
    ...shared,
    max: 4,
    connection: { ...settings, plan_cache_mode: 'force_generic_plan', max_parallel_workers_per_gather: '0' },
    types: { date: asWritten },
  })
  keepShort(sql)
  letGoOfLost(sql)
  const ping = createPing({ ...(sql.options as unknown as postgres.Options<Record<string, never>>) })
  const close = async () => void (await Promise.all([ping.close(), ...[sql, steadySql].map((pool) => pool.end({ timeout: 5 }))]))
  return { orm: drizzle(sql, { schema }), sql, steadySql, answers: ping.answers, close }
}

/** Values a statement may have to be kept by its connection. With lists their number differs from call to call, and each would be one more to keep. */
const keptValues = 16

/** drizzle's statements are read by PostgreSQL again each time, which takes a round trip of its own; those without lists are kept instead. */
function keepShort(sql: Sql | SqlTransaction): void {
  const unsafe = sql.unsafe as (text: string, values?: unknown[], options?: object) => unknown
  const kept: typeof unsafe = (text, values = [], options = {}) =>
    unsafe(text, values, values.length > 0 && values.length <= keptValues ? { ...options, prepare: true } : options)
  sql.unsafe = kept as typeof sql.unsafe
}

/**
 * A transaction whose connection was lost is rejected by the driver when it hears of that. Before, it would be asked to roll back what
 * is no more: its words then stay in the driver (postgres 3.4.9), throw where nobody can catch it, and spoil the next connection
 * (https://github.com/porsager/postgres/issues/1154). So what fails for that reason does not come back to the driver.
 */
function letGoOfLost(sql: Sql): void {
  const begin = sql.begin as (...args: unknown[]) => Promise<unknown>
  const held = (work: (tx: SqlTransaction) => unknown) => async (tx: SqlTransaction) => {
    keepShort(tx)
    try {
      return await work(tx)
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      return new Promise(() => undefined)
    }
  }
  const wrapped = (...args: unknown[]) =>
    begin(...args.map((arg) => (typeof arg === 'function' ? held(arg as Parameters<typeof held>[0]) : arg)))
  sql.begin = wrapped as typeof sql.begin
}
