import { eq, inArray, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { registrarNames, registrars, zones } from '#server/db/schema/index.ts'
import type { RegistrarRow } from './registrars.repo.ts'

/** Only existing registrars, of any owner, locked until the transaction ends. */
export async function listNamed(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, Pick<RegistrarRow, 'name' | 'ownerId' | 'type' | 'provider'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: registrars.id, name: registrars.name, ownerId: registrars.ownerId, type: registrars.type, provider: registrars.provider })
    .from(registrars)
    .where(inArray(registrars.id, [...ids]))
    .for('key share')
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

export type Attached = Awaited<ReturnType<typeof listAttachedZones>>[number]

/** Zones with their registrars. */
export const listAttachedZones = (db: Queryable, domainIds: readonly string[]) =>
  db
    .select({
      domainId: zones.id,
      ownerId: zones.ownerId,
      name: zones.name,
      /** Assigned by Cloudflare. */
      assigned: zones.nameServers,
      /** The domain uses the name servers of its active zone. */
      served: sql<boolean>`${zones.status} = 'active' and ${zones.type} <> 'partial' and not ${zones.elsewhere}`,
      registrarId: zones.registrarId,
      registrarName: registrars.name,
      registrarType: registrars.type,
      registrarProvider: registrars.provider,
      /** From the registrar's list; null: it does not report them, or has no such name. */
      registered: registrarNames.nameServers,
    })
    .from(zones)
    .leftJoin(registrars, eq(registrars.id, zones.registrarId))
    .leftJoin(
      registrarNames,
      sql`${registrarNames.registrarId} = ${zones.registrarId} and ${registrarNames.name} = ${zones.name} and ${registrarNames.goneAt} is null`,
    )
    .where(sql`${zones.id} = any(${sql.param([...domainIds])}::uuid[])`)

/** Stores what the registrar has just confirmed. */
export async function updateNameServers(
  db: Queryable,
  of: { readonly registrarId: string; readonly name: string },
  nameServers: readonly string[],
  at: Date,
): Promise<void> {
  await db
    .update(registrarNames)
    .set({ nameServers: [...nameServers], nameServersAt: at })
    .where(sql`${registrarNames.registrarId} = ${of.registrarId} and ${registrarNames.name} = ${of.name}`)
}

export async function listRegistrarIds(db: Queryable, ownerId: string): Promise<Set<string>> {
  const rows = await db.select({ id: registrars.id }).from(registrars).where(eq(registrars.ownerId, ownerId))
  return new Set(rows.map(({ id }) => id))
}
