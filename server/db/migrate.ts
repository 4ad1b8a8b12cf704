import postgres from 'postgres'
import { checkRights } from '#server/db/check-rights.ts'
import type { SqlTransaction } from '#server/db/client.ts'
import { compareHistory, HistoryDiverged, listApplied, listMigrations } from '#server/db/migration-history.ts'
import type { Migration } from '#server/db/migration-history.ts'

const lock = 7_201_540_311

const oldestVersion = 15
/** How long a migration waits for a table in use before it yields and retries, because queries behind it wait too. */
const lockTimeoutMs = 5_000
const lockTries = 24
const lockNotAvailable = '55P03'
const dependedOn = '2BP01'

/** PostgreSQL has this function from version 18 on; before, the same in SQL. */
const uuidv7 = `
  create function public.uuidv7() returns uuid language sql volatile parallel safe as $$
    select encode(set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
  $$`

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === lockNotAvailable) || isLockTimeout(error.cause))

const isFull = (error: unknown): error is Error => error instanceof Error && 'code' in error && error.code === '53300'
const tooManyClients = ({ message }: Error) =>
  `PostgreSQL accepts no more connections (${message}). Raise max_connections, or the limit of the database or of its user: each process of the panel uses up to about 20.`

/** Creates the list of applied migrations where drizzle's own tools expect it. */
const historyTable = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`

async function applyMigrations(tx: SqlTransaction, migrations: readonly Migration[]): Promise<void> {
  for (const { statements, hash, createdAt } of migrations) {
    for (const statement of statements) await tx.unsafe(statement)
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${createdAt})`
  }
}

/** Applies missing migrations by their position in the list: generation times may be in another order after parallel development. */
async function bringUp(tx: SqlTransaction): Promise<void> {
  const history = compareHistory(await listApplied(tx))
  if (history.kind === 'diverged') throw new HistoryDiverged(history)
  if (history.kind === 'newer') return
  const missing = listMigrations().slice(history.count)
  if (missing.length === 0) return
  await tx.unsafe(historyTable)
  await applyMigrations(tx, missing)
}

/**
 * Migrates the database to this version; one of a newer version is unchanged. Concurrent processes take turns.
 * @throws HistoryDiverged if other migrations were applied to it than this version's
 * @throws Error if the server is older than PostgreSQL 15, is out of connections, or the user lacks rights; with what to do
 */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 10 })
  try {
    await sql`select pg_advisory_lock(${lock})`
    const [server] = await sql<{ version: string; lacks: boolean }[]>`
      select current_setting('server_version') as version, to_regprocedure('uuidv7()') is null as lacks`
    if (server === undefined || Number.parseInt(server.version, 10) < oldestVersion) {
      throw new Error(`PostgreSQL ${oldestVersion} or newer is required; this server is ${server?.version ?? 'unknown'}`)
    }
    await checkRights(sql)
    if (server.lacks) await sql.unsafe(uuidv7)
    await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, false)`
    for (let tries = 1; ; tries += 1) {
      try {
        await sql.begin(bringUp)
        return
      } catch (error) {
        if (!isLockTimeout(error) || tries === lockTries) throw error
      }
    }
  } catch (error) {
    throw isFull(error) ? new Error(tooManyClients(error), { cause: error }) : error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

interface DatabaseObject {
  readonly what: 'table' | 'view' | 'materialized view' | 'sequence' | 'routine' | 'type'
  /** As written in statements; for a routine with its argument types. */
  readonly name: string
}

/** What this user may drop in `public`, except extensions and parts of other objects. */
const objectsQuery = `
  select what, name from (
    select 1 as turn, case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as what,
      oid::regclass::text as name, 'pg_class'::regclass as catalog, oid, relowner as owner
      from pg_class where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition
    union all select 2, 'routine', oid::regprocedure::text, 'pg_proc'::regclass, oid, proowner from pg_proc where pronamespace = to_regnamespace('public')
    union all select 3, 'type', oid::regtype::text, 'pg_type'::regclass, oid, typowner from pg_type
      where typnamespace = to_regnamespace('public') and typtype in ('e', 'd')
  ) things
  where pg_has_role(owner, 'usage') and not exists (select from pg_depend d where d.classid = things.catalog and d.objid = things.oid and d.refobjid <> d.objid and d.deptype in ('e', 'i', 'a'))
  order by turn, name`

const made = /\bcreate (?:or replace )?(?:table|function|type) (?:if not exists )?(?:"?public"?\.)?"?(\w+)/gi

/** Names created by migrations, including objects dropped since. */
const listMade = (): ReadonlySet<string> =>
  new Set(
    [uuidv7, ...listMigrations().flatMap(({ statements }) => statements)].flatMap((statement) =>
      [...statement.matchAll(made)].map(([, name = '']) => name),
    ),
  )

async function listObjects(
  tx: SqlTransaction,
): Promise<{ readonly own: readonly DatabaseObject[]; readonly foreign: readonly DatabaseObject[] }> {
  const names = listMade()
  const found = await tx.unsafe<DatabaseObject[]>(objectsQuery)
  const isOwn = ({ name }: DatabaseObject) => names.has(name.replace(/\(.*$/s, '').replace(/^public\./, ''))
  return { own: found.filter(isOwn), foreign: found.filter((object) => !isOwn(object)) }
}

/** Objects in `public` that this user may drop and the panel did not create; such as `view by_day`. */
export const listForeign = async (tx: SqlTransaction): Promise<string[]> =>
  (await listObjects(tx)).foreign.map(({ what, name }) => `${what} ${name}`)

/** The schema stays, with its rights. If foreign objects depend on the panel's tables, nothing is dropped. */
async function dropOwn(tx: SqlTransaction): Promise<void> {
  const { own } = await listObjects(tx)
  const tables = own.filter(({ what }) => what === 'table').map(({ name }) => name)
  const others = own.filter(({ what }) => what !== 'table').map(({ what, name }) => `drop ${what} ${name}`)
  try {
    // In one statement, because they reference each other.
    for (const statement of [...(tables.length === 0 ? [] : [`drop table ${tables.join(', ')}`]), ...others]) await tx.unsafe(statement)
  } catch (error) {
    if (!(error instanceof postgres.PostgresError && error.code === dependedOn)) throw error
    throw new Error(`other objects depend on the panel's tables; drop them first: ${error.detail ?? ''}`, { cause: error })
  }
}

/**
 * Drops everything of the panel and creates the tables as after the first `count` migrations, while no process migrates. For restoring data
 * of an older version, which is migrated afterwards.
 * @throws Error if foreign objects depend on the panel's tables
 */
export async function rebuild(tx: SqlTransaction, count: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${lock})`
  await dropOwn(tx)
  await tx.unsafe(`drop table if exists drizzle.__drizzle_migrations; ${historyTable}`)
  const [server] = await tx<{ lacks: boolean }[]>`select to_regprocedure('pg_catalog.uuidv7()') is null as lacks`
  if (server?.lacks === true) await tx.unsafe(uuidv7)
  await applyMigrations(tx, listMigrations().slice(0, count))
}
