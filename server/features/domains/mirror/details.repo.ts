import { and, eq, exists, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Database, Queryable, SqlTransaction } from '#server/db/client.ts'
import { profiles, zoneProfiles, zoneRulesets, zones } from '#server/db/schema/index.ts'
import { toJson } from '#server/db/client.ts'
import type { HostedRecord } from '#server/ports/dns-host.ts'
import { believedLoss } from '#shared/features/sync/disappearances/confirmations.ts'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'
import { followMissing, recordJson } from './missing-records.repo.ts'

export type DetailPart = 'records' | 'settings'
export interface DetailItem {
  /** The panel's id of the zone, and the provider's. */
  readonly id: DomainId
  readonly providerZoneId: ProviderZoneId
  readonly part: DetailPart
  /** The due time at the start; if the part becomes due again in the meantime, it stays due. Null if it was not due. */
  readonly due: string | null
  /** Database time before the reading, which counts only if the part has not been written since. */
  readonly asOf: string
}

/** The rules of a zone are read like a detail, but for some zones only, and at an interval. */
export type DueItem = DetailItem | (Omit<DetailItem, 'part'> & { readonly part: 'rules' })

/** History entries have millisecond precision. */
const asOfNow = `now() - interval '1 millisecond'`

/**
 * The next readings in order: zones that a user looks at, then all records, then all settings, and then rules; active zones first.
 * @param withRules whether rules may be read now
 */
export async function listDueDetails(db: Database, accountId: string, limit: number, withRules: boolean): Promise<DueItem[]> {
  const rows = await db.sql<{ id: DomainId; providerZoneId: ProviderZoneId; part: DueItem['part']; due: string; asOf: string }[]>`
    select id, zone_id as provider_zone_id, part, due, ${db.sql.unsafe(asOfNow)} as as_of from (
      select id, zone_id, status, wanted_at, 'records' as part, records_due_at as due
        from zones where account_id = ${accountId} and records_due_at <= now()
      union all
      select id, zone_id, status, wanted_at, 'settings', settings_due_at
        from zones where account_id = ${accountId} and settings_due_at <= now()
      union all
      select id, zone_id, status, wanted_at, 'rules', rules_due_at
        from zones where account_id = ${accountId} and rules_due_at <= now() and ${withRules}
    ) as d
    order by part = 'rules', wanted_at is null, part, status <> 'active', due, id limit ${limit}`
  return rows.map((row) => ({ id: row.id, providerZoneId: row.providerZoneId, part: row.part, due: row.due, asOf: row.asOf }))
}

/** One part of a zone to read, whether due or not; null if the zone no longer exists. */
export async function findDetail(db: Database, id: DomainId, part: DetailPart): Promise<DetailItem | null> {
  const [row] = await db.sql<{ providerZoneId: ProviderZoneId; due: string | null; asOf: string }[]>`
    select zone_id as provider_zone_id, case when ${part} = 'records' then records_due_at else settings_due_at end as due, ${db.sql.unsafe(asOfNow)} as as_of
    from zones where id = ${id}`
  return row === undefined ? null : { id, providerZoneId: row.providerZoneId, part, due: row.due, asOf: row.asOf }
}

export interface RecordsRead extends DetailItem {
  readonly part: 'records'
  readonly records: readonly HostedRecord[]
  readonly summary: { readonly records_count: number; readonly proxied_count: number; readonly origin_ips: readonly string[] }
}

/** Limit per reading of one zone: when a whole zone is rewritten outside, the first entries are enough. */
const mostDrift = 500

/** Locks the zones' rows first, so that the following statement sees every change that a user made until then. */
export const lockZones = (tx: SqlTransaction, batch: readonly DetailItem[]) =>
  tx`select id from zones where id in (select json_array_elements_text(${toJson(batch.map((item) => item.id))}::text::json)::uuid)
     order by id for no key update`

/**
 * Updates the records of many zones to what was read, touching only differences, in one statement. A difference from an earlier reading is
 * an outside change and is written to the history. A reading that began before the panel's last change (or before a later reading) may be
 * outdated: it is discarded and its zone stays due.
 *
 * Records that a reading lacks are kept as missing until they are listed again or a person decides, if there are more than 5 and more than 2 %
 * of those stored, or if others are missing that nobody has decided about. Not missing is what the panel has deleted, unless it was listed an
 * hour later, and what is listed again with another id. A zone with up to 5 records may lose all of them: so few are deleted every day, and
 * restored from the history in one step.
 */
