import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { registrarNames } from '#server/db/schema/index.ts'
import { registrars } from '#server/db/schema/index.ts'
import { selectSharedDomainIds } from '#server/platform/access-scope.repo.ts'
import type { SharedScope } from '#server/platform/access-scope.ts'
import type { RegisteredName } from '#server/ports/registrar.ts'
import { escapeLike } from '#shared/text.ts'
import type { PaidSource } from '#shared/features/registrars/registry/schema.ts'
import { inScope } from '../registrars.repo.ts'
import type { RegistrarRow, RegistrarScope } from '../registrars.repo.ts'

/**
 * API registrars whose list is due, longest waiting first within each owner, alternating between owners. Each is read by one process at a time
 * (`whileLocked`).
 */
export const listDue = (db: Queryable, now: Date, limit: number): Promise<RegistrarRow[]> =>
  db
    .select()
    .from(registrars)
    .where(and(eq(registrars.type, 'API_ENABLED'), isNotNull(registrars.nextSyncAt), lte(registrars.nextSyncAt, now)))
    .orderBy(sql`row_number() over (partition by ${registrars.ownerId} order by ${registrars.nextSyncAt})`, registrars.nextSyncAt)
    .limit(limit)

/** Writes a page of the list; a name keeps its row for as long as the registrar lists it. */
export async function upsertNames(db: Queryable, registrarId: string, names: readonly RegisteredName[], seenAt: Date): Promise<void> {
  if (names.length === 0) return
  const rows = names.map((name) => ({
    name: name.name,
    status: name.status,
    registered_at: name.createdAt?.toISOString() ?? null,
    expires_at: name.expiresAt?.toISOString() ?? null,
    auto_renew: name.autoRenew,
    locked: name.locked,
    name_servers: name.nameServers,
  }))
  await db.execute(sql`
    insert into registrar_names (registrar_id, name, status, registered_at, expires_at, auto_renew, locked, name_servers, name_servers_at, seen_at)
    select distinct on (r.name) ${registrarId}::uuid, r.name, r.status, r.registered_at, r.expires_at, r.auto_renew, r.locked, r.name_servers,
      case when r.name_servers is null then null else ${seenAt.toISOString()}::timestamptz end, ${seenAt.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(name text, status text, registered_at timestamptz, expires_at timestamptz,
      auto_renew boolean, locked boolean, name_servers text[])
    on conflict (registrar_id, name) do update set status = excluded.status, registered_at = coalesce(excluded.registered_at, registrar_names.registered_at),
      expires_at = coalesce(excluded.expires_at, registrar_names.expires_at), auto_renew = coalesce(excluded.auto_renew, registrar_names.auto_renew),
      locked = coalesce(excluded.locked, registrar_names.locked), name_servers = coalesce(excluded.name_servers, registrar_names.name_servers),
      name_servers_at = coalesce(excluded.name_servers_at, registrar_names.name_servers_at), seen_at = excluded.seen_at, gone_at = null`)
}

/** Names missing from a list that was read completely since `seenAt`. */
export async function listMissing(db: Queryable, registrarId: string, seenAt: Date): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select name from registrar_names
    where registrar_id = ${registrarId}::uuid and gone_at is null and seen_at < ${seenAt.toISOString()}::timestamptz order by name`)
  return rows.map(({ name }) => name)
}

export async function countNames(db: Queryable, registrarId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from registrar_names where registrar_id = ${registrarId}::uuid and gone_at is null`)
  return row?.count ?? 0
}

/** Marks these names as gone. @returns how many changed */
export async function updateGoneNames(db: Queryable, registrarId: string, names: readonly string[], at: Date): Promise<number> {
  const rows = await db.execute(sql`
    update registrar_names set gone_at = ${at.toISOString()}::timestamptz
    where registrar_id = ${registrarId}::uuid and gone_at is null and name = any(${sql.param([...names])}::text[]) returning id`)
  return rows.length
}

/** The owner's API registrar whose list has the name; null: none. */
export async function findHolder(db: Queryable, ownerId: string, name: string): Promise<string | null> {
  const [row] = await db.execute<{ id: string }>(sql`
    select r.id from registrar_names n join registrars r on r.id = n.registrar_id
    where n.name = ${name} and n.gone_at is null and r.owner_id = ${ownerId}::uuid and r.type = 'API_ENABLED' and not r.sandbox order by r.id limit 1`)
  return row?.id ?? null
}

