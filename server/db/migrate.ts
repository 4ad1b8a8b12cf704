import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as apply } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

const folder = fileURLToPath(new URL('../../drizzle', import.meta.url))
const lock = 7_201_540_311

const oldestVersion = 15

/** PostgreSQL has it from 18 on; before, the same in SQL. */
const uuidv7 = `
  create function public.uuidv7() returns uuid language sql volatile parallel safe as $$
    select encode(set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
  $$`

/**
 * Brings the database to this version. Processes that start together take turns.
 * @throws Error where the server is older than PostgreSQL 15
 */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 10 })
  try {
    await sql`select pg_advisory_lock(${lock})`
    const [server] = await sql<{ version: string; lacks: boolean }[]>`
      select current_setting('server_version') as version, to_regprocedure('uuidv7()') is null as lacks`
    if (server === undefined || Number.parseInt(server.version, 10) < oldestVersion) {
      throw new Error(`PostgreSQL ${oldestVersion} or newer is needed; this server is ${server?.version ?? 'unknown'}`)
    }
    if (server.lacks) await sql.unsafe(uuidv7)
    await apply(drizzle(sql), { migrationsFolder: folder })
  } finally {
    await sql.end({ timeout: 5 })
  }
}