export async function replaceRecords(db: Database, batch: readonly RecordsRead[]): Promise<void> {
  const zoneRows = batch.map((item) => ({ id: item.id, due: item.due, as_of: item.asOf, ...item.summary }))
  const records = batch.flatMap((item) =>
    item.records.map((record) => ({
      zone_id: item.id,
      record_id: record.recordId,
      type: record.type,
      name: record.name,
      content: record.content,
      ttl: record.ttl,
      proxied: record.proxied,
      proxiable: record.proxiable,
      priority: record.priority,
      comment: record.comment,
      tags: record.tags,
      data: record.data,
      modified_at: record.modifiedAt,
    })),
  )
  await db.sql.begin(async (tx) => {
    await lockZones(tx, batch)
    await tx`
    with incoming as materialized (
      select * from json_to_recordset(${toJson(zoneRows)}::text::json)
        as i (id uuid, due timestamptz, as_of timestamptz, records_count integer, proxied_count integer, origin_ips text[])
    ),
    zone as materialized (
      select z.id, z.records_read_at as known_at, z.gone_at, uuidv7() as batch_id from incoming i join zones z on z.id = i.id
      where (z.records_read_at is null or z.records_read_at < i.as_of) and not exists (
        select from zone_changes c where c.zone_id = z.id and c.at >= i.as_of and c.subject = 'record' and c.source <> 'outside')
    ),
    record as materialized (
      select r.* from json_to_recordset(${toJson(records)}::text::json) as r (
        zone_id uuid, record_id text, type text, name text, content text, ttl integer, proxied boolean, proxiable boolean,
        priority integer, comment text, tags text[], data jsonb, modified_at timestamptz(3))
      where r.zone_id in (select id from zone)
    ),
    lost as materialized (
      select d.zone_id, d.record_id from zone join dns_records d on d.zone_id = zone.id
      where zone.gone_at is null and coalesce(d.deletion_sent_at, '-infinity') < zone.known_at - interval '1 hour'
        and not exists (select from record r where r.zone_id = d.zone_id and r.record_id = d.record_id)
        and not exists (select from record r where r.zone_id = d.zone_id and r.type = d.type and r.name = d.name and r.content = d.content)
    ),
    -- Listed although the panel may have deleted them. A later reading shows that they were not deleted.
    tried as (
      select zone_id, max(d.deletion_sent_at) + interval '61 minutes' as due from dns_records d join record using (zone_id, record_id)
      where d.deletion_sent_at >= now() - interval '1 hour' group by zone_id
    ),
    held as materialized (
      select id, missing, known from (
        select zone_id as id, count(*)::int as missing, (select count(*)::int from dns_records d where d.zone_id = lost.zone_id) as known
        from lost group by zone_id
      ) as counted
      where missing > greatest(${believedLoss.count}, floor(known * ${believedLoss.share}::numeric))
        or exists (select from record_disappearances h where h.zone_id = counted.id and h.kept_at is null)
    ),
    begun as (
      insert into record_disappearances as h (zone_id, missing, known) select id, missing, known from held
      on conflict (zone_id) do update set known = h.missing + excluded.known, kept_at = null, kept_by = null,
        -- While nobody has decided, a further loss does not start again.
        found_at = case when h.kept_at is null then h.found_at else now() end,
        confirmations = case when h.kept_at is null then h.confirmations else 0 end,
        confirmed_at = case when h.kept_at is null then h.confirmed_at end
    ),
    removed as (
      delete from dns_records d using zone
      where d.zone_id = zone.id and not exists (select from record r where r.zone_id = d.zone_id and r.record_id = d.record_id)
      returning d.zone_id, d.record_id, d as was
    ),
    kept as (
      insert into missing_records (zone_id, record_id, record)
      select zone_id, record_id, to_jsonb(was) from removed join lost using (zone_id, record_id) where zone_id in (select id from held)
      on conflict (zone_id, record_id) do update set record = excluded.record
      returning zone_id, record_id
    ),
    returned as (
      delete from missing_records m where m.zone_id in (select id from zone) and (
        (m.zone_id, m.record_id) in (select zone_id, record_id from record) or
        (m.zone_id, m.record ->> 'type', m.record ->> 'name', m.record ->> 'content') in (select zone_id, type, name, content from record))
      returning m.zone_id, m.record_id, jsonb_populate_record(null::dns_records, m.record) as was
    ),
    written as (
      insert into dns_records as d (
        zone_id, record_id, type, name, content, ttl, proxied, proxiable, priority, comment, tags, data, modified_at)
      select zone_id, record_id, type, name, content, ttl, proxied, proxiable, priority, comment, tags, data, modified_at from record
      on conflict (zone_id, record_id) do update set
        type = excluded.type, name = excluded.name, content = excluded.content, ttl = excluded.ttl, proxied = excluded.proxied,
        proxiable = excluded.proxiable, priority = excluded.priority, comment = excluded.comment, tags = excluded.tags,
        data = excluded.data, modified_at = excluded.modified_at
      where (d.type, d.name, d.content, d.ttl, d.proxied, d.proxiable, d.priority, d.comment, d.tags, d.data, d.modified_at)
        is distinct from (excluded.type, excluded.name, excluded.content, excluded.ttl, excluded.proxied, excluded.proxiable,
          excluded.priority, excluded.comment, excluded.tags, excluded.data, excluded.modified_at)
      returning new.zone_id, old as was, new as now
    ),
    drift as (
      select zone.id, zone.batch_id, d.was, d.now, row_number() over (partition by zone.id) as n
      from (
        select zone_id, was, null::dns_records as now from removed
        where not exists (select from kept k where k.zone_id = removed.zone_id and k.record_id = removed.record_id)
        union all
        select zone_id, was, null from returned
        where not exists (select from record r where r.zone_id = returned.zone_id and r.record_id = returned.record_id)
        union all
        select w.zone_id, case when (w.was).record_id is null then b.was else w.was end, w.now
        from written w left join returned b on b.zone_id = w.zone_id and b.record_id = (w.now).record_id
      ) as d
      join zone on zone.id = d.zone_id and zone.known_at is not null
      where ((d.was).type, (d.was).name, (d.was).content, (d.was).ttl, (d.was).proxied, (d.was).priority, (d.was).comment, (d.was).tags)
        is distinct from
        ((d.now).type, (d.now).name, (d.now).content, (d.now).ttl, (d.now).proxied, (d.now).priority, (d.now).comment, (d.now).tags)
    ),
    recorded as (
      insert into zone_changes (zone_id, source, subject, key, label, before, after, batch_id)
      select id, 'outside', 'record', coalesce((now).record_id, (was).record_id),
        coalesce((now).type, (was).type) || ' ' || coalesce((now).name, (was).name),
        case when (was).record_id is not null then ${tx.unsafe(recordJson('was'))} end,
        case when (now).record_id is not null then ${tx.unsafe(recordJson('now'))} end, batch_id
      from drift where n <= ${mostDrift}
    )
    update zones z set
      records_count = i.records_count, proxied_count = i.proxied_count, origin_ips = i.origin_ips, records_read_at = now(),
      provider_modified_at = case when z.id in (select id from drift) then greatest(z.provider_modified_at, now()) else z.provider_modified_at end,
      records_due_at = least(case when z.records_due_at = i.due then null else z.records_due_at end, tried.due), detail_failures = 0
    from incoming i join zone on zone.id = i.id left join tried on tried.zone_id = i.id where z.id = i.id`
    await followMissing(tx, batch)
  })
}

