import { eq, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { users } from '#server/db/schema/index.ts'

export async function findReadUntil(db: Queryable, userId: string): Promise<Date | null> {
  const [row] = await db.select({ until: users.notificationsReadUntil }).from(users).where(eq(users.id, userId))
  return row?.until ?? null
}

/** Never back, as when another tab saw less. */
export async function moveReadUntil(db: Queryable, userId: string, until: Date): Promise<void> {
  await db
    .update(users)
    .set({ notificationsReadUntil: sql`greatest(${users.notificationsReadUntil}, ${until.toISOString()}::timestamptz)` })
    .where(eq(users.id, userId))
}
