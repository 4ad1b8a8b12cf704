import { sql } from 'drizzle-orm'
import type { Queryable, Transaction, RawRow } from '#server/db/client.ts'
import type { incidents } from '#server/db/schema/index.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { codesText } from './incident.policy.ts'
import type { OpenIncident } from './incident.policy.ts'

const iso = (at: number) => new Date(at).toISOString()

/** The lowest id of an incident that began at or after this time. Ids contain their creation time, which is never before the start. */
export function firstIdOf(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The first and last entries are kept. */
const timelineAtMost = 100

type OpenRow = RawRow<typeof incidents, 'id' | 'cause'> &
  Pick<NewIncident, 'health'> & { domainId: string; reasons: Reason[]; last: Reason[] | null }

export async function listOpen(
  tx: Transaction,
  domainIds: readonly string[],
): Promise<Map<string, (OpenIncident & { readonly cause: string })[]>> {
  const rows = await tx.execute<OpenRow>(sql`
    select i.id, i.zone_id, i.cause, i.health, i.reasons,
      (select t.value->'reasons' from jsonb_array_elements(i.timeline) with ordinality t where t.value ? 'reasons' order by t.ordinality desc limit 1) as last
    from incidents i where i.zone_id = any(${sql.param([...domainIds])}::uuid[]) and i.closed_at is null order by i.id`)
  return Map.groupBy(
    rows.map(({ domainId, last, ...row }) => ({ ...row, domainId, lastCodes: codesText(last ?? row.reasons) })),
    ({ domainId }) => domainId,
  )
}

export type NewIncident = Pick<typeof incidents.$inferSelect, 'ownerId' | 'domainId' | 'accountId' | 'groupId' | 'name' | 'cause'> & {
  readonly health: 'warnings' | 'critical'
  readonly reasons: readonly Reason[]
}

export async function insertIncidents(tx: Queryable, opened: readonly NewIncident[], at: number): Promise<void> {
  if (opened.length === 0) return
  const rows = opened.map((row) => ({ ...row, timeline: [{ at: iso(at), kind: 'opened', reasons: row.reasons }] }))
  await tx.execute(sql`
    insert into incidents (owner_id, zone_id, account_id, group_id, name, health, reasons, cause, opened_at, timeline)
    select "ownerId", "domainId", "accountId", "groupId", name, health, reasons, cause, ${iso(at)}::timestamptz, timeline
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r ("ownerId" uuid, "domainId" uuid, "accountId" uuid, "groupId" uuid, name text,
      health health, reasons jsonb, cause text, timeline jsonb)`)
}

const noted = (entry: string) =>
  sql.raw(`case when jsonb_array_length(i.timeline) < ${timelineAtMost} then i.timeline || ${entry} else (i.timeline - -1) || ${entry} end`)

/** Escalates incidents that became critical and are reported again; whatever held the warning back is decided again. */
export async function worsen(
  tx: Transaction,
  worse: readonly { readonly id: string; readonly reasons: readonly Reason[]; readonly cause: string }[],
  at: number,
): Promise<void> {
  if (worse.length === 0) return
  const rows = worse.map((row) => ({ ...row, entry: { at: iso(at), kind: 'reasons', reasons: row.reasons } }))
  await tx.execute(sql`
    update incidents i set health = 'critical', reasons = r.reasons, cause = r.cause, open_taken_at = null, held_until = null, timeline = ${noted('r.entry')}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id uuid, reasons jsonb, cause text, entry jsonb) where i.id = r.id`)
}

/** Replaces the reasons of incidents that go on, without reporting them again. */
export async function updateReasons(
  tx: Transaction,
  changed: readonly { readonly id: string; readonly reasons: readonly Reason[] }[],
  at: number,
): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map((row) => ({ ...row, entry: { at: iso(at), kind: 'reasons', reasons: row.reasons } }))
  await tx.execute(sql`
    update incidents i set reasons = r.reasons, timeline = ${noted('r.entry')}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id uuid, reasons jsonb, entry jsonb) where i.id = r.id`)
}

/** Stores the changed reasons. */
export async function note(
  tx: Transaction,
  notes: readonly { readonly id: string; readonly reasons: readonly Reason[] }[],
  at: number,
): Promise<void> {
  if (notes.length === 0) return
  const rows = notes.map(({ id, reasons }) => ({ id, entry: { at: iso(at), kind: 'reasons', reasons } }))
  await tx.execute(sql`
    update incidents i set timeline = ${noted('r.entry')}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id uuid, entry jsonb) where i.id = r.id`)
}

/**
 * Only a recovery is reported.
 * @param end `unwatched`: no longer monitored; `reviewed`: a person has seen what happened, and nothing is to recover
 */
export async function closeIncidents(
  tx: Queryable,
  ids: readonly string[],
  at: number,
  end: 'recovered' | 'unwatched' | 'reviewed',
): Promise<void> {
  if (ids.length === 0) return
  const entry = JSON.stringify({ at: iso(at), kind: 'closed', ...(end === 'unwatched' ? { unwatched: true } : {}) })
  const taken =
    end !== 'recovered'
      ? sql`, close_taken_at = ${iso(at)}::timestamptz, open_taken_at = coalesce(i.open_taken_at, ${iso(at)}::timestamptz)`
      : sql``
  await tx.execute(sql`
    update incidents i set closed_at = ${iso(at)}::timestamptz ${taken},
      timeline = case when jsonb_array_length(i.timeline) < ${timelineAtMost} then i.timeline else i.timeline - -1 end || ${entry}::text::jsonb
    where i.id = any(${sql.param([...ids])}::uuid[]) and i.closed_at is null`)
}

/** Open incidents of domains that are deleted or no longer monitored. */
export async function listUnwatched(db: Queryable): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select i.id from incidents i where i.closed_at is null and i.zone_id is not null
      and not exists (select from zone_monitors m where m.zone_id = i.zone_id) limit 5000`)
  return rows.map(({ id }) => id)
}

/** Domains whose incidents are still open because of flapping that has ended. */
export async function listStable(db: Queryable, before: number): Promise<string[]> {
  const rows = await db.execute<{ domainId: string }>(sql`
    select distinct m.zone_id from incidents i join zone_monitors m on m.zone_id = i.zone_id
    where i.closed_at is null and m.reasons @> '[{"code": "flapping"}]' and coalesce(m.changes[cardinality(m.changes)], 0) <= ${before}::bigint limit 5000`)
  return rows.map((row) => row.domainId)
}

/** Deletes incidents that ended earlier. @returns the number deleted */
export async function deleteEnded(db: Queryable, before: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from incidents where id in (select id from incidents where closed_at < ${iso(before)}::timestamptz limit ${limit}) returning 1`)
  return rows.length
}
