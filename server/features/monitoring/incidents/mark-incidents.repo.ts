import { sql } from 'drizzle-orm'
import type { Queryable, Transaction, RawRow } from '#server/db/client.ts'
import type { incidents } from '#server/db/schema/index.ts'

export type IncidentRow = RawRow<
  typeof incidents,
  'id' | 'ownerId' | 'domainId' | 'accountId' | 'groupId' | 'name' | 'cause' | 'closedAt' | 'acknowledgedAt' | 'acknowledgedBy'
> & {
  /** Account of the current zone, or of the incident when the zone is deleted. */
  zoneAccountId: string | null
}

const columns = sql`
  i.id, i.owner_id, i.zone_id, i.account_id, coalesce(z.account_id, i.account_id) as zone_account_id,
  coalesce(z.group_id, i.group_id) as group_id, i.name, i.cause, i.closed_at, i.acknowledged_at, i.acknowledged_by`

/** Existing incidents, of any owner. */
export const listByIds = (db: Queryable, ids: readonly string[]): Promise<IncidentRow[]> =>
  db.execute<IncidentRow>(
    sql`select ${columns} from incidents i left join zones z on z.id = i.zone_id where i.id = any(${sql.param([...ids])}::uuid[]) order by i.id`,
  )

/** Incidents reported by a message, identified by its time. Only those of the channel's groups. */
export const listNotifiedIncidents = (
  db: Queryable,
  message: { readonly ownerId: string; readonly cause: string; readonly takenAt: string; readonly groupIds: readonly string[] | null },
) =>
  db.execute<IncidentRow>(sql`
    select ${columns} from incidents i left join zones z on z.id = i.zone_id
    where i.owner_id = ${message.ownerId}::uuid and i.cause = ${message.cause} and i.open_taken_at = ${message.takenAt}::timestamptz
      and i.closed_at is null
      ${message.groupIds === null ? sql`` : sql`and (i.zone_id is null or i.group_id = any(${sql.param([...message.groupIds])}::uuid[]))`}
    order by i.id limit 100000`)

const mostEntries = 100

/** Acknowledges each only once: the first person stays recorded. */
export async function markAcknowledged(tx: Transaction, ids: readonly string[], by: string, when: Date): Promise<void> {
  const entry = JSON.stringify([{ at: when.toISOString(), kind: 'acknowledged', by }])
  await tx.execute(sql`
    update incidents set acknowledged_at = ${when.toISOString()}::timestamptz, acknowledged_by = ${by},
      timeline = case when jsonb_array_length(timeline) < ${mostEntries}::int then timeline || ${entry}::text::jsonb else timeline end
    where id = any(${sql.param([...ids])}::uuid[]) and acknowledged_at is null`)
}

export async function noteMuted(tx: Transaction, ids: readonly string[], by: string, when: Date, until: Date): Promise<void> {
  const entry = JSON.stringify([{ at: when.toISOString(), kind: 'muted', by, until: until.toISOString() }])
  await tx.execute(sql`
    update incidents set timeline = case when jsonb_array_length(timeline) < ${mostEntries}::int then timeline || ${entry}::text::jsonb else timeline end
    where id = any(${sql.param([...ids])}::uuid[])`)
}

/** The domains affected by an account's incident. */
export async function listWatchedOfAccount(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select z.id from zones z join zone_monitors m on m.zone_id = z.id where z.account_id = ${accountId}::uuid and z.gone_at is null`)
  return rows.map(({ id }) => id)
}
