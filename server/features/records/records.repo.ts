import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { dnsRecords, zones } from '#server/db/schema/index.ts'
import type { HostedRecord } from '#server/ports/dns-host.ts'
import type { DnsRecord } from '#shared/features/records/schema.ts'
import { toDnsRecord } from './record-view.ts'

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

/** All of a zone, by name, type and content; `readAt` null before the first reading. */
export async function listMirror(db: Queryable, zoneId: string): Promise<{ records: DnsRecord[]; readAt: Date | null }> {
  const [[zone], rows] = await Promise.all([
    db.select({ readAt: zones.recordsReadAt }).from(zones).where(eq(zones.id, zoneId)),
    db
      .select(columns)
      .from(dnsRecords)
      .where(eq(dnsRecords.zoneId, zoneId))
      .orderBy(asc(dnsRecords.name), asc(dnsRecords.type), asc(dnsRecords.content)),
  ])
  return { records: rows.map(viewOf), readAt: zone?.readAt ?? null }
}

/** By their ids; what the mirror does not have is left out. */
export async function listByIds(db: Queryable, zoneId: string, recordIds: readonly string[]): Promise<Map<string, DnsRecord>> {
  if (recordIds.length === 0) return new Map()
  const rows = await db
    .select(columns)
    .from(dnsRecords)
    .where(and(eq(dnsRecords.zoneId, zoneId), inArray(dnsRecords.recordId, [...new Set(recordIds)])))
  return new Map(rows.map((row) => [row.recordId, viewOf(row)]))
}

const writtenAtOnce = 1_000

/** Writes what the provider answered into the mirror. The zone's row is taken first, as a sync does. */
export async function storeRecords(
  db: Queryable,
  zoneId: string,
  deleted: readonly string[],
  written: readonly HostedRecord[],
): Promise<void> {
  await db.select({ id: zones.id }).from(zones).where(eq(zones.id, zoneId)).for('no key update')
  if (deleted.length > 0) {
    await db.delete(dnsRecords).where(and(eq(dnsRecords.zoneId, zoneId), inArray(dnsRecords.recordId, [...deleted])))
  }
  for (let start = 0; start < written.length; start += writtenAtOnce) {
    const rows = written.slice(start, start + writtenAtOnce).map((record) => ({ ...record, zoneId, tags: [...record.tags] }))
    const { recordId: _id, ...changing } = columns
    const set = Object.fromEntries(Object.entries(changing).map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]))
    await db
      .insert(dnsRecords)
      .values(rows)
      .onConflictDoUpdate({ target: [dnsRecords.zoneId, dnsRecords.recordId], set })
  }
}

/** As much of all records as the zone's own columns are made of. */
export const listCounted = (db: Queryable, zoneId: string) =>
  db
    .select({ type: dnsRecords.type, content: dnsRecords.content, proxied: dnsRecords.proxied })
    .from(dnsRecords)
    .where(eq(dnsRecords.zoneId, zoneId))

/** What lists show of the zone's records. */
export async function updateSummary(
  db: Queryable,
  zoneId: string,
  summary: Pick<typeof zones.$inferInsert, 'recordsCount' | 'proxiedCount' | 'originIps'>,
): Promise<void> {
  await db.update(zones).set(summary).where(eq(zones.id, zoneId))
}

/** The mirror may not be true: the next sync reads the records again. */
export async function markDoubtful(db: Queryable, zoneId: string): Promise<void> {
  await db
    .update(zones)
    .set({ recordsDueAt: sql`now()`, detailFailures: 0 })
    .where(eq(zones.id, zoneId))
}
