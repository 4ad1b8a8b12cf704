import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { dnsRecords, zones } from '#server/db/schema/index.ts'
import type { HostedRecord } from '#server/ports/dns-host.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'

const columns = {
  recordId: dnsRecords.recordId,
  type: dnsRecords.type,
  name: dnsRecords.name,
  content: dnsRecords.content,
  ttl: dnsRecords.ttl,
  proxied: dnsRecords.proxied,
  proxiable: dnsRecords.proxiable,
  priority: dnsRecords.priority,
  comment: dnsRecords.comment,
  tags: dnsRecords.tags,
  data: dnsRecords.data,
  modifiedAt: dnsRecords.modifiedAt,
}
type Row = { readonly [K in keyof typeof columns]: (typeof dnsRecords.$inferSelect)[K] }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const viewOf = (row: Row): DnsRecord => toDnsRecord({ ...row, data: isObject(row.data) ? row.data : null })

/** All records of a zone by name, type and content; `readAt` is null before the first reading. */
export async function listMirror(db: Queryable, domainId: string): Promise<{ records: DnsRecord[]; readAt: Date | null }> {
  const [[zone], rows] = await Promise.all([
    db.select({ readAt: zones.recordsReadAt }).from(zones).where(eq(zones.id, domainId)),
    db
      .select(columns)
      .from(dnsRecords)
      .where(eq(dnsRecords.domainId, domainId))
      .orderBy(asc(dnsRecords.name), asc(dnsRecords.type), asc(dnsRecords.content)),
  ])
  return { records: rows.map(viewOf), readAt: zone?.readAt ?? null }
}

/** Records of several zones, as last read; zones that were never read are left out. */
export async function listMirrors(db: Queryable, domainIds: readonly string[]) {
  if (domainIds.length === 0) return []
  const found = await db
    .select({
      id: zones.id,
      ownerId: zones.ownerId,
      accountId: zones.accountId,
      groupId: zones.groupId,
      name: zones.name,
      readAt: zones.recordsReadAt,
    })
    .from(zones)
    .where(and(inArray(zones.id, [...domainIds]), isNotNull(zones.recordsReadAt)))
    .orderBy(asc(zones.name))
  const rows = await db
    .select({ domainId: dnsRecords.domainId, ...columns })
    .from(dnsRecords)
    .where(inArray(dnsRecords.domainId, [...domainIds]))
    .orderBy(asc(dnsRecords.name), asc(dnsRecords.type), asc(dnsRecords.content))
  const records = Map.groupBy(rows, ({ domainId }) => domainId)
  return found.map((zone) => ({ zone, records: (records.get(zone.id) ?? []).map(viewOf) }))
}

export interface NamedRecords {
  readonly domainId: string
  readonly recordIds: readonly string[]
}

/** Records by id, per zone; ids that are not in the mirror are left out. */
export async function listByIds(db: Queryable, named: readonly NamedRecords[]): Promise<Map<string, DnsRecord>[]> {
  const wanted = named.flatMap(({ domainId, recordIds }) => recordIds.map((recordId) => ({ domainId, recordId })))
  const found = new Map(named.map(({ domainId }) => [domainId, new Map<string, DnsRecord>()]))
  if (wanted.length > 0) {
    const rows = await db
      .select({ domainId: dnsRecords.domainId, ...columns })
      .from(dnsRecords)
      .where(sql`(${dnsRecords.domainId}, ${dnsRecords.recordId}) in (select * from ${pairs(wanted)})`)
    for (const { domainId, ...row } of rows) found.get(domainId)?.set(row.recordId, viewOf(row))
  }
  return named.map(({ domainId }) => found.get(domainId) ?? new Map<string, DnsRecord>())
}

const pairs = (list: readonly { readonly domainId: string; readonly recordId: string }[]) =>
  sql`unnest(${sql.param(list.map(({ domainId }) => domainId))}::uuid[], ${sql.param(list.map(({ recordId }) => recordId))}::text[])`

const writtenPerBatch = 1_000

interface WrittenRecords {
  readonly domainId: string
  /** Ids of deleted records. */
  readonly deleted: readonly string[]
  readonly written: readonly HostedRecord[]
}