/** Postpones one reading, doubling from a minute to a day, so that an unreadable zone is neither forgotten nor read constantly. */
export async function postponeDetail(db: Database, item: DetailItem): Promise<void> {
  const later = sql`now() + least(86400, 60 * 2 ^ least(${zones.detailFailures}, 20)) * interval '1 second'`
  await db.orm
    .update(zones)
    .set({
      ...(item.part === 'records' ? { recordsDueAt: later } : { settingsDueAt: later }),
      detailFailures: sql`${zones.detailFailures} + 1`,
      wantedAt: null,
    })
    .where(eq(zones.id, item.id))
}

const rulesEverySeconds = 6 * 3_600

/** The rules of the zone were read, or cannot be read. */
export async function updateRulesDue(db: Queryable, domainId: string, inSeconds = rulesEverySeconds): Promise<void> {
  await db
    .update(zones)
    .set({ rulesDueAt: sql`now() + ${inSeconds} * interval '1 second'` })
    .where(and(eq(zones.id, domainId), isNull(zones.goneAt)))
}

/** Rules become due in zones whose rules were read before, or whose profile has rules. */
export async function addRulesDue(db: Queryable, accountId: string): Promise<void> {
  const wasRead = db.select({ id: zoneRulesets.domainId }).from(zoneRulesets).where(eq(zoneRulesets.domainId, zones.id))
  const hasProfileRules = db
    .select({ id: zoneProfiles.domainId })
    .from(zoneProfiles)
    .innerJoin(profiles, eq(profiles.id, zoneProfiles.profileId))
    .where(and(eq(zoneProfiles.domainId, zones.id), sql`jsonb_array_length(${profiles.rules}) > 0`))
  const condition = and(
    eq(zones.accountId, accountId),
    isNull(zones.goneAt),
    isNull(zones.rulesDueAt),
    or(exists(wasRead), exists(hasProfileRules)),
  )
  await db
    .update(zones)
    .set({ rulesDueAt: sql`now()` })
    .where(isLocked(db, condition))
}