/** The expiry from registrar `n`, otherwise from registry `g`. */
const shownColumns = sql`n.id, n.registrar_id, n.name, n.status, coalesce(n.expires_at, g.expires_at) as expires_at,
  case when n.expires_at is null then 'registry' else 'registrar' end as source, case when n.expires_at is null then g.read_at else n.seen_at end as read_at,
  n.auto_renew, n.locked, n.name_servers, n.name_servers_at, z.id as zone_id`

type NameRow = RawRow<
  typeof registrarNames,
  'id' | 'registrarId' | 'name' | 'status' | 'expiresAt' | 'autoRenew' | 'locked' | 'nameServers' | 'nameServersAt'
> & {
  /** Source of the expiry. */
  source: PaidSource
  readAt: string | null
  domainId: string | null
}
export type ShownName = NameRow

/** By name. `bound` false: names without a domain of the caller or of the registrar's owner (R-BUY-04); for an administrator, of anyone. */
export async function listNames(
  db: Queryable,
  asked: {
    readonly scope: RegistrarScope
    /** Other people's domains that may be shown. */
    readonly seen: SharedScope | null
    readonly registrarId: string | null
    readonly bound: boolean | null
    readonly search: string
    readonly after: { readonly name: string; readonly id: string } | null
    readonly limit: number
  },
): Promise<{ readonly rows: readonly ShownName[]; readonly total: number }> {
  const { ownerId, sharedIds } = asked.scope
  const zoneOf = sql`z.name = n.name and z.gone_at is null`
  const own =
    ownerId === null
      ? sql``
      : sharedIds.length === 0
        ? sql`and z.owner_id = ${ownerId}::uuid`
        : sql`and z.owner_id in (${ownerId}::uuid, r.owner_id)`
  const named =
    ownerId === null
      ? sql`z.owner_id in (select id from users)`
      : asked.seen === null
        ? sql`z.owner_id = ${ownerId}::uuid`
        : sql`(z.owner_id = ${ownerId}::uuid or z.id in (${selectSharedDomainIds(asked.seen)}))`
  const where = sql`n.gone_at is null and ${inScope(asked.scope)}
    ${asked.registrarId === null ? sql`` : sql`and n.registrar_id = ${asked.registrarId}::uuid`}
    ${asked.search === '' ? sql`` : sql`and n.name like ${`%${escapeLike(asked.search)}%`}`}
    ${asked.bound === null ? sql`` : sql`and ${asked.bound ? sql`` : sql`not `}exists (select from zones z where ${zoneOf} ${own})`}`
  const from = sql`from registrar_names n join registrars r on r.id = n.registrar_id`
  const after = asked.after === null ? sql`` : sql`and (n.name, n.id) > (${asked.after.name}, ${asked.after.id}::uuid)`
  // The domain is looked up only for the page; whether a name has one is a join over both tables.
  const rows = await db.execute<NameRow>(sql`
    with page as materialized (select n.*, r.owner_id ${from} where ${where} ${after} order by n.name, n.id limit ${asked.limit})
    select ${shownColumns} from page n
      left join lateral (
        select z.id from zones z where ${named} and ${zoneOf}
        order by z.owner_id = n.owner_id desc limit 1
      ) z on true
      left join registry_names g on g.name = n.name and n.expires_at is null
    order by n.name, n.id`)
  const [count] = await db.execute<{ total: number }>(sql`select count(*)::int as total ${from} where ${where}`)
  return { rows, total: count?.total ?? 0 }
}

/** The name of a domain at the registrar that it is attached to. */
export async function findNameOf(db: Queryable, domainId: string): Promise<ShownName | null> {
  const [row] = await db.execute<NameRow>(sql`
    select ${shownColumns} from zones z join registrar_names n on n.registrar_id = z.registrar_id and n.name = z.name and n.gone_at is null
      left join registry_names g on g.name = n.name and n.expires_at is null where z.id = ${domainId}::uuid`)
  return row ?? null
}

export async function queueSync(db: Queryable, ids: readonly string[], at: Date): Promise<void> {
  await db
    .update(registrars)
    .set({ nextSyncAt: at })
    .where(and(inArray(registrars.id, [...ids]), eq(registrars.type, 'API_ENABLED')))
}

/** Only existing names at visible registrars. */
export const listNamesById = (db: Queryable, ids: readonly string[], scope: RegistrarScope) =>
  db.execute<{ id: string; name: string }>(sql`
    select n.id, n.name from registrar_names n join registrars r on r.id = n.registrar_id
    where n.id = any(${sql.param([...ids])}::uuid[]) and n.gone_at is null and ${inScope(scope)}`)
