import { sql } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { zones } from '#server/db/schema/index.ts'
import { escapeLike } from '#shared/text.ts'
import type { RegistrarRow } from '../registrars.repo.ts'

export interface DelegationFilter {
  /** Null: all owners. */
  readonly ownerId: string | null
  readonly state: 'waiting' | 'elsewhere' | null
  readonly registrar: 'MANUAL' | 'API_ENABLED' | 'none' | { readonly id: string } | null
  readonly search: string
  /** Only domains assigned exactly these name servers. */
  readonly nameServers: readonly string[] | null
}

export type DelegationRow = RawRow<typeof zones, 'id' | 'name' | 'registrarId'> & {
  email: string
  active: boolean
  assigned: string[]
  registered: string[] | null
  registrarName: string | null
  registrarType: RegistrarRow['type'] | null
  registrarProvider: RegistrarRow['provider'] | null
}

/** Conditions on zones `z`, worded to match the partial index. */
function matching({ ownerId, state, registrar, search, nameServers }: DelegationFilter) {
  return sql`where z.gone_at is null and z.type <> 'partial' and cardinality(z.name_servers) > 1 and (z.status <> 'active' or z.elsewhere)
    ${ownerId === null ? sql`` : sql`and z.owner_id = ${ownerId}::uuid`}
    ${state === null ? sql`` : state === 'waiting' ? sql`and z.status <> 'active'` : sql`and z.status = 'active'`}
    ${
      registrar === null
        ? sql``
        : registrar === 'none'
          ? sql`and z.registrar_id is null`
          : typeof registrar === 'object'
            ? sql`and z.registrar_id = ${registrar.id}::uuid`
            : sql`and z.registrar_id = any(array(select r.id from registrars r where r.type = ${registrar}))`
    }
    ${search === '' ? sql`` : sql`and z.search like ${`%${escapeLike(search)}%`}`}
    ${nameServers === null ? sql`` : sql`and z.name_servers = ${sql.param([...nameServers])}::text[]`}`
}

/** By assigned pair, then by name. */
export async function listDelegations(
  db: Queryable,
  filter: DelegationFilter,
  page: { readonly after: string | null; readonly limit: number },
): Promise<{
  readonly rows: readonly DelegationRow[]
  readonly total: number
  readonly pairs: readonly { readonly nameServers: string[]; readonly count: number }[]
}> {
  const where = matching(filter)
  const after =
    page.after === null
      ? sql``
      : sql`and (z.name_servers, z.name, z.id) > (select c.name_servers, c.name, c.id from zones c where c.id = ${page.after}::uuid)`
  const rows = await db.execute<DelegationRow>(sql`
    select z.id, z.name, a.email, z.status = 'active' as active, z.name_servers as assigned, n.name_servers as registered,
      z.registrar_id, r.name as registrar_name, r.type as registrar_type, r.provider as registrar_provider
    from (select z.id from zones z ${where} ${after} order by z.name_servers, z.name, z.id limit ${page.limit}) p
      join zones z on z.id = p.id join accounts a on a.id = z.account_id left join registrars r on r.id = z.registrar_id
      left join registrar_names n on n.registrar_id = z.registrar_id and n.name = z.name and n.gone_at is null
    order by z.name_servers, z.name, z.id`)
  const pairs = await db.execute<{ nameServers: string[]; count: number; total: number }>(sql`
    select z.name_servers, count(*)::int as count, (sum(count(*)) over ())::int as total
    from zones z ${where} group by z.name_servers order by 2 desc, 1 limit 200`)
  return { rows, total: pairs[0]?.total ?? 0, pairs: pairs.map(({ nameServers, count }) => ({ nameServers, count })) }
}

/** All that match, by name. */
export const listDelegationNames = (db: Queryable, filter: DelegationFilter, limit: number) =>
  db.execute<{ id: string; name: string }>(sql`select z.id, z.name from zones z ${matching(filter)} order by z.name, z.id limit ${limit}`)
