import { sql } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { incidents } from '#server/db/schema/index.ts'
import type { OwnerScope } from '#server/platform/access-scope.ts'
import { incidentsInScope } from '../scope.repo.ts'
import { firstIdOf } from './incidents.repo.ts'

export type OutageRow = RawRow<typeof incidents, 'id' | 'ownerId' | 'cause' | 'reasons' | 'openedAt'> & {
  health: 'critical' | 'warnings'
  count: number
  names: string[]
  endedAt: string | null
}

const mostNames = 3
/** The newest incidents, of which outages are made: a shared cause can have thousands. */
const mostIncidents = 5_000

/** Incidents by cause, those that began within the same ten minutes together; without those of muted domains. */
export const listOutageRows = (db: Queryable, scope: OwnerScope, { since, limit }: { readonly since: Date; readonly limit: number }) =>
  db.execute<OutageRow>(sql`
    select owner_id, cause, health, (array_agg(id order by id))[1] as id, count(distinct name)::int as count,
      (array_agg(name order by id))[1:${sql.raw(String(mostNames))}] as names, (jsonb_agg(reasons order by id)) -> 0 as reasons,
      max(opened_at) as opened_at, case when bool_and(closed_at is not null) then max(closed_at) end as ended_at
    from (
      select i.* from incidents i left join zone_monitors m on m.zone_id = i.zone_id
      where ${incidentsInScope(scope, 'i')} and i.id >= ${firstIdOf(since.getTime())}::uuid and i.opened_at >= ${since.toISOString()}::timestamptz
        and (m.muted_until is null or m.muted_until <= i.opened_at)
      order by i.id desc limit ${mostIncidents}
    ) i
    group by owner_id, cause, health, date_bin('10 minutes', opened_at, 'epoch'::timestamptz) order by max(opened_at) desc limit ${limit}`)
