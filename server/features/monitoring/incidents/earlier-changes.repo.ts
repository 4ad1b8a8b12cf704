import { sql } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { operations } from '#server/db/schema/index.ts'
import type { EarlierChange } from '#shared/features/monitoring/reports.ts'
import { harmlessKinds } from '#shared/features/operations/registry.ts'
import type { ChangeKind } from '#shared/features/provider-changes/schema.ts'

/** Of a domain that fails, changes this long before are worth a look. */
const earlierMs = 3_600_000
export const mostChanges = 20

/** What failed, and when the first of it was found down. */
export interface Failed {
  readonly domainIds: readonly string[]
  /** The accounts themselves, besides their domains. */
  readonly accountIds: readonly string[]
  readonly at: Date
}

type Change = Pick<EarlierChange, 'domains' | 'subject'> & { actor: string | null; at: string; kinds: readonly ChangeKind[] }
export type PanelChange = Change & {
  source: 'operation' | 'panel' | 'revert'
  accountId: string | null
  accountName: string | null
  operation:
    | (Pick<RawRow<typeof operations, 'id' | 'ownerId' | 'kind' | 'input'>, 'id' | 'ownerId' | 'kind' | 'input'> & { undoable: boolean })
    | null
}
export type ProviderChangeBefore = Change & { accountId: string | null; accountName: string | null }

const uuids = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`

const kindOf = sql`(case subject when 'record' then 'records' when 'setting' then 'settings' when 'zone' then 'zone' else 'rules' end)`
const during = (column: string, { at }: Failed) => sql`
  ${sql.raw(column)} > ${new Date(at.getTime() - earlierMs).toISOString()}::timestamptz and ${sql.raw(column)} <= ${at.toISOString()}::timestamptz`

/**
 * Changes of these domains and accounts in the panel in the hour before: those of the most domains first, then the latest. The items of operations
 * show what no history has, such as name servers at a registrar.
 */
export function listPanelChanges(db: Queryable, failed: Failed): Promise<PanelChange[]> {
  return db.execute<PanelChange & Record<string, unknown>>(sql`
    with touched as (
      select coalesce(batch_id, id) as batch, zone_id as place, null::uuid as account_id, at, source::text, actor_name, ${kindOf} as kind, label from zone_changes
      where zone_id = any(${uuids(failed.domainIds)}) and ${during('at', failed)} and source <> 'outside'
        and not (subject = 'zone' and key in ('group', 'registrar', 'profile'))
      union all
      select coalesce(batch_id, id), null, account_id, at, source::text, actor_name, ${kindOf}, label from account_changes
      where account_id = any(${uuids(failed.accountIds)}) and ${during('at', failed)} and source <> 'outside'
      union all
      select i.operation_id, i.zone_id, null, i.finished_at, 'operation', null, null, null from operation_items i
      where i.zone_id = any(${uuids(failed.domainIds)}) and ${during('i.finished_at', failed)} and i.state in ('done', 'undone')
    ), grouped as (
      select batch, max(at) as at, count(distinct place)::int as domains, min(source) as source, max(actor_name) as actor, min(account_id::text)::uuid as account_id,
        coalesce(array_agg(distinct kind) filter (where kind is not null), '{}') as kinds,
        case when count(distinct label) = 1 then min(label) end as subject
      from touched t where not exists (select from operations o where o.id = t.batch and o.kind = any(${sql.param(harmlessKinds)}::text[]))
      group by batch order by domains desc, at desc limit ${mostChanges}
    )
    select g.at, case when o.id is null then g.source else 'operation' end as source, coalesce(o.actor_name, g.actor) as actor, g.kinds, g.domains, g.subject,
      a.id as "accountId", coalesce(nullif(a.name, ''), a.email) as "accountName",
      case when o.id is not null then json_build_object('id', o.id, 'ownerId', o.owner_id, 'kind', o.kind, 'input', o.input,
        'undoable', o.finished_at is not null and coalesce((o.counts ->> 'done')::int, 0) + coalesce((o.counts ->> 'attention')::int, 0) > 0) end as operation
    from grouped g left join operations o on o.id = g.batch left join accounts a on a.id = g.account_id and g.domains = 0
    order by g.domains desc, g.at desc`)
}

/** Changes by others at the provider, in the same order: those of one person or token are one. */
export function listProviderChangesBefore(db: Queryable, failed: Failed): Promise<ProviderChangeBefore[]> {
  return db.execute<ProviderChangeBefore & Record<string, unknown>>(sql`
    select g.*, coalesce(nullif(a.name, ''), a.email) as "accountName" from (
      select c.actor, max(c.changed_at) as at, count(distinct c.provider_zone_id)::int as domains, array_agg(distinct c.kind::text) as kinds,
        case when count(distinct c.subject) = 1 then min(c.subject) end as subject, null::uuid as "accountId"
      from zones z join provider_changes c on c.owner_id = z.owner_id and c.provider_zone_id = z.zone_id and ${during('c.changed_at', failed)} and not c.is_own
      where z.id = any(${uuids(failed.domainIds)}) group by c.actor
      union all
      select c.actor, max(c.changed_at), 0, '{account}', case when count(distinct c.subject) = 1 then min(c.subject) end, c.account_id
      from provider_changes c
      where c.account_id = any(${uuids(failed.accountIds)}) and c.kind = 'account' and ${during('c.changed_at', failed)} and not c.is_own
      group by c.actor, c.account_id
    ) g left join accounts a on a.id = g."accountId" order by g.domains desc, g.at desc limit ${mostChanges}`)
}
