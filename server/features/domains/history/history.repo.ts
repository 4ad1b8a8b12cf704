import { and, desc, eq, gte, inArray, lte, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { accountChanges, groups, zoneChanges } from '#server/db/schema/index.ts'
import type { ZoneChange } from '#shared/features/domains/history/schema.ts'

type Shared = 'id' | 'at' | 'source' | 'actorId' | 'actorName' | 'subject' | 'key' | 'label' | 'before' | 'after' | 'batchId' | 'revertsId'

/**
 * A revert refers to the oldest entry that it undoes; later entries of the same subject are undone with it. A resource that was created again
 * has a new key, with which the revert starts or ends.
 * @param place the column of the zone or the account
 */
const revertedByIn = (table: SQL, place: SQL) => sql<string | null>`(
    select r.id from ${table} r join ${table} o on o.id = r.reverts_id
    where r.${place} = ${table}.${place} and r.reverts_id is not null and r.subject = ${table}.subject
      and (r.at, r.id) > (${table}.at, ${table}.id) and (o.at, o.id) <= (${table}.at, ${table}.id)
      and (o.id = ${table}.id or ${table}.key in (o.key, r.key, r.before ->> 'id'))
    order by r.at desc, r.id desc limit 1)`
const columnsOf = (changes: typeof zoneChanges | typeof accountChanges, table: SQL, place: SQL) => ({
  id: changes.id,
  at: changes.at,
  source: changes.source,
  actorId: changes.actorId,
  actorName: changes.actorName,
  subject: changes.subject,
  key: changes.key,
  label: changes.label,
  before: changes.before,
  after: changes.after,
  batchId: changes.batchId,
  revertsId: changes.revertsId,
  revertedById: revertedByIn(table, place),
})
const columns = columnsOf(zoneChanges, sql`zone_changes`, sql`zone_id`)
const accountColumns = columnsOf(accountChanges, sql`account_changes`, sql`account_id`)

type Row = Pick<typeof zoneChanges.$inferSelect, Shared> & { readonly revertedById: string | null }
const toEntry = ({ at, actorId, actorName, ...row }: Row): ZoneChange => ({
  ...row,
  at: at.toISOString(),
  actor: actorName === null ? null : { id: actorId, name: actorName },
})

const selectOfZone = (db: Queryable, where: SQL | undefined, limit: number) =>
  db.select(columns).from(zoneChanges).where(where).orderBy(desc(zoneChanges.at), desc(zoneChanges.id)).limit(limit)
const selectOfAccount = (db: Queryable, where: SQL | undefined, limit: number) =>
  db.select(accountColumns).from(accountChanges).where(where).orderBy(desc(accountChanges.at), desc(accountChanges.id)).limit(limit)

interface HistoryPage {
  readonly subject?: ZoneChange['subject'] | undefined
  readonly source?: ZoneChange['source'] | undefined
  readonly batchId?: string | undefined
  /** The last entry of the previous page. */
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

/** A zone's entries, newest first. */
export async function listEntries(db: Queryable, domainId: string, page: HistoryPage): Promise<ZoneChange[]> {
  const { after } = page
  const rows = await selectOfZone(
    db,
    and(
      eq(zoneChanges.domainId, domainId),
      page.subject === undefined
        ? undefined
        : inArray(zoneChanges.subject, page.subject === 'rule' ? ['rule', 'rule_order'] : [page.subject]),
      page.source === undefined ? undefined : eq(zoneChanges.source, page.source),
      page.batchId === undefined ? undefined : eq(zoneChanges.batchId, page.batchId),
      after === null ? undefined : sql`(${zoneChanges.at}, ${zoneChanges.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
    ),
    page.limit,
  )
  return rows.map(toEntry)
}

/** The zone's entries among `ids`, newest first. */
export async function listEntriesByIds(db: Queryable, domainId: string, ids: readonly string[]): Promise<ZoneChange[]> {
  const rows = await selectOfZone(db, and(eq(zoneChanges.domainId, domainId), inArray(zoneChanges.id, [...ids])), ids.length)
  return rows.map(toEntry)
}

/** Which changes by others are wanted. */
export interface OutsideChanges {
  readonly subjects: readonly ZoneChange['subject'][]
  /** Those with one of these keys, or of records with one of these lower-case names; null: all. */
  readonly of: { readonly keys: readonly string[]; readonly names: readonly string[]; readonly isNew: boolean } | null
  readonly since: Date
  readonly until: Date
  readonly limit: number
}

/** What one reading finds is stored together, or at most this much apart. */
const readingMs = 10_000

/** What the first reading of the zone in this period found changed by others, newest first. */
export async function listFirstOutside(
  db: Queryable,
  domainId: string,
  { subjects, of, since, until, limit }: OutsideChanges,
): Promise<ZoneChange[]> {
  const hasName = sql`lower(coalesce(${zoneChanges.after}, ${zoneChanges.before}) ->> 'name') = any(${sql.param([...(of?.names ?? [])])}::text[])`
  const isWanted = and(
    eq(zoneChanges.domainId, domainId),
    eq(zoneChanges.source, 'outside'),
    inArray(zoneChanges.subject, [...subjects]),
    // It is known from the registrar.
    sql`not (${zoneChanges.subject} = 'zone' and ${zoneChanges.key} = 'registrar')`,
    of === null
      ? undefined
      : or(inArray(zoneChanges.key, [...of.keys]), of.isNew ? and(hasName, sql`${zoneChanges.before} is null`) : hasName),
  )
  const [first] = await db
    .select({ at: zoneChanges.at })
    .from(zoneChanges)
    .where(and(isWanted, gte(zoneChanges.at, since), lte(zoneChanges.at, until)))
    .orderBy(zoneChanges.at, zoneChanges.id)
    .limit(1)
  if (first === undefined) return []
  const end = new Date(first.at.getTime() + readingMs)
  return (await selectOfZone(db, and(isWanted, gte(zoneChanges.at, first.at), lte(zoneChanges.at, end)), limit)).map(toEntry)
}

/** An account's entries, newest first. */
export async function listAccountEntries(
  db: Queryable,
  accountId: string,
  { batchId, after, limit }: Pick<HistoryPage, 'batchId' | 'after' | 'limit'>,
): Promise<ZoneChange[]> {
  const isOfBatch = batchId === undefined ? undefined : eq(accountChanges.batchId, batchId)
  const isLater =
    after === null ? undefined : sql`(${accountChanges.at}, ${accountChanges.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`
  return (await selectOfAccount(db, and(eq(accountChanges.accountId, accountId), isOfBatch, isLater), limit)).map(toEntry)
}

/** The account's entries among `ids`, newest first. */
export async function listAccountEntriesByIds(db: Queryable, accountId: string, ids: readonly string[]): Promise<ZoneChange[]> {
  const where = and(eq(accountChanges.accountId, accountId), inArray(accountChanges.id, [...ids]))
  return (await selectOfAccount(db, where, ids.length)).map(toEntry)
}

/** Rules of IP access that a revert created again: their ids, each with the id of the rule that it restored. */
export async function listRestoredIpRules(
  db: Queryable,
  of: { readonly domainId: string } | { readonly accountId: string },
): Promise<Map<string, string>> {
  const [table, isOf] =
    'domainId' in of ? [sql`zone_changes`, sql`r.zone_id = ${of.domainId}`] : [sql`account_changes`, sql`r.account_id = ${of.accountId}`]
  const rows = await db.execute<{ key: string; former: string }>(sql`
    select r.key, o.key as former from ${table} r join ${table} o on o.id = r.reverts_id
    where ${isOf} and r.subject = 'ip_rule' and r.before is null and r.key <> o.key`)
  return new Map(rows.map(({ key, former }) => [key, former]))
}

export async function listGroupIds(db: Queryable, ownerId: string): Promise<Set<string>> {
  const rows = await db.select({ id: groups.id }).from(groups).where(eq(groups.ownerId, ownerId))
  return new Set(rows.map((row) => row.id))
}

export type BatchEntry = Pick<ZoneChange, 'id' | 'subject' | 'key' | 'before' | 'after' | 'revertedById'>

/** What one batch (an operation) changed in these zones, by zone, newest first. */
export async function listBatch(db: Queryable, batchId: string, domainIds: readonly string[]): Promise<Map<string, BatchEntry[]>> {
  const ids = sql.param([...domainIds])
  // Most zones have no revert, and looking for one for each entry takes most of the time.
  const rows = await db.execute<BatchEntry & { domainId: string }>(sql`
    select zone_id as "domainId", id, subject, key, before, after, case when zone_id in (
        select r.zone_id from zone_changes r where r.zone_id = any(${ids}::uuid[]) and r.reverts_id is not null
      ) then ${revertedByIn(sql`zone_changes`, sql`zone_id`)} end as "revertedById"
    from zone_changes where zone_id = any(${ids}::uuid[]) and batch_id = ${batchId} order by at desc, id desc`)
  const byZone = new Map<string, BatchEntry[]>()
  for (const { domainId, ...entry } of rows) {
    const entries = byZone.get(domainId)
    if (entries === undefined) byZone.set(domainId, [entry])
    else entries.push(entry)
  }
  return byZone
}
