import { eq, inArray } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { accounts, zones } from '#server/db/schema/index.ts'

/** The owner of a zone. */
export async function findZoneTarget(db: Queryable, id: string) {
  const [row] = await db
    .select({ ownerId: zones.ownerId, accountId: zones.accountId, groupId: zones.groupId })
    .from(zones)
    .where(eq(zones.id, id))
  return row ?? null
}

/** Keeps these zones from being deleted until the transaction ends; in one order, so that two transactions do not deadlock. */
export async function holdZones(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .select({ id: zones.id })
    .from(zones)
    .where(inArray(zones.id, [...ids]))
    .orderBy(zones.id)
    .for('key share')
}

/** Zones with their accounts' credentials, of any owner. */
export function listZonesWithAccounts(db: Queryable, ids: readonly string[]) {
  return db
    .select({
      id: zones.id,
      ownerId: zones.ownerId,
      accountId: zones.accountId,
      groupId: zones.groupId,
      providerZoneId: zones.providerZoneId,
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
    .where(inArray(zones.id, [...ids]))
}
