import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { zones } from '#server/db/schema/index.ts'
import type { groups } from '#server/db/schema/index.ts'
import type { UserActor } from '#server/platform/actor.ts'
import type { SharedScope } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** The previous registrar; undefined if the zone no longer exists. */
export async function updateZoneRegistrar(db: Queryable, id: string, registrarId: string | null): Promise<string | null | undefined> {
  const [row] = await db.select({ registrarId: zones.registrarId }).from(zones).where(eq(zones.id, id)).for('no key update')
  if (row === undefined) return undefined
  if (row.registrarId !== registrarId) await db.update(zones).set({ registrarId }).where(eq(zones.id, id))
  return row.registrarId
}

/**
 * Copies the data of the registrar's list to the domains for use in lists: automatic renewal, the paid-until date (the registry's if the
 * registrar reports none), and whether DNS is served elsewhere. `names` null: all of them.
 */
export async function updateFromRegistrar(db: Queryable, registrarId: string, names: readonly string[] | null): Promise<void> {
  await db.execute(sql`
    with stale as materialized (
      select z.id from registrars r join zones z on z.registrar_id = r.id and z.owner_id = r.owner_id
        left join registrar_names n on n.registrar_id = r.id and n.name = z.name and n.gone_at is null
        left join registry_names g on g.name = z.name and n.expires_at is null
      where r.id = ${registrarId}::uuid ${names === null ? sql`` : sql`and z.name = any(${sql.param([...names])}::text[])`}
        and (z.paid_until, z.paid_by_registry, z.auto_renew, z.elsewhere) is distinct from
          (coalesce(n.expires_at, g.expires_at), g.expires_at is not null, n.auto_renew, served_elsewhere(n.name_servers, z.name_servers))
      order by z.id for no key update of z
    )
    update zones z set registrar_id = z.registrar_id from stale where z.id = stale.id`)
}

/**
 * Attaches the owner's domains without a registrar to the one that has their name, in one statement. Zones are locked in the same order as
 * by reads.
 * @returns the attached ones
 */
export async function attachByName(db: Queryable, registrarId: string, ownerId: string): Promise<readonly { readonly id: string }[]> {
  return db.execute<{ id: string }>(sql`
    with free as materialized (
      select z.id from zones z join registrar_names n on n.name = z.name
      where n.registrar_id = ${registrarId}::uuid and n.gone_at is null and z.owner_id = ${ownerId}::uuid
        and z.registrar_id is null and z.gone_at is null
      order by z.id for no key update of z
    )
    update zones z set registrar_id = ${registrarId}::uuid from free where z.id = free.id returning z.id`)
}

/** Domains that were added or came back during a registry look-up for another owner get the known result. */
export async function updateFromKnownRegistry(db: Queryable): Promise<void> {
  await db.execute(sql`
    with forgotten as materialized (
      select z.id from zones z join registry_names g on g.name = z.name
      where z.gone_at is null and z.paid_until is null and g.expires_at is not null order by z.id for no key update of z
    )
    update zones z set paid_by_registry = true from forgotten where z.id = forgotten.id`)
}

/**
 * Updates the domains of this name with the registry's answer.
 * @returns the owners of those that changed
 */
export async function updateFromRegistry(db: Queryable, name: string, expiresAt: Date | null): Promise<string[]> {
  // The trigger recomputes everything known about a zone; this update only fires it.
  const expires = expiresAt?.toISOString() ?? null
  const changed = await db.execute<{ ownerId: string }>(sql`
    with stale as materialized (
      select z.id from zones z where z.owner_id in (select id from users) and z.name = ${name} and (z.paid_until is null or z.paid_by_registry)
        and z.paid_until is distinct from ${expires}::timestamptz order by z.id for no key update
    )
    update zones z set paid_by_registry = true from stale where z.id = stale.id returning z.owner_id`)
  return [...new Set(changed.map(({ ownerId }) => ownerId))]
}

