import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import type { OwnerScope } from '#server/platform/access-scope.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import type { IncidentRow } from '../health/overview-reading.repo.ts'
import { incidentsInScope } from '../scope.repo.ts'

/** Incidents of a cause that begin within this time of each other are one outage, as long as they overlap. */
const outageMs = 3_600_000
/** Further domains are counted, but their changes are not searched. */
const mostAffected = 5_000

const instant = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`

interface AffectedRow {
  id: string | null
  /** Null: it is no longer in the panel. */
  domainId: string | null
  name: string
  openedAt: string | null
  closedAt: string | null
  total: number
}

/**
 * The domains that fail together with that of an incident, by the start of their incidents; each once.
 * @param isShared false: only a symptom is known, which others may have for another reason
 */
export function listAffected(db: Queryable, scope: OwnerScope, incident: IncidentRow, isShared: boolean): Promise<AffectedRow[]> {
  const [opened, closed] = [Date.parse(incident.openedAt), incident.closedAt === null ? Infinity : Date.parse(incident.closedAt)]
  return db.execute<AffectedRow & Record<string, unknown>>(sql`
    select o.id, z.id as "domainId", o.name, o.opened_at as "openedAt", o.closed_at as "closedAt", (count(*) over ())::int as total from (
      select distinct on (i.name) i.id, i.zone_id, i.name, i.opened_at, i.closed_at from incidents i
      where i.owner_id = ${incident.ownerId}::uuid and i.cause = ${incident.cause}
        and i.opened_at between ${instant(opened - outageMs)} and ${instant(Math.min(opened + outageMs, closed))}
        and (i.closed_at is null or i.closed_at >= ${instant(opened)}) and (i.id = ${incident.id}::uuid or ${isShared ? incidentsInScope(scope, 'i') : sql`false`})
      order by i.name, i.opened_at
    ) o left join zones z on z.id = o.zone_id order by o.opened_at, o.name limit ${mostAffected}`)
}

/** The domains of an account with a problem of its own. */
export const listOfAccount = (db: Queryable, accountId: string) =>
  db.execute<AffectedRow & Record<string, unknown>>(sql`
    select null as id, z.id as "domainId", z.name, null as "openedAt", null as "closedAt", (count(*) over ())::int as total
    from zones z where z.account_id = ${accountId}::uuid and z.gone_at is null order by z.name limit ${mostAffected}`)

/** From where a domain was found down, and when; known while it is down. */
export const listConfirmations = (db: Queryable, domainId: string) =>
  db.execute<{ region: Region; since: string }>(sql`
    select region, since from zone_views where zone_id = ${domainId}::uuid and state = 'down' and since is not null order by since, region`)

export const listAccountsOf = async (db: Queryable, domainIds: readonly string[]): Promise<string[]> => {
  const rows = await db.execute<{ id: string }>(
    sql`select distinct account_id as id from zones where id = any(${sql.param([...domainIds])}::uuid[])`,
  )
  return rows.map(({ id }) => id)
}
