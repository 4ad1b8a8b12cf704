import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { sql as statement } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import type { PostgresJsDatabase, PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import type { ExtractTablesWithRelations, Table } from 'drizzle-orm'
import postgres from 'postgres'
import { createPing } from '#server/db/ping.ts'
import * as schema from '#server/db/schema/index.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'

type Schema = typeof schema
export type Sql = postgres.Sql
export type SqlTransaction = postgres.TransactionSql

/** A pool. `sql` is the same pool without drizzle, for the few statements that are hot or not expressible in drizzle. */
export interface Database {
  readonly orm: PostgresJsDatabase<Schema>
  readonly sql: Sql
  /**
   * A few connections for large statements written so that one plan serves all values. Each connection plans a statement once, where the
   * others do so five times or every time, which can take longer than the execution; parallel workers are not worth starting for a few
   * milliseconds.
   */
  readonly steadySql: Sql
  /** Whether PostgreSQL responds within two seconds, on a separate connection. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

export type Transaction = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>
/** The parameter of repository functions: the pool or the current transaction. */
export type Queryable = PostgresJsDatabase<Schema> | Transaction

/** Timestamps as PostgreSQL text, like drizzle in the other pool. */
const asWritten = {
  to: 1184,
  from: [1082, 1083, 1114, 1184],
  serialize: (written: string) => written,
  parse: (written: string) => written,
}

/**
 * The driver (postgres 3.4.9) leaves Nagle's algorithm enabled: the end of every `copy` then waits 40 ms for the acknowledgement of the
 * rows before it, so a restore of few rows took seconds. It has no option for that; our HTTP clients disable it too.
 */
subscribe('net.client.socket', (message) => {
  const socket: unknown = Reflect.get(Object(message), 'socket')
  if (socket instanceof Socket) socket.setNoDelay(true)
})

/** Transactions wait for nothing but the database, so even an overloaded process is far below this limit. */
const idleTransactionMs = 20_000

/**
 * A set of matches larger than this is kept by page instead of by row, and each row of those pages is tested again, which costs forty times
 * as much: PostgreSQL's default is too small for a search of a million domains.
 */
const workMemory = '16MB'

/** The driver's default back-off grows to 20 seconds, which callers would have to wait for. */
const reconnectSeconds = (tries: number) => Math.min(0.05 * 2 ** tries, 1)

/**
 * A connection that vanished without being closed is noticed after this time and ten probes a second apart. Node cannot limit how long sent data
 * stays unacknowledged: a statement written to such a connection waits for the system's limit.
 */
const keepaliveSeconds = 10

/** Columns named otherwise than in the schema: the id of a domain. `zones.zone_id`, the id at the provider, needs an alias. */
const columnOf = { domainId: 'zone_id', domainIds: 'zone_ids' } as const
type ColumnOf = typeof columnOf
const propertyOf = new Map<string, string>(Object.entries(columnOf).map(([property, column]) => [column, property]))

/** Rows of raw statements get the schema's property names instead of column names; JSON is unchanged. */
const camelColumns = { column: { from: (column: string) => propertyOf.get(column) ?? postgres.toCamel(column) } }

/** Timestamps arrive as PostgreSQL text; nullability is kept. */
type AsWritten<V> = V extends Date ? string : V

/** Columns of a table as returned by raw statements: the driver maps them to the schema's names. */
export type RawRow<T extends Table, C extends keyof T['$inferSelect']> = { [K in C]: AsWritten<T['$inferSelect'][K]> }

/** For a table that an outer join may not match. */
export type Joined<T extends Table, C extends keyof T['$inferSelect']> = { [K in C]: AsWritten<T['$inferSelect'][K]> | null }

type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S

/** The same within JSON (`to_jsonb`), whose names are those of the columns. */
export type JsonRow<T extends Table, C extends keyof T['$inferSelect'] & string = keyof T['$inferSelect'] & string> = {
  readonly [K in C as K extends keyof ColumnOf ? ColumnOf[K] : SnakeCase<K>]: AsWritten<T['$inferSelect'][K]>
}

/** Identifies this process, so that its connections can be terminated if it hangs (`endWorker`). */
const session = randomBytes(4).toString('hex')

export function connect(url: string, options: { readonly max?: number; readonly name?: string } = {}): Database {
  // A process that hangs within a transaction would lock its rows as long as its connection lasts.
  const settings = {
    application_name: options.name ?? `zonedeck ${session}`,
    TimeZone: 'UTC',
    idle_in_transaction_session_timeout: idleTransactionMs,
    work_mem: workMemory,
  }
  const shared = {
    onnotice: () => undefined,
    connect_timeout: 4,
    keep_alive: keepaliveSeconds,
    backoff: reconnectSeconds,
    transform: camelColumns,
  }
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

/**
 * Maximum number of parameters of a prepared statement. With lists their number varies from call to call, and each variant would be
 * prepared separately.
 */
const keptValues = 16

/** PostgreSQL parses drizzle's statements each time, which takes an extra round trip; those without lists are prepared instead. */
function keepShort(sql: Sql | SqlTransaction): void {
  const unsafe = sql.unsafe as (text: string, values?: unknown[], options?: object) => unknown
  const kept: typeof unsafe = (text, values = [], options = {}) =>
    unsafe(text, values, values.length > 0 && values.length <= keptValues ? { ...options, prepare: true } : options)
  sql.unsafe = kept as typeof sql.unsafe
}

/**
 * The driver rejects a transaction whose connection was lost once it notices. Before that, it would send a rollback on the lost connection:
 * that stays queued in the driver (postgres 3.4.9), throws where it cannot be caught, and breaks the next connection
 * (https://github.com/porsager/postgres/issues/1154). So such failures are not returned to the driver.
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

/** Delivered at commit if `db` is a transaction. */
export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.execute(statement`select pg_notify(${channel}, ${payload})`)
}

/** Whether a process of the panel is connected to this database; commands that require a stopped panel connect under other names. */
export async function isPanelConnected(tx: SqlTransaction): Promise<boolean> {
  const rows = await tx`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and application_name ~ '^zonedeck( |$)' limit 1`
  return rows.length > 0
}

/** PostgreSQL texts permit neither NUL nor unpaired surrogates, which may occur in a provider's messages. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** JSON that PostgreSQL accepts. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storableText(part) : part))
}
