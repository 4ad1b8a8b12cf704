import { and, eq } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { accounts, zones } from '#server/db/schema/index.ts'

/** A zone with its account's credential; `ownerId` null: whoever it belongs to. */
export async function findZoneWithAccount(db: Queryable, id: string, ownerId: string | null) {
  const [row] = await db
    .select({
      id: zones.id,
      ownerId: zones.ownerId,
      accountId: zones.accountId,
      groupId: zones.groupId,
      zoneId: zones.zoneId,
      name: zones.name,
      status: zones.status,
      providerStatus: zones.providerStatus,
      plan: zones.plan,
      paused: zones.paused,
      nameServers: zones.nameServers,
      recordsReadAt: zones.recordsReadAt,
      settingsReadAt: zones.settingsReadAt,
      goneAt: zones.goneAt,
      account: {
        id: accounts.id,
        email: accounts.email,
        kind: accounts.kind,
        apiKeySealed: accounts.apiKeySealed,
        providerUserId: accounts.providerUserId,
      },
    })
    .from(zones)
    .innerJoin(accounts, eq(accounts.id, zones.accountId))
    .where(ownerId === null ? eq(zones.id, id) : and(eq(zones.id, id), eq(zones.ownerId, ownerId)))
  return row ?? null
}
