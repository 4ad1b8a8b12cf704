import { sql } from 'drizzle-orm'
import type { Queryable, SqlTransaction, Transaction } from '#server/db/client.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'

/** After a cause was reported, further incidents of it are collected for this long. */
export const groupMoreDelayMs = 3 * 60_000

const at = (ms: number) => new Date(ms).toISOString()

/** Marks their starts (and for `over` also the ends) as handled. */
export async function takeOpens(
  tx: Transaction,
  taken: { readonly at: Date; readonly routed: readonly string[]; readonly skipped: readonly string[]; readonly over: readonly string[] },
): Promise<void> {
  const when = taken.at.toISOString()
  await tx.execute(sql`
    update incidents set open_taken_at = ${when}::timestamptz, held_until = null,
      told = told or id = any(${sql.param([...taken.routed])}::uuid[]),
      close_taken_at = case when id = any(${sql.param([...taken.over])}::uuid[]) then ${when}::timestamptz else close_taken_at end
    where id = any(${sql.param([...taken.routed, ...taken.skipped])}::uuid[])`)
}

export async function takeCloses(tx: Transaction, ids: readonly string[], when: Date): Promise<void> {
  await tx.execute(
    sql`update incidents set close_taken_at = ${when.toISOString()}::timestamptz where id = any(${sql.param([...ids])}::uuid[])`,
  )
}

export async function holdOpens(tx: Transaction, held: readonly { readonly id: string; readonly until: number }[]): Promise<void> {
  const rows = held.map(({ id, until }) => ({ id, until: at(until) }))
  await tx.execute(sql`
    update incidents i set held_until = h.until from json_to_recordset(${JSON.stringify(rows)}::text::json) as h (id uuid, until timestamptz)
    where i.id = h.id`)
}

/**
 * Releases held incidents to be decided again, because the hold may no longer apply. An incident that ended before a notification needs none, except
 * a critical one that was only held for grouping: it is sent with its end.
 */
export async function releaseHeld(db: Queryable, ownerId: string, now: number): Promise<void> {
  await db.execute(sql`
    update incidents set held_until = null,
      open_taken_at = case when closed_at is not null then ${at(now)}::timestamptz end,
      close_taken_at = case when closed_at is not null and not told then ${at(now)}::timestamptz end
    where owner_id = ${ownerId}::uuid and open_taken_at is null and held_until is not null
      and not (closed_at is not null and not told and health = 'critical' and held_until <= ${at(now + groupMoreDelayMs)}::timestamptz)`)
}

export interface PastIncident {
  readonly domainId: string
  readonly reasons: readonly Reason[]
  readonly cause: string
  readonly openedAt: string
  readonly closedAt: string
}

/** Closed critical incidents of monitored domains, already notified. Their ids sort by start time. */
export async function insertPastIncidents(tx: SqlTransaction, past: readonly PastIncident[]): Promise<void> {
  await tx`
    insert into incidents (id, owner_id, zone_id, account_id, group_id, name, health, reasons, cause, opened_at, closed_at, open_taken_at, close_taken_at, told, timeline)
    select uuidv7(p."openedAt" - now()), z.owner_id, z.id, z.account_id, z.group_id, z.name, 'critical', p.reasons, p.cause, p."openedAt", p."closedAt",
      p."openedAt", p."closedAt", true, jsonb_build_array(jsonb_build_object('at', p."openedAt", 'kind', 'opened', 'reasons', p.reasons),
        jsonb_build_object('at', p."closedAt", 'kind', 'closed'))
    from json_to_recordset(${JSON.stringify(past)}::text::json) as p ("domainId" uuid, reasons jsonb, cause text, "openedAt" timestamptz, "closedAt" timestamptz)
      join zones z on z.id = p."domainId" join zone_monitors m on m.zone_id = z.id`
}