/** Writes the provider's answers into the mirror, whatever a reading in between lacked. The zones' rows are locked first, as in a sync. */
export async function storeRecords(db: Queryable, all: readonly WrittenRecords[]): Promise<void> {
  const ids = all.map(({ domainId }) => domainId)
  const gone = all.flatMap(({ domainId, deleted }) => deleted.map((recordId) => ({ domainId, recordId })))
  const rows = all.flatMap(({ domainId, written }) => written.map((record) => ({ ...record, domainId })))
  const starts = Array.from({ length: Math.ceil(rows.length / writtenPerBatch) }, (_, index) => index * writtenPerBatch)
  await Promise.all([
    db.execute(sql`select id from zones where id = any(${sql.param(ids)}::uuid[]) order by id for no key update`),
    ...(gone.length === 0 ? [] : [db.execute(sql`delete from dns_records where (zone_id, record_id) in (select * from ${pairs(gone)})`)]),
    db.execute(sql`
      with found as (
        delete from missing_records where (zone_id, record_id) in (select * from ${pairs([...gone, ...rows])}) returning zone_id
      ),
      counted as (select zone_id, count(*)::int as found from found group by zone_id),
      ended as (delete from record_disappearances h using counted c where h.zone_id = c.zone_id and h.missing <= c.found)
      update record_disappearances h set missing = h.missing - c.found from counted c where h.zone_id = c.zone_id and h.missing > c.found`),
    // Written by hand: drizzle would use thousands of parameters for many rows.
    ...starts.map((start) =>
      db.execute(sql`
        insert into dns_records (zone_id, record_id, type, name, content, ttl, proxied, proxiable, priority, comment, tags, data, modified_at)
        select * from json_to_recordset(${JSON.stringify(rows.slice(start, start + writtenPerBatch))}::text::json) as r (
          "domainId" uuid, "recordId" text, type text, name text, content text, ttl int, proxied boolean, proxiable boolean, priority int,
          comment text, tags text[], data jsonb, "modifiedAt" timestamptz)
        on conflict (zone_id, record_id) do update set type = excluded.type, name = excluded.name, content = excluded.content,
          ttl = excluded.ttl, proxied = excluded.proxied, proxiable = excluded.proxiable, priority = excluded.priority,
          comment = excluded.comment, tags = excluded.tags, data = excluded.data, modified_at = excluded.modified_at`),
    ),
  ])
}

/** Records are about to be deleted, or were not deleted. The zones' rows are locked first, as in a sync. */
export async function markDeletions(db: Queryable, all: readonly (NamedRecords & { readonly isSent: boolean })[]): Promise<void> {
  const ids = all.map(({ domainId }) => domainId)
  const named = (isSent: boolean) =>
    all.flatMap((each) => (each.isSent === isSent ? each.recordIds.map((recordId) => ({ domainId: each.domainId, recordId })) : []))
  await Promise.all([
    db.execute(sql`select id from zones where id = any(${sql.param(ids)}::uuid[]) order by id for no key update`),
    db.execute(sql`update dns_records set deletion_sent_at = now() where (zone_id, record_id) in (select * from ${pairs(named(true))})`),
    db.execute(sql`update dns_records set deletion_sent_at = null where (zone_id, record_id) in (select * from ${pairs(named(false))})`),
  ])
}

/** Ids of all records of a zone, with those that the provider no longer lists. */
export async function listKnownIds(db: Queryable, domainId: string): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select record_id as id from dns_records where zone_id = ${domainId}::uuid
    union all select record_id from missing_records where zone_id = ${domainId}::uuid`)
  return new Set(rows.map(({ id }) => id))
}

/** The fields of all records that the zones' own columns are computed from. */
export const listCounted = (db: Queryable, domainIds: readonly string[]) =>
  db
    .select({ domainId: dnsRecords.domainId, type: dnsRecords.type, content: dnsRecords.content, proxied: dnsRecords.proxied })
    .from(dnsRecords)
    .where(inArray(dnsRecords.domainId, [...domainIds]))

/** The list columns derived from the zones' records. */
export async function updateSummaries(
  db: Queryable,
  summaries: readonly {
    readonly id: string
    readonly records_count: number
    readonly proxied_count: number
    readonly origin_ips: readonly string[]
  }[],
): Promise<void> {
  await db.execute(sql`
    update zones z set records_count = s.records_count, proxied_count = s.proxied_count, origin_ips = s.origin_ips,
      provider_modified_at = greatest(z.provider_modified_at, now())
    from json_to_recordset(${JSON.stringify(summaries)}::text::json) as s (id uuid, records_count int, proxied_count int, origin_ips text[])
    where z.id = s.id`)
}

/** Marks the mirror as doubtful: the next sync reads the records again. */
export async function markDoubtful(db: Queryable, domainId: string): Promise<void> {
  await db
    .update(zones)
    .set({ recordsDueAt: sql`now()`, detailFailures: 0 })
    .where(eq(zones.id, domainId))
}

/** A provider record in the panel's public form. */
export const toDnsRecord = ({ recordId, modifiedAt, ...record }: HostedRecord): DnsRecord => ({
  ...record,
  id: recordId,
  tags: [...record.tags],
  data: record.data === null ? null : { ...record.data },
  modifiedAt: modifiedAt?.toISOString() ?? null,
})