/**
 * Updates the health shown in lists from the domains' current states; unmonitored ones are unknown. A locked row is left to the next call,
 * so that checks never wait for long transactions and vice versa.
 * @returns how many differed
 */
export async function updateHealth(tx: Queryable, domainIds: readonly string[]): Promise<number> {
  if (domainIds.length === 0) return 0
  const rows = await tx.execute(sql`
    with differing as (
      select z.id, coalesce(m.health, 'unknown') as health from zones z left join zone_monitors m on m.zone_id = z.id
      where z.id = any(${sql.param([...domainIds])}::uuid[]) and z.health <> coalesce(m.health, 'unknown') order by z.id for no key update of z skip locked
    )
    update zones z set health = d.health from differing d where z.id = d.id returning z.id`)
  return rows.length
}

interface Move {
  readonly ownerId: string
  /** The owner's zones to move; null: all that are in `from`. */
  readonly domainIds: readonly string[] | null
  /** Only zones that are in this group now; null: any. */
  readonly from: string | null
  readonly to: Pick<typeof groups.$inferSelect, 'id' | 'name'> | null
  readonly actor: Pick<UserActor, 'userId' | 'name'>
  /** Restricts what a non-owner may move, and out of a group only zones in these accounts; null: no restriction. */
  readonly within: SharedScope | null
}

interface Moved {
  /** Zones that had another group before. */
  readonly changed: number
  readonly accountIds: readonly string[]
}

/**
 * Moves zones into a group or out of one and records it in the history of each, in one statement for any number.
 * @throws AppError not_found if one of them does not exist or belongs to another owner, level_too_low if one may not leave its group; the
 * transaction must then be rolled back
 */
export async function moveZones(tx: Transaction, { ownerId, domainIds, from, to, actor, within }: Move): Promise<Moved> {
  const wanted = domainIds === null ? null : [...new Set(domainIds.map((id) => id.toLowerCase()))]
  const toId = sql`${to?.id ?? null}::uuid`
  const leaving = sql`m.group_id is distinct from ${toId} ${from === null ? sql`` : sql`and m.group_id = ${from}::uuid`}`
  const held =
    within === null
      ? sql`0`
      : sql`(select count(*)::int from mine m where m.group_id is not null and ${leaving} and m.account_id <> all(${sql.param([...within.accountIds])}::uuid[]))`
  const rows = await tx.execute<{ found: number; held: number; changed: number; accountIds: string[] | null }>(sql`
    with mine as materialized (
      select z.id, z.account_id, z.group_id from zones z
      where z.owner_id = ${ownerId} and ${wanted === null ? sql`z.group_id = ${from}::uuid` : sql`z.id = any(${sql.param(wanted)}::uuid[])`}
        ${within === null ? sql`` : sql`and (z.account_id = any(${sql.param([...within.accountIds])}::uuid[]) or z.group_id = any(${sql.param([...within.groupIds])}::uuid[]))`}
      order by z.id for no key update
    ), changed as (
      update zones z set group_id = ${toId} from mine m
      where z.id = m.id and ${leaving}
      returning z.id, m.account_id, m.group_id as before
    ), recorded as (
      insert into zone_changes (zone_id, source, actor_id, actor_name, subject, key, label, before, after, batch_id)
      select c.id, 'panel', ${actor.userId}::uuid, ${actor.name}, 'zone', 'group', 'group',
        jsonb_build_object('value', case when g.id is null then null else jsonb_build_object('id', g.id, 'name', g.name) end),
        ${JSON.stringify({ value: to === null ? null : { id: to.id, name: to.name } })}::text::jsonb, ${randomUUID()}::uuid
      from changed c left join groups g on g.id = c.before
    )
    select (select count(*)::int from mine) as found, ${held} as held, count(*)::int as changed, array_agg(distinct account_id) as account_ids from changed`)
  const [row] = rows
  if (row === undefined || (wanted !== null && row.found !== wanted.length)) throw new AppError('not_found')
  if (row.held > 0) throw new AppError('level_too_low')
  return { changed: row.changed, accountIds: row.accountIds ?? [] }
}
