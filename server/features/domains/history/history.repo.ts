import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { groups, zoneChanges } from '#server/db/schema/index.ts'
import type { ZoneChange } from '#shared/features/domains/history/schema.ts'

const columns = {
  id: zoneChanges.id,
  at: zoneChanges.at,
  source: zoneChanges.source,
  actorId: zoneChanges.actorId,
  actorName: zoneChanges.actorName,
  subject: zoneChanges.subject,
  key: zoneChanges.key,
  label: zoneChanges.label,
  before: zoneChanges.before,
  after: zoneChanges.after,
  batchId: zoneChanges.batchId,
  revertsId: zoneChanges.revertsId,
  // A revert refers to the oldest entry that it undoes; later entries of the same subject are undone with it. A resource that was created
  // again has a new key, with which the revert starts or ends.
  revertedById: sql<string | null>`(
    select r.id from zone_changes r join zone_changes o on o.id = r.reverts_id
    where r.zone_id = zone_changes.zone_id and r.reverts_id is not null and r.subject = zone_changes.subject
      and (r.at, r.id) > (zone_changes.at, zone_changes.id) and (o.at, o.id) <= (zone_changes.at, zone_changes.id)
      and (o.id = zone_changes.id or zone_changes.key in (o.key, r.key, r.before ->> 'id'))
    order by r.at desc, r.id desc limit 1)`,
}

const toEntry = ({ at, actorId, actorName, ...row }: Awaited<ReturnType<typeof select>>[number]): ZoneChange => ({
  ...row,
  at: at.toISOString(),
  actor: actorName === null ? null : { id: actorId, name: actorName },
})

const select = (db: Queryable, where: SQL | undefined, limit: number) =>
  db.select(columns).from(zoneChanges).where(where).orderBy(desc(zoneChanges.at), desc(zoneChanges.id)).limit(limit)

interface HistoryPage {
  readonly subject?: ZoneChange['subject'] | undefined
  readonly source?: ZoneChange['source'] | undefined
  /** The last entry of the previous page. */
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

/** A zone's entries, newest first. */
export async function listEntries(db: Queryable, domainId: string, page: HistoryPage): Promise<ZoneChange[]> {
  const { after } = page
  const rows = await select(
    db,
    and(
      eq(zoneChanges.domainId, domainId),
      page.subject === undefined
        ? undefined
        : inArray(zoneChanges.subject, page.subject === 'rule' ? ['rule', 'rule_order'] : [page.subject]),
      page.source === undefined ? undefined : eq(zoneChanges.source, page.source),
      after === null ? undefined : sql`(${zoneChanges.at}, ${zoneChanges.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
    ),
    page.limit,
  )
  return rows.map(toEntry)
}

/** The zone's entries among `ids`, newest first. */
export async function listEntriesByIds(db: Queryable, domainId: string, ids: readonly string[]): Promise<ZoneChange[]> {
  const rows = await select(db, and(eq(zoneChanges.domainId, domainId), inArray(zoneChanges.id, [...ids])), ids.length)
  return rows.map(toEntry)
}

/** Rules of IP access that a revert created again: their ids, each with the id of the rule that it restored. */
export async function listRestoredIpRules(db: Queryable, domainId: string): Promise<Map<string, string>> {
  const rows = await db.execute<{ key: string; former: string }>(sql`
    select r.key, o.key as former from zone_changes r join zone_changes o on o.id = r.reverts_id
    where r.zone_id = ${domainId} and r.subject = 'ip_rule' and r.before is null and r.key <> o.key`)
  return new Map(rows.map(({ key, former }) => [key, former]))
}

export async function listGroupIds(db: Queryable, ownerId: string): Promise<Set<string>> {
  const rows = await db.select({ id: groups.id }).from(groups).where(eq(groups.ownerId, ownerId))
  return new Set(rows.map((row) => row.id))
}

/** What one batch (an operation) changed in these zones, by zone, newest first. */
export async function listBatch(db: Queryable, batchId: string, domainIds: readonly string[]): Promise<Map<string, ZoneChange[]>> {
  const rows = await db
    .select({ domainId: zoneChanges.domainId, ...columns })
    .from(zoneChanges)
    .where(and(sql`${zoneChanges.domainId} = any(${sql.param([...domainIds])}::uuid[])`, eq(zoneChanges.batchId, batchId)))
    .orderBy(desc(zoneChanges.at), desc(zoneChanges.id))
  const byZone = new Map<string, ZoneChange[]>()
  for (const { domainId, ...row } of rows) byZone.set(domainId, [...(byZone.get(domainId) ?? []), toEntry(row)])
  return byZone
}
