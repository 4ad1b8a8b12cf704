import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as apply } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

const folder = fileURLToPath(new URL('../../drizzle', import.meta.url))
const lock = 7_201_540_311

/** Brings the database to this version. Processes that start together take turns. */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 10 })
  try {
    await sql`select pg_advisory_lock(${lock})`
    await apply(drizzle(sql), { migrationsFolder: folder })
  } finally {
    await sql.end({ timeout: 5 })
  }
}
