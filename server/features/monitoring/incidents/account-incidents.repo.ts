import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Transaction } from '#server/db/client.ts'
import { runningClocks, toleratedSkewMs } from '#server/platform/process-clocks.repo.ts'
import { causes, causeStart } from '#shared/features/monitoring/cause.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import type { NewIncident } from './incidents.repo.ts'

/** Cause shared by many domains of one owner that are missing from a list, until a person decides. */
const unlisted = causes.code('domains_unlisted')
/** The same for the records of domains, one for all domains of an account. */
const unlistedRecords = causes.code('records_unlisted')
/** Critical changes in an account by others, until a person has reviewed them. */
const changedOutside = causes.code('changed_outside')
/** Concerns servers rather than domains, so administrators are notified. */
const wrongClock = causes.code('clock_wrong')

interface ChangedIncident {
  readonly id: string
  readonly ownerId: string
  readonly cause: string
  readonly reasons: readonly Reason[]
  readonly again: boolean
}

interface AccountTroubles {
  /** Problems without an incident yet: accounts refused by the provider, lists that lack many domains, wrong clocks. */
  readonly begun: readonly NewIncident[]
  /** Open incidents whose reasons have changed, because more or fewer domains are affected. `again`: they are reported again. */
  readonly changed: readonly ChangedIncident[]
  /** Open incidents of problems that are resolved. */
  readonly recovered: readonly { readonly id: string; readonly ownerId: string; readonly cause: string }[]
  /** Open incidents of changes that a person has reviewed. */
  readonly reviewed: readonly { readonly id: string; readonly ownerId: string }[]
  /** Open incidents of accounts that were deleted, or whose owner disabled monitoring. */
  readonly gone: readonly { readonly id: string; readonly ownerId: string }[]
}

const missing = sql`
  select d.account_id, coalesce(a.owner_id, r.owner_id) as owner_id, coalesce(a.email, r.name) as name, cardinality(d.keys) as missing, d.known
  from disappearances d left join accounts a on a.id = d.account_id left join registrars r on r.id = d.registrar_id where d.kept_at is null`

const mostNames = 3
/** The first names of a list, as text. */
function firstOf(names: SQL): SQL {
  return sql`array_to_string((${names})[1:${sql.raw(String(mostNames))}], ', ') || case when cardinality(${names}) > ${mostNames} then ', …' else '' end`
}

/** By account; `reasons` names the first domains. */
const missingRecords = sql`
  select account_id, owner_id, account_email as name, jsonb_build_array(jsonb_build_object('code', 'records_unlisted', 'regions', jsonb_build_array(),
    'params', jsonb_build_object('missing', sum(missing), 'known', sum(known), 'domains', count(*), 'names',
      ${firstOf(sql`array_agg(name order by name)`)}))) as reasons
  from (
    select z.account_id, z.owner_id, a.email as account_email, z.name, h.known, h.missing from record_disappearances h join zones z on z.id = h.zone_id and z.gone_at is null join accounts a on a.id = z.account_id
    where h.kept_at is null
  ) d group by account_id, owner_id, account_email`

const reviewedWithinDays = 7

/** By account; one reason for each kind of change, which names the first domains and actors. */
const criticalChanges = sql`
  select c.account_id, c.owner_id, a.email as name, jsonb_agg(jsonb_build_object('code', 'changed_outside', 'regions', jsonb_build_array(),
    'params', jsonb_build_object('kind', c.critical, 'changes', c.changes, 'names', ${firstOf(sql`c.names`)}, 'actors', ${firstOf(sql`c.actors`)}))
    order by c.critical) as reasons
  from (
    select account_id, owner_id, critical, count(*) as changes, array_agg(distinct coalesce(zone_name, subject, '')) as names,
      array_agg(distinct actor) as actors
    from provider_changes
    where critical is not null and reviewed_at is null and not is_own and changed_at > now() - ${reviewedWithinDays} * interval '1 day'
    group by account_id, owner_id, critical
  ) c join accounts a on a.id = c.account_id group by c.account_id, c.owner_id, a.email`

const wrongClocks = sql`
  select u.id as owner_id, c.host as name, round(max(abs(c.skew_ms)) / 1000.0)::int as seconds from (${runningClocks}) c
  cross join users u where u.role = 'admin' and u.disabled_at is null and abs(c.skew_ms) > ${toleratedSkewMs} group by u.id, c.host`

