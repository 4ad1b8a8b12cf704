import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database, Queryable, RawRow } from '#server/db/client.ts'
import { activity, groups, zones } from '#server/db/schema/index.ts'
import type { accounts } from '#server/db/schema/index.ts'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'

/**
 * Picks the credential's own provider account: the one accessible to the fewest other credentials of the owner, then the one with most of
 * its zones, then the first.
 */
export async function pickProviderAccount(
  db: Queryable,
  { id, ownerId }: { readonly id: string; readonly ownerId: string },
  opened: readonly string[],
) {
  const [row] = await db.execute<{ id: string }>(sql`
    select o.id from unnest(${sql.param([...opened])}::text[]) with ordinality as o (id, place)
    order by (select count(*) from accounts a where a.owner_id = ${ownerId} and a.id <> ${id} and o.id = any(a.provider_account_ids)),
      (select count(*) from zones z where z.account_id = ${id} and z.provider_account_id = o.id and z.gone_at is null) desc, o.place
    limit 1`)
  return row?.id ?? null
}

/** The owner's zones with that name. */
export async function listByName(db: Queryable, ownerId: string, name: string) {
  return db
    .select({ id: zones.id, accountId: zones.accountId, accountEmail: zones.accountEmail, createdAt: zones.providerCreatedAt })
    .from(zones)
    .where(and(eq(zones.ownerId, ownerId), eq(zones.name, name), isNull(zones.goneAt)))
}

/** By the provider's id. */
export async function findDomainId(db: Queryable, ownerId: string, providerZoneId: ProviderZoneId): Promise<DomainId | null> {
  const [row] = await db
    .select({ id: zones.id })
    .from(zones)
    .where(and(eq(zones.ownerId, ownerId), eq(zones.providerZoneId, providerZoneId)))
  return row?.id ?? null
}

/** Whether the activity log records who added it. */
export async function isCreationLogged(db: Queryable, ownerId: string, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: activity.id })
    .from(activity)
    .where(and(eq(activity.ownerId, ownerId), eq(activity.entityType, 'zone'), eq(activity.action, 'create'), eq(activity.entityId, id)))
    .limit(1)
  return rows.length > 0
}

export async function hasGroup(db: Queryable, ownerId: string, groupId: string): Promise<boolean> {
  const rows = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, groupId), eq(groups.ownerId, ownerId)))
  return rows.length > 0
}

/** Refusals that any other new zone of the account would get too. */
const accountRefusals = ['account_limit_reached', 'account_may_not_add', 'provider_auth']
const refusedLately = `interval '3 hours'`

export type AccountCapacity = RawRow<typeof accounts, 'id' | 'email' | 'ownerId'> & {
  readonly lane: string
  readonly active: number
  readonly pending: number
  readonly createdLately: number
  /** The code of its last refusal within the last hours. */
  readonly refusal: string | null
}

/**
 * Capacities of accounts for new zones, by email: of `ids`, or, if that is null, of the owner's accounts and the additional ones; `ownerId`
 * null: of all accounts.
 */
export async function listAccountCapacities(
  { sql }: Pick<Database, 'sql'>,
  ids: readonly string[] | null,
  scope: { readonly ownerId: string | null; readonly others: readonly string[] },
  windowSeconds: number,
): Promise<AccountCapacity[]> {
  return sql<AccountCapacity[]>`
    with chosen as (
      select id, email, owner_id, coalesce(provider_user_id, id::text) as lane, health from accounts
      where (${ids === null} or id = any(${ids === null ? [] : [...ids]}::uuid[]))
        and (${scope.ownerId}::uuid is null or owner_id = ${scope.ownerId}::uuid or id = any(${[...scope.others]}::uuid[]))
    ), counted as (
      select account_id, count(*) filter (where status = 'active')::int as active, count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where provider_created_at > now() - ${windowSeconds} * interval '1 second')::int as lately
      from zones where gone_at is null and account_id in (select id from chosen) group by 1
    ), tried as (
      select i.* from operations o join operation_items i on i.operation_id = o.id
      where o.kind = 'create' and o.created_at > now() - interval '1 day'
    ), refusals as (
      select distinct on (account_id) account_id, code from (
        select account_id, code, finished_at as at from tried where state = 'failed' and code = any(${accountRefusals})
        union all
        select (m ->> 'accountId')::uuid, m ->> 'code', (m ->> 'at')::timestamptz
          from tried, jsonb_array_elements(plan -> 'moved') m where plan ? 'moved' and m ->> 'code' = any(${accountRefusals})
      ) r where at > now() - ${sql.unsafe(refusedLately)} order by account_id, at desc
    )
    select c.id, c.email, c.owner_id as "ownerId", c.lane, coalesce(n.active, 0) as active, coalesce(n.pending, 0) as pending,
      coalesce(n.lately, 0) as "createdLately", case when c.health = 'auth_error' then 'provider_auth' else r.code end as refusal
    from chosen c left join counted n on n.account_id = c.id left join refusals r on r.account_id = c.id order by c.email, c.id`
}

/** The owner's groups among these, with their names. */
export async function listGroups(db: Queryable, ownerId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(sql`${groups.id} = any(${sql.param([...ids])}::uuid[])`, eq(groups.ownerId, ownerId)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
