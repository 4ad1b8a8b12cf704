import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable, Joined, RawRow } from '#server/db/client.ts'
import type { registrarNames, registrars } from '#server/db/schema/index.ts'

export type HeldNameRow = RawRow<typeof registrarNames, 'name' | 'expiresAt' | 'autoRenew' | 'renewalMinor' | 'renewalCurrency'> &
  Joined<typeof registrars, 'type' | 'provider'> & {
    domainId: string | null
    /** Null: no registrar lists the domain, and it is attached to none. */
    registrarId: string | null
    registrarName: string | null
    registrarOwnerId: string | null
    /** False: attached manually, or no longer in the registrar's list. */
    listed: boolean
  }

const columns = sql`r.id as registrar_id, r.name as registrar_name, r.owner_id as registrar_owner_id, r.type, r.provider, n.id is not null as listed,
  n.expires_at, n.auto_renew, n.renewal_minor::float8 as renewal_minor, n.renewal_currency`

const listHeld = (db: Queryable, where: SQL) =>
  db.execute<HeldNameRow>(sql`
    select n.name, z.id as zone_id, ${columns} from registrar_names n join registrars r on r.id = n.registrar_id
      left join lateral (select id from zones where owner_id = r.owner_id and name = n.name and gone_at is null order by id limit 1) z on true
    where ${where} and n.gone_at is null order by n.name, n.id`)

/** Listed names by their ids, of any owner, by name. */
export const listHeldById = (db: Queryable, ids: readonly string[]) => listHeld(db, sql`n.id = any(${sql.param([...ids])}::uuid[])`)

/** As `listHeldById`, by registrar and name. */
export const listHeldByName = (db: Queryable, names: readonly { readonly registrarId: string; readonly name: string }[]) =>
  listHeld(
    db,
    sql`(n.registrar_id, n.name) in (
      select * from unnest(${sql.param(names.map(({ registrarId }) => registrarId))}::uuid[], ${sql.param(names.map(({ name }) => name))}::text[]))`,
  )

/** Domains with their entry in a list of their owner's registrars, preferring the one they are attached to. */
export const listHeldByZone = (db: Queryable, domainIds: readonly string[]) =>
  db.execute<HeldNameRow>(sql`
    select z.name, z.id as zone_id, ${columns} from zones z
      left join lateral (
        select n.* from registrar_names n join registrars o on o.id = n.registrar_id
        where n.name = z.name and n.gone_at is null and o.owner_id = z.owner_id and (not o.sandbox or o.id = z.registrar_id)
        order by o.id = z.registrar_id desc nulls last, n.id limit 1
      ) n on true
      left join registrars r on r.id = coalesce(n.registrar_id, z.registrar_id)
    where z.id = any(${sql.param([...domainIds])}::uuid[]) order by z.name, z.id`)

/** Locks the name until the transaction ends. @returns the previous value; undefined when the list does not have the name */
export async function updateAutoRenew(
  db: Queryable,
  { registrarId, name }: { readonly registrarId: string; readonly name: string },
  enabled: boolean,
): Promise<boolean | null | undefined> {
  const [row] = await db.execute<{ before: boolean | null }>(sql`
    with old as (
      select id, auto_renew from registrar_names where registrar_id = ${registrarId}::uuid and name = ${name} and gone_at is null for no key update
    )
    update registrar_names n set auto_renew = ${enabled} from old where n.id = old.id returning old.auto_renew as before`)
  return row === undefined ? undefined : row.before
}
