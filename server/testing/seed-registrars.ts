import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/client.ts'

/**
 * Two API registrars that together list four of five of the owner's domains; one in twenty has an unknown expiry, and as many have expired.
 */
export async function seedRegistrars({ sql }: Database, ownerId: string): Promise<string[]> {
  const ids = [randomUUID(), randomUUID()]
  await sql`
    insert into registrars (id, owner_id, name, type, provider, credential_sealed, credential_fields, credential_hash)
    select id, ${ownerId}, 'Registrar ' || i, 'API_ENABLED', 'PORKBUN', 'v1.none', '{apiKey,apiSecret}', id::text
    from unnest(${ids}::uuid[]) with ordinality as r (id, i)`
  await sql`
    insert into registrar_names (registrar_id, name, expires_at, auto_renew, name_servers)
    select (${ids}::uuid[])[1 + d % 2], name,
      case when d / 2 % 20 = 0 then null when d / 2 % 20 = 1 then now() - interval '12 hours' - (d / 40 % 30 + 1) * interval '1 day'
        else now() - interval '12 hours' + d / 40 % 365 * interval '1 day' end,
      d / 80 % 4 > 0, case when d / 160 % 50 = 0 then array['ns1.parked.example', 'ns2.parked.example'] else wanted end
    from (select name, abs(hashtext(name)) as d, max(name_servers) as wanted from zones where owner_id = ${ownerId} group by name) z where d % 5 > 0`
  await sql`
    update zones z set registrar_id = n.registrar_id from registrar_names n where n.registrar_id = any(${ids}::uuid[]) and n.name = z.name and z.owner_id = ${ownerId}`
  await sql`analyze zones, registrar_names`
  return ids
}
