import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { accounts, groups, zones } from '#server/db/schema/index.ts'

/** An account with its credential; `ownerId` null: whoever it belongs to. */
export async function findAccount(db: Queryable, id: string, ownerId: string | null) {
  const [row] = await db
    .select({
      id: accounts.id,
      ownerId: accounts.ownerId,
      email: accounts.email,
      kind: accounts.kind,
      apiKeySealed: accounts.apiKeySealed,
      providerUserId: accounts.providerUserId,
    })
    .from(accounts)
    .where(ownerId === null ? eq(accounts.id, id) : and(eq(accounts.id, id), eq(accounts.ownerId, ownerId)))
  return row ?? null
}
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** The provider's accounts in which this one has zones; two are enough to know that there are several. */
export async function listProviderAccounts(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: zones.providerAccountId })
    .from(zones)
    .where(and(eq(zones.accountId, accountId), sql`${zones.providerAccountId} is not null`))
    .limit(2)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** The owner's zones of that name. */
export async function listByName(db: Queryable, ownerId: string, name: string) {
  return db
    .select({ id: zones.id, accountId: zones.accountId, accountEmail: zones.accountEmail, createdAt: zones.providerCreatedAt })
    .from(zones)
    .where(and(eq(zones.ownerId, ownerId), eq(zones.name, name), isNull(zones.goneAt)))
}

/** By the provider's id. */
export async function findZoneId(db: Queryable, ownerId: string, zoneId: string): Promise<string | null> {
  const [row] = await db
    .select({ id: zones.id })
    .from(zones)
    .where(and(eq(zones.ownerId, ownerId), eq(zones.zoneId, zoneId)))
  return row?.id ?? null
}

export async function hasGroup(db: Queryable, ownerId: string, groupId: string): Promise<boolean> {
  const rows = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, groupId), eq(groups.ownerId, ownerId)))
  return rows.length > 0
}
