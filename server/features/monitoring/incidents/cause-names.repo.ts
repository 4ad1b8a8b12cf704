import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { causeStart, readCause } from '#shared/features/monitoring/cause.ts'

/** The name of a cause: the account's name or email, or the registrar's or tracker's name. */
export interface CauseNaming {
  readonly name: string
  /** For an account: the number of its domains, and the first of them by name. */
  readonly domains: number
  readonly first: readonly string[]
}

export const mostNames = 10

/** Names for causes; those other than accounts, registrars and trackers are left out. */
export async function describeCauses(db: Queryable, causes: readonly string[]): Promise<Map<string, CauseNaming>> {
  const idsOf = (kind: 'account' | 'registrar' | 'tracker') =>
    causes.map(readCause).flatMap((cause) => (cause.kind === kind ? [cause.id] : []))
  const rows = await db.execute<{ cause: string; name: string; domains: number; first: string[] }>(sql`
    select ${causeStart.account}::text || a.id as cause, coalesce(nullif(a.name, ''), a.email) as name,
      (select count(*)::int from zones z where z.account_id = a.id and z.gone_at is null) as domains,
      array(select z.name from zones z where z.account_id = a.id and z.gone_at is null order by z.name limit ${mostNames}) as first
    from accounts a where a.id = any(${sql.param(idsOf('account'))}::text[]::uuid[])
    union all
    select ${causeStart.registrar}::text || r.id, r.name, 0, '{}' from registrars r where r.id = any(${sql.param(idsOf('registrar'))}::text[]::uuid[])
    union all
    select ${causeStart.tracker}::text || t.id, t.name, 0, '{}' from trackers t where t.id = any(${sql.param(idsOf('tracker'))}::text[]::uuid[])`)
  return new Map(rows.map(({ cause, name, domains, first }) => [cause, { name, domains, first }]))
}