/** Without the lock, two processes that overlap would both open the incident of a problem. */
export async function listAccountTroubles(tx: Transaction): Promise<AccountTroubles> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('account troubles', 0))`)
  const begun = await tx.execute<NewIncident & Record<string, unknown>>(sql`
    select w.account_id as "accountId", w.owner_id as "ownerId", null as "domainId", null as "groupId", w.name, w.health, w.reasons, w.cause
    from (
      select id as account_id, owner_id, email as name, 'critical' as health, '[]'::jsonb as reasons, ${causeStart.account}::text || id as cause
      from accounts where health = 'auth_error'
      union all
      select account_id, owner_id, name, 'critical', jsonb_build_array(jsonb_build_object('code', 'domains_unlisted', 'regions', jsonb_build_array(),
        'params', jsonb_build_object('missing', missing, 'known', known))), ${unlisted} from (${missing}) m
      union all
      select account_id, owner_id, name, 'critical', reasons, ${unlistedRecords} from (${missingRecords}) r
      union all
      select account_id, owner_id, name, 'critical', reasons, ${changedOutside} from (${criticalChanges}) c
      union all
      select null, owner_id, name, 'warnings', jsonb_build_array(jsonb_build_object('code', 'clock_wrong', 'regions', jsonb_build_array(),
        'params', jsonb_build_object('seconds', seconds))), ${wrongClock} from (${wrongClocks}) c
    ) w join monitor_settings s on s.owner_id = w.owner_id and s.enabled
    where not exists (select from incidents i where i.owner_id = w.owner_id and i.cause = w.cause and i.closed_at is null
      and i.account_id is not distinct from w.account_id and (i.name = w.name or i.cause in (${unlistedRecords}, ${changedOutside})))`)
  const open = await tx.execute<{
    id: string
    ownerId: string
    cause: string
    isRight: boolean
    isGone: boolean
    reasons: Reason[]
    reasonsNow: Reason[] | null
    reportedLately: boolean
  }>(sql`
    select i.id, i.owner_id as "ownerId", i.cause, coalesce(i.open_taken_at, i.opened_at) > now() - interval '1 hour' as "reportedLately", s.enabled is not true or (i.cause not in (${unlisted}, ${wrongClock}) and a.id is null) as "isGone", i.reasons, coalesce(r.reasons, c.reasons) as "reasonsNow",
      case when i.cause = ${unlisted} then not exists (select from (${missing}) m where m.owner_id = i.owner_id
          and m.account_id is not distinct from i.account_id and m.name = i.name)
        when i.cause = ${unlistedRecords} then r.account_id is null
        when i.cause = ${changedOutside} then c.account_id is null
        when i.cause = ${wrongClock} then not exists (select from (${wrongClocks}) c where c.owner_id = i.owner_id and c.name = i.name)
        else a.health in ('working', 'unknown') end as "isRight"
    from incidents i left join accounts a on a.id = i.account_id left join monitor_settings s on s.owner_id = i.owner_id
      left join (${missingRecords}) r on i.cause = ${unlistedRecords} and r.account_id = i.account_id and r.owner_id = i.owner_id
      left join (${criticalChanges}) c on i.cause = ${changedOutside} and c.account_id = i.account_id and c.owner_id = i.owner_id
    where i.closed_at is null and i.zone_id is null`)
  const changed = open.flatMap(({ id, ownerId, cause, isGone, isRight, reasons, reasonsNow, reportedLately }) =>
    isGone || isRight || reasonsNow === null || isDeepStrictEqual(reasons, reasonsNow)
      ? []
      : [{ id, ownerId, cause, reasons: reasonsNow, again: isReportedAgain(reasons, reasonsNow, reportedLately) }],
  )
  const over = open.filter(({ isGone, isRight }) => !isGone && isRight)
  return {
    begun,
    changed,
    recovered: over.filter(({ cause }) => cause !== changedOutside),
    reviewed: over.filter(({ cause }) => cause === changedOutside),
    gone: open.filter(({ isGone }) => isGone),
  }
}

/** Further critical changes are reported immediately if they are of another kind or by others, and otherwise once an hour. */
function isReportedAgain(before: readonly Reason[], now: readonly Reason[], reportedLately: boolean): boolean {
  const keyOf = ({ params }: Reason) => `${String(params['kind'])} ${String(params['actors'])}`
  const count = (reasons: readonly Reason[]) => reasons.reduce((sum, { params }) => sum + Number(params['changes'] ?? 0), 0)
  const known = new Set(before.map(keyOf))
  return count(now) > count(before) && (!reportedLately || now.some((reason) => !known.has(keyOf(reason))))
}
