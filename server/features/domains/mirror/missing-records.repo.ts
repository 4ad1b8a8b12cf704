import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { toJson } from '#server/db/client.ts'
import type { Queryable, RawRow, SqlTransaction, Transaction } from '#server/db/client.ts'
import type { recordDisappearances } from '#server/db/schema/index.ts'
import { mostConfirmations, nextListSeconds } from '#shared/features/sync/disappearances/confirmations.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import type { RecordDisappearance } from '#shared/features/sync/disappearances/schema.ts'
import type { DomainId } from '#shared/ids.ts'

/** A row of `dns_records` as stored in the history. */
export const recordJson = (row: string) => `jsonb_build_object('id', (${row}).record_id, 'type', (${row}).type, 'name', (${row}).name,
  'content', (${row}).content, 'ttl', (${row}).ttl, 'proxied', (${row}).proxied, 'proxiable', (${row}).proxiable,
  'priority', (${row}).priority, 'comment', (${row}).comment, 'tags', to_jsonb((${row}).tags), 'data', (${row}).data,
  'modifiedAt', to_char((${row}).modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** The row of `dns_records` that a missing record was. */
const recordOf = sql.raw(recordJson('jsonb_populate_record(null::dns_records, m.record)'))

type Row = RawRow<typeof recordDisappearances, 'missing' | 'known' | 'confirmations' | 'keptBy'> & {
  foundAt: string
  confirmedAt: string | null
  keptAt: string | null
}
const iso = (at: string | null) => (at === null ? null : new Date(at).toISOString())
const columns = sql`h.missing, h.known, h.confirmations, h.kept_by, h.found_at, h.confirmed_at, h.kept_at`

const toDisappearance = (row: Row): RecordDisappearance => ({
  foundAt: new Date(row.foundAt).toISOString(),
  missing: row.missing,
  known: row.known,
  confirmations: row.confirmations,
  confirmedAt: iso(row.confirmedAt),
  keptAt: iso(row.keptAt),
  keptBy: row.keptBy,
})

/** The records of a zone that the provider no longer lists, by name; null if none is missing, or the zone is gone. */
export async function findMissingRecords(
  db: Queryable,
  domainId: string,
): Promise<(RecordDisappearance & { records: DnsRecord[] }) | null> {
  const [row] = await db.execute<Row & { records: DnsRecord[] }>(sql`
    select ${columns}, (select coalesce(jsonb_agg(${recordOf} order by m.record ->> 'name', m.record ->> 'type', m.record ->> 'content'), '[]')
      from missing_records m where m.zone_id = h.zone_id) as records
    from record_disappearances h join zones z on z.id = h.zone_id where h.zone_id = ${domainId}::uuid and z.gone_at is null`)
  return row === undefined ? null : { ...toDisappearance(row), records: row.records }
}

/** The records that the provider no longer lists, by zone; also of zones that are gone. */
export async function listMissingByZone(db: Queryable, domainIds: readonly string[]): Promise<Map<string, DnsRecord[]>> {
  const rows = await db.execute<{ id: string; records: DnsRecord[] }>(sql`
    select m.zone_id as id, jsonb_agg(${recordOf} order by m.record ->> 'name', m.record ->> 'type', m.record ->> 'content') as records
    from missing_records m where m.zone_id = any(${sql.param([...domainIds])}::uuid[]) group by m.zone_id`)
  return new Map(rows.map(({ id, records }) => [id, records]))
}

/** The domains of an account with missing records that nobody has decided about, the first ones in alphabetical order, and the total. */
export async function listMissingRecordDomains(db: Queryable, accountId: string, limit: number) {
  const rows = await db.execute<Row & { id: DomainId; name: string; total: number }>(sql`
    select z.id, z.name, ${columns}, count(*) over ()::int as total from record_disappearances h join zones z on z.id = h.zone_id
    where z.account_id = ${accountId}::uuid and z.gone_at is null and h.kept_at is null order by z.name, z.id limit ${limit}`)
  return { domains: rows.map((row) => ({ ...toDisappearance(row), id: row.id, name: row.name })), total: rows[0]?.total ?? 0 }
}

/** What a person decides about. */
export interface MissingRecords {
  readonly id: DomainId
  readonly name: string
  readonly missing: number
  readonly foundAt: string
  /** Somebody has decided to keep them. */
  readonly keptAt: string | null
}

const listDecidable = async (db: Queryable, zones: SQL): Promise<MissingRecords[]> => {
  const rows = await db.execute<MissingRecords & Record<string, unknown>>(sql`
    select z.id, z.name, h.missing, h.found_at, h.kept_at from record_disappearances h join zones z on z.id = h.zone_id
    where ${zones} and z.gone_at is null order by z.id`)
  return rows.map((row) => ({ ...row, foundAt: new Date(row.foundAt).toISOString(), keptAt: iso(row.keptAt) }))
}

/** Those of an account, or of some of its domains, that nobody has decided about. */
export const listUndecided = (db: Queryable, accountId: string, domainIds: readonly string[] | undefined) =>
  listDecidable(
    db,
    domainIds === undefined
      ? sql`z.account_id = ${accountId}::uuid and h.kept_at is null`
      : sql`z.account_id = ${accountId}::uuid and h.kept_at is null and z.id = any(${sql.param([...domainIds])}::uuid[])`,
  )

/** Locks the zones first, as every writer of records does, so that no reading changes what is decided about. */
export async function lockMissingRecords(tx: Transaction, domainIds: readonly string[]): Promise<MissingRecords[]> {
  const ids = sql`any(${sql.param([...domainIds])}::uuid[])`
  await tx.execute(sql`select id from zones where id = ${ids} order by id for no key update`)
  return listDecidable(tx, sql`z.id = ${ids}`)
}

/** How often a zone with confirmed missing records, or with kept ones, is read. */
const laterSeconds = 6 * 3_600

/** After a reading: counts what is still missing, ends or confirms it, and makes the zone due again, whether or not it changes. */
export async function followMissing(tx: SqlTransaction, batch: readonly { readonly id: DomainId; readonly asOf: string }[]): Promise<void> {
  const next = tx.unsafe(`interval '${nextListSeconds} seconds'`)
  await tx`
    with counted as materialized (
      select h.zone_id, count(m.record_id)::int as missing,
        h.kept_at is null and h.confirmations < ${mostConfirmations} and r.as_of >= coalesce(h.confirmed_at, h.found_at) + ${next} as is_confirmed
      from json_to_recordset(${toJson(batch.map(({ id, asOf }) => ({ zone_id: id, as_of: asOf })))}::text::json) as r (zone_id uuid, as_of timestamptz)
      join record_disappearances h on h.zone_id = r.zone_id
      -- A discarded reading says nothing.
      join zones z on z.id = r.zone_id and z.records_read_at = now()::timestamptz(3)
      left join missing_records m on m.zone_id = r.zone_id
      group by h.zone_id, r.as_of
    ),
    ended as (delete from record_disappearances h using counted c where h.zone_id = c.zone_id and c.missing = 0),
    followed as (
      update record_disappearances h set missing = c.missing, confirmations = h.confirmations + c.is_confirmed::int,
        confirmed_at = case when c.is_confirmed then now() else h.confirmed_at end
      from counted c where h.zone_id = c.zone_id and c.missing > 0
      returning h.zone_id, h.kept_at is null and h.confirmations < ${mostConfirmations} as is_open, coalesce(h.confirmed_at, h.found_at) as last_at
    )
    -- A second later, because the time before a reading is rounded.
    update zones z set records_due_at = least(z.records_due_at,
      case when f.is_open then f.last_at + ${next} + interval '1 second' else now() + ${laterSeconds} * interval '1 second' end)
    from followed f where z.id = f.zone_id`
}

/** Records that the missing ones were deleted outside, and makes the zones due. The zones are locked. @returns how many there were */
export async function removeMissingRecords(tx: Transaction, domainIds: readonly string[]): Promise<number> {
  const [row] = await tx.execute<{ n: number }>(sql`
    with zone as materialized (
      select z.id, uuidv7() as batch_id from zones z where z.id = any(${sql.param([...domainIds])}::uuid[])
    ),
    ended as (delete from record_disappearances where zone_id in (select id from zone)),
    recorded as (
      insert into zone_changes (zone_id, source, subject, key, label, before, batch_id)
      select zone.id, 'outside'::change_source, 'record'::change_subject, m.record_id, (m.record ->> 'type') || ' ' || (m.record ->> 'name'),
        ${recordOf}, zone.batch_id
      from missing_records m join zone on zone.id = m.zone_id
      returning id
    ),
    changed as (
      update zones set provider_modified_at = greatest(provider_modified_at, now()), records_due_at = least(records_due_at, now())
      where id in (select id from zone)
    )
    select count(*)::int as n from recorded`)
  return row?.n ?? 0
}

/** The zones are locked. */
export async function keepMissingRecords(tx: Transaction, domainIds: readonly string[], by: string): Promise<void> {
  await tx.execute(sql`
    update record_disappearances set kept_at = now(), kept_by = ${by} where zone_id = any(${sql.param([...domainIds])}::uuid[])`)
}
