import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'

/** Delivered at commit if `db` is a transaction. */
export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`)
}
