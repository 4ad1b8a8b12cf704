import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import type { Queryable, Sql, SqlTransaction } from '#server/db/client.ts'

/** An identifier in a statement. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Writes rows in the text format of `copy`. The driver (postgres 3.4.9) never ends the stream if the server refuses a row only after its
 * end, as with all small tables: such an error arrives at the query, already resolved, and is passed on from there.
 */
export async function copyInto(
  sql: Sql | SqlTransaction,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  rows: AsyncIterable<Buffer> | Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  const refused = Promise.withResolvers<never>()
  // Also if the stream itself was refused first.
  refused.promise.catch(() => undefined)
  const query = sql.unsafe(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`)
  const target = await query.writable()
  Reflect.set(query, 'reject', refused.reject)
  await Promise.race([pipeline(Readable.from(rows, { objectMode: false }), target, { signal }), refused.promise])
}

type Value = string | number | null

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const toText = (value: Value) =>
  value === null ? '\\N' : typeof value === 'number' ? String(value) : value.replaceAll(/[\\\n\r\t]/g, (found) => escapes[found] ?? found)

/** Characters of one write. */
const chunk = 64_000

function* toChunks(rows: Iterable<readonly Value[]>): Generator<string> {
  let text = ''
  for (const row of rows) {
    text += `${row.map(toText).join('\t')}\n`
    if (text.length < chunk) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/**
 * Inserts many rows, five times as fast as a statement with the rows as JSON. JSON values are given as text.
 * @param columns the names of the database
 */
export async function copyRows(db: Queryable, name: string, columns: readonly string[], rows: Iterable<readonly Value[]>): Promise<void> {
  const { session } = db._
  if (!(session instanceof PostgresJsSession)) throw new Error('not a session of the driver')
  await copyInto(session.client as Sql | SqlTransaction, { name, columns }, toChunks(rows))
}
