import { sql } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { reserveDomains, zones } from '#server/db/schema/index.ts'

export type ReserveRow = RawRow<typeof zones, 'ownerId' | 'name' | 'status' | 'paused' | 'phishing' | 'health' | 'paidUntil'> &
  RawRow<typeof reserveDomains, 'domainId' | 'groupId' | 'note' | 'addedAt'> & {
    account: string
    gone: boolean
    bound: boolean
    unread: boolean
    recordsMissing: boolean
    groupName: string | null
  }

/** The oldest first; `ownerId` null: all owners, `domainIds` null: all. */
export const listReserve = (
  db: Queryable,
  { ownerId, domainIds }: { readonly ownerId: string | null; readonly domainIds: readonly string[] | null },
): Promise<ReserveRow[]> =>
  db.execute<ReserveRow>(sql`
    select r.zone_id, z.owner_id, z.name, a.email as account, z.status, z.paused, z.gone_at is not null as gone, z.phishing, z.health,
      exists (select from tracker_bindings b where b.zone_id = z.id) as bound, z.paid_until, z.records_read_at is null or z.settings_read_at is null as unread,
      exists (select from record_disappearances h where h.zone_id = z.id) as records_missing,
      g.id as group_id, g.name as group_name, r.note, r.added_at
    from reserve_domains r join zones z on z.id = r.zone_id join accounts a on a.id = z.account_id left join groups g on g.id = r.group_id
    where ${ownerId === null ? sql`true` : sql`r.owner_id = ${ownerId}::uuid`}
      and ${domainIds === null ? sql`true` : sql`r.zone_id = any(${sql.param([...domainIds])}::uuid[])`}
    order by r.added_at, z.name, r.zone_id`)

type ReservableZone = RawRow<typeof zones, 'id' | 'name' | 'ownerId' | 'accountId' | 'groupId'> & { reserved: boolean }

/** Existing zones, locked in id order until the transaction ends; with whether each is in the reserve. */
export const lockReservable = (tx: Queryable, domainIds: readonly string[]): Promise<ReservableZone[]> =>
  tx.execute<ReservableZone>(sql`
    select z.id, z.name, z.owner_id as "ownerId", z.account_id as "accountId", z.group_id as "groupId", exists (select from reserve_domains r where r.zone_id = z.id) as reserved
    from zones z where z.id = any(${sql.param([...domainIds])}::uuid[]) order by z.id for no key update of z`)

/** The owner of a group; null when it does not exist. */
export async function findGroupOwner(db: Queryable, groupId: string): Promise<string | null> {
  const [row] = await db.execute<{ ownerId: string }>(sql`select owner_id from groups where id = ${groupId}::uuid for key share`)
  return row?.ownerId ?? null
}

/** An existing entry keeps its position and gets the new group and note. */
export async function upsertReserve(
  db: Queryable,
  zones: readonly Pick<ReservableZone, 'id' | 'ownerId'>[],
  given: { readonly groupId: string | null; readonly note: string | null; readonly at: Date },
): Promise<void> {
  await db.execute(sql`
    insert into reserve_domains (zone_id, owner_id, group_id, note, added_at)
    select r.id, r."ownerId", ${given.groupId}::uuid, ${given.note}, ${given.at.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(zones)}::text::jsonb) as r(id uuid, "ownerId" uuid)
    on conflict (zone_id) do update set group_id = excluded.group_id, note = excluded.note`)
}

export async function deleteReserve(db: Queryable, domainIds: readonly string[]): Promise<void> {
  await db.execute(sql`delete from reserve_domains where zone_id = any(${sql.param([...domainIds])}::uuid[])`)
}

/** Number of entries for each of these owners. */
export const countReserve = (db: Queryable, ownerIds: readonly string[]) =>
  db.execute<{ ownerId: string; count: number }>(sql`
    select owner_id as "ownerId", count(*)::int as count from reserve_domains where owner_id = any(${sql.param([...ownerIds])}::uuid[]) group by owner_id`)

/** Domains selected as replacements in a confirmed, unfinished operation. */
export async function listPromised(db: Queryable, ownerId: string): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select distinct i.plan -> 'after' ->> 'reserveZoneId' as id from operations o join operation_items i on i.operation_id = o.id
    where o.owner_id = ${ownerId}::uuid and o.kind = 'replace' and o.state in ('queued', 'running', 'waiting', 'paused')
      and i.state in ('pending', 'running', 'waiting', 'failed') and i.plan -> 'after' ->> 'reserveZoneId' is not null`)
  return new Set(rows.map(({ id }) => id))
}
