import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { JsonRow, Queryable, RawRow, Transaction } from '#server/db/client.ts'
import type { trackerBindings } from '#server/db/schema/index.ts'
import { trackerDomains, trackers } from '#server/db/schema/index.ts'
import type { TrackedDomain } from '#server/ports/ad-tracker.ts'
import type { TrackerRow } from './trackers.repo.ts'

/**
 * Trackers whose list is due, longest waiting first within each owner, alternating between owners because a tracker may be slow. Each is read by one
 * process at a time (`whileLocked`).
 */
export const listDue = (db: Queryable, now: Date, limit: number): Promise<TrackerRow[]> =>
  db
    .select()
    .from(trackers)
    .where(and(isNotNull(trackers.nextSyncAt), lte(trackers.nextSyncAt, now)))
    .orderBy(sql`row_number() over (partition by ${trackers.ownerId} order by ${trackers.nextSyncAt})`, trackers.nextSyncAt)
    .limit(limit)

/** Only if enabled. */
export async function queueSync(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .update(trackers)
    .set({ nextSyncAt: at })
    .where(and(eq(trackers.id, id), isNotNull(trackers.url), isNotNull(trackers.apiKeySealed)))
}

/** Schedules a reading no later than `at`; a row that is due earlier is not touched. */
export async function requestEarlierSync(db: Queryable, id: string, at: Date): Promise<void> {
  await db.execute(sql`
    update trackers set next_sync_at = ${at.toISOString()}::timestamptz where id = ${id}::uuid and next_sync_at > ${at.toISOString()}::timestamptz`)
}

const columnsOf = (domain: TrackedDomain) => ({
  remote_id: domain.id,
  name: domain.name,
  archived: domain.archived,
  status: domain.status,
  problem: domain.problem,
  solution: domain.solution,
  ssl_status: domain.sslStatus,
  ssl_problem: domain.sslProblem,
  campaign_id: domain.campaign?.id ?? null,
  campaign_name: domain.campaign?.name ?? null,
  campaigns_count: domain.campaignsCount,
  group_id: domain.group?.id ?? null,
  group_name: domain.group?.name ?? null,
  ssl_redirect: domain.sslRedirect,
})
const reported = [
  'name',
  'archived',
  'status',
  'problem',
  'solution',
  'ssl_status',
  'ssl_problem',
  'campaign_id',
  'campaign_name',
  'campaigns_count',
  'group_id',
  'group_name',
  'ssl_redirect',
  'seen_at',
] as const satisfies readonly (keyof ReturnType<typeof columnsOf> | 'seen_at')[]
const setReported = sql.raw(reported.map((column) => `${column} = excluded.${column}`).join(', '))

/**
 * Writes domains as reported at `seenAt`, in one statement and in id order to avoid deadlocks. Later reports are kept, because a domain may change
 * while a list is being read.
 */
export async function upsertDomains(db: Queryable, trackerId: string, domains: readonly TrackedDomain[], seenAt: Date): Promise<void> {
  if (domains.length === 0) return
  const at = seenAt.toISOString()
  await db.execute(sql`
    insert into tracker_domains (tracker_id, remote_id, name, archived, status, problem, solution, ssl_status, ssl_problem, campaign_id, campaign_name,
      campaigns_count, group_id, group_name, ssl_redirect, seen_at)
    select distinct on (r.remote_id) ${trackerId}::uuid, r.*, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(domains.map(columnsOf))}::text::jsonb) as r(remote_id text, name text, archived boolean, status text, problem text,
      solution text, ssl_status text, ssl_problem text, campaign_id text, campaign_name text, campaigns_count integer, group_id text, group_name text,
      ssl_redirect boolean)
    order by r.remote_id
    on conflict (tracker_id, remote_id) do update set ${setReported}, gone_at = null where tracker_domains.seen_at <= excluded.seen_at`)
}

/** Marks domains missing from a complete list requested at `seenAt`. @returns the number of domains, excluding archived ones */
export async function finishListing(db: Queryable, trackerId: string, seenAt: Date): Promise<number> {
  const at = seenAt.toISOString()
  await db.execute(sql`
    update tracker_domains set gone_at = ${at}::timestamptz where tracker_id = ${trackerId}::uuid and gone_at is null and seen_at < ${at}::timestamptz`)
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from tracker_domains where tracker_id = ${trackerId}::uuid and gone_at is null and not archived`)
  return row?.count ?? 0
}

/** Deletes all mirrored domains of a tracker whose address changed, because they belong to another tracker. */
export async function forgetDomains(tx: Transaction, trackerId: string): Promise<void> {
  await tx.delete(trackerDomains).where(eq(trackerDomains.trackerId, trackerId))
}

/**
 * A domain deleted and re-added in the tracker has a new id, as has everything after a reinstallation; a binding continues with the current id of its
 * name. An id that now belongs to another name is cleared, so that no other domain is changed.
 */
export async function adoptByName(db: Queryable, trackerId: string): Promise<void> {
  await db.execute(sql`
    with lost as materialized (
      select b.zone_id, z.name, d.name is null as vanished from tracker_bindings b join zones z on z.id = b.zone_id
        left join tracker_domains d on d.tracker_id = b.tracker_id and d.remote_id = b.remote_id and d.gone_at is null
      where b.tracker_id = ${trackerId}::uuid and b.remote_id is not null and d.name is distinct from z.name order by b.zone_id for no key update of b
    )
    update tracker_bindings b set remote_id = d.remote_id
    from lost left join tracker_domains d on d.tracker_id = ${trackerId}::uuid and d.name = lost.name and d.gone_at is null and not d.archived
    where b.zone_id = lost.zone_id and (d.id is not null or not lost.vanished)`)
}

export type DomainRow = JsonRow<typeof trackerDomains>

type BindingRow = RawRow<typeof trackerBindings, 'remoteId' | 'boundAt'> & {
  tracker: Pick<TrackerRow, 'id' | 'kind' | 'name' | 'url'> & { readonly enabled: boolean }
  domain: DomainRow | null
}

/** A zone's binding, with the tracker's list entry. */
export async function findBinding(db: Queryable, domainId: string): Promise<BindingRow | null> {
  const [row] = await db.execute<BindingRow>(sql`
    select b.remote_id, b.bound_at, to_jsonb(d) as domain,
      jsonb_build_object('id', t.id, 'kind', t.kind, 'name', t.name, 'url', t.url, 'enabled', t.url is not null and t.api_key_sealed is not null) as tracker
    from tracker_bindings b join trackers t on t.id = b.tracker_id
      left join tracker_domains d on d.tracker_id = b.tracker_id and d.remote_id = b.remote_id
    where b.zone_id = ${domainId}::uuid`)
  return row ?? null
}