/** Whether this part of any zone of the account was ever read. */
export async function hasRead({ orm }: Database, accountId: string, part: DetailPart): Promise<boolean> {
  const readAt = part === 'records' ? zones.recordsReadAt : zones.settingsReadAt
  const [row] = await orm
    .select({ id: zones.id })
    .from(zones)
    .where(and(eq(zones.accountId, accountId), isNotNull(readAt)))
    .limit(1)
  return row !== undefined
}

/** The matching zones, locked in a common order, so that two statements over the same zones cannot deadlock. */
const isLocked = (db: Queryable, condition: SQL | undefined) =>
  inArray(zones.id, db.select({ id: zones.id }).from(zones).where(condition).orderBy(zones.id).for('no key update'))

/** Postpones the due readings of one part for a whole account. */
export async function postponePart(db: Queryable, accountId: string, part: DetailPart, delaySeconds: number): Promise<void> {
  const later = sql`now() + ${delaySeconds} * interval '1 second'`
  const column = part === 'records' ? zones.recordsDueAt : zones.settingsDueAt
  await db
    .update(zones)
    .set(part === 'records' ? { recordsDueAt: later } : { settingsDueAt: later })
    .where(isLocked(db, and(eq(zones.accountId, accountId), isNotNull(column))))
}

/** Makes readings of these accounts that were postponed after failures due now. */
export async function updateDueNow(db: Queryable, accountIds: readonly string[]): Promise<void> {
  await db
    .update(zones)
    .set({
      recordsDueAt: sql`least(${zones.recordsDueAt}, now())`,
      settingsDueAt: sql`least(${zones.settingsDueAt}, now())`,
      detailFailures: 0,
    })
    .where(
      isLocked(
        db,
        and(inArray(zones.accountId, [...accountIds]), or(sql`${zones.recordsDueAt} > now()`, sql`${zones.settingsDueAt} > now()`)),
      ),
    )
}

export interface ChangedPart {
  readonly providerZoneId: ProviderZoneId
  readonly part: DueItem['part']
  readonly changedAt: Date
}

/**
 * Parts of zones that others changed are due now, unless they were read later than a minute after it. Rules only if they are read at all.
 * @returns the number of zones with a due part
 */
export async function updateChangedDue(db: Queryable, accountId: string, changed: readonly ChangedPart[]): Promise<number> {
  const isNewer = (part: 'records' | 'settings') => sql.raw(`l.${part} > coalesce(z.${part}_read_at, '-infinity') - interval '1 minute'`)
  const rows = await db.execute(sql`
    with latest as (
      select c."providerZoneId" as zone_id, max(c."changedAt") filter (where part = 'records') as records,
        max(c."changedAt") filter (where part = 'settings') as settings, bool_or(part = 'rules') as rules
      from json_to_recordset(${toJson(changed)}::text::json) as c ("providerZoneId" text, part text, "changedAt" timestamptz)
      group by 1
    ),
    locked as (
      select z.id, l.records, l.settings, l.rules from zones z join latest l on l.zone_id = z.zone_id
      where z.account_id = ${accountId} and z.gone_at is null order by z.id for no key update of z
    )
    update zones z set
      records_due_at = case when ${isNewer('records')} then least(z.records_due_at, now()) else z.records_due_at end,
      settings_due_at = case when ${isNewer('settings')} then least(z.settings_due_at, now()) else z.settings_due_at end,
      rules_due_at = case when l.rules and z.rules_due_at is not null then least(z.rules_due_at, now()) else z.rules_due_at end
    from locked l
    where z.id = l.id and (${isNewer('records')} or ${isNewer('settings')} or (l.rules and z.rules_due_at is not null))
    returning z.id`)
  return rows.length
}

/**
 * Moves the due readings of these zones to the front.
 * @returns the accounts that have any
 */
export async function updateWanted(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  const wanted = await db
    .update(zones)
    .set({ wantedAt: sql`now()` })
    .where(
      isLocked(
        db,
        and(
          inArray(zones.id, [...domainIds]),
          or(sql`${zones.recordsDueAt} <= now()`, sql`${zones.settingsDueAt} <= now()`),
          sql`${zones.wantedAt} is null`,
        ),
      ),
    )
    .returning({ accountId: zones.accountId })
  return [...new Set(wanted.map((zone) => zone.accountId))]
}
