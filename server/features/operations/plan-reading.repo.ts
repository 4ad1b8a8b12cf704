import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#server/db/client.ts'
import { accounts, groups, zones } from '#server/db/schema/index.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import type { ItemAccount, PlanZone } from './planned.ts'

/** Zones by name with the data for planning, of any owner. Accounts of one Cloudflare user share a concurrency key. */
export async function listPlanZones(db: Database, ids: readonly string[]): Promise<PlanZone[]> {
  const rows = await db.orm
    .select({
      id: zones.id,
      ownerId: zones.ownerId,
      accountId: zones.accountId,
      groupId: zones.groupId,
      accountEmail: accounts.email,
      lane: sql<string>`coalesce(${accounts.providerUserId}, ${accounts.id}::text)`,
      name: zones.name,
      status: sql<string>`${zones.status}`,
      isGone: sql<boolean>`${zones.goneAt} is not null`,
      recordsRead: sql<boolean>`${zones.recordsReadAt} is not null`,
      missingNames: sql<string[]>`array(select distinct m.record ->> 'name' from missing_records m where m.zone_id = ${zones.id})`,
      trackerBound: sql<boolean>`${zones.trackerType} is not null`,
    })
    .from(zones)
    .innerJoin(accounts, eq(accounts.id, zones.accountId))
    .where(sql`${zones.id} = any(${sql.param([...ids])}::uuid[])`)
    .orderBy(asc(zones.name), asc(zones.id))
  return rows
}

/** The existing accounts among these, of any owner. */
export async function listCreationAccounts(db: Database, ids: readonly string[]): Promise<(ItemAccount & { readonly ownerId: string })[]> {
  return db.orm
    .select({
      accountId: accounts.id,
      ownerId: accounts.ownerId,
      accountEmail: accounts.email,
      lane: sql<string>`coalesce(${accounts.providerUserId}, ${accounts.id}::text)`,
    })
    .from(accounts)
    .where(inArray(accounts.id, [...ids]))
}

/** Records of many zones from the mirror. */
export async function listMirrors({ sql: pool }: Database, domainIds: readonly string[]): Promise<Map<string, DnsRecord[]>> {
  const rows = await pool<(DnsRecord & { domainId: string; recordId: string; modifiedAt: string | null })[]>`
    select zone_id, record_id, type, name, content, ttl, proxied, proxiable, priority, comment, tags, data, modified_at
    from dns_records where zone_id = any(${[...domainIds]}::uuid[]) order by name, type, content, record_id`
  const byZone = new Map<string, DnsRecord[]>()
  for (const { domainId, recordId, modifiedAt, ...record } of rows) {
    const list = byZone.get(domainId) ?? []
    list.push({ ...record, id: recordId, modifiedAt: modifiedAt === null ? null : new Date(modifiedAt).toISOString() })
    byZone.set(domainId, list)
  }
  return byZone
}

export async function listGroupsOf(db: Database, domainIds: readonly string[], targetId: string | null) {
  const rows = await db.orm
    .select({ domainId: zones.id, id: groups.id, name: groups.name })
    .from(zones)
    .innerJoin(groups, eq(groups.id, zones.groupId))
    .where(sql`${zones.id} = any(${sql.param([...domainIds])}::uuid[])`)
  const target = targetId === null ? [] : await db.orm.select().from(groups).where(eq(groups.id, targetId))
  return { groups: new Map(rows.map(({ domainId, ...group }) => [domainId, group])), target: target[0] ?? null }
}

export async function listRecordCounts(db: Database, domainIds: readonly string[]): Promise<Map<string, number | null>> {
  const rows = await db.orm
    .select({ id: zones.id, count: zones.recordsCount })
    .from(zones)
    .where(sql`${zones.id} = any(${sql.param([...domainIds])}::uuid[])`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
