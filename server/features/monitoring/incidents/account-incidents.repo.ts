import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { toJson } from '#server/db/client.ts'
import type { Transaction } from '#server/db/client.ts'
import { runningClocks, toleratedSkewMs } from '#server/platform/process-clocks.repo.ts'
import { causes, causeStart, isForReview } from '#shared/features/monitoring/cause.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import type { NewIncident } from './incidents.repo.ts'

/** Cause shared by many domains of one owner that are missing from a list, until a person decides. */
const unlisted = causes.code('domains_unlisted')
/** The same for the records of domains, one for all domains of an account. */
const unlistedRecords = causes.code('records_unlisted')
/** Critical changes in an account by others, until a person has reviewed them. */
const changedOutside = causes.code('changed_outside')
/** Abuse reports about an account that nobody works on yet. */
const abuseReported = causes.code('abuse_reported')
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
  /** Open incidents of changes and abuse reports that a person has reviewed. */
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
const mostReasons = 20

interface ForReview {
  readonly cause: string
  readonly accountId: string
  readonly ownerId: string
  readonly name: string
  readonly reasons: readonly Reason[]
}

/**
 * Accounts with unreviewed critical changes that others made since the account was added; one reason for each kind and actor, latest first, which
 * names the first domains.
 */
const listCriticalChanges = (tx: Transaction) =>
  tx.execute<ForReview & Record<string, unknown>>(sql`
    select ${changedOutside}::text as cause, c.account_id as "accountId", c.owner_id as "ownerId", c.email as name, jsonb_agg(jsonb_build_object('code', 'changed_outside',
      'regions', jsonb_build_array(), 'params', jsonb_build_object('kind', c.critical, 'actor', c.actor, 'changes', c.changes,
        'names', ${firstOf(sql`c.names`)})) order by c.position) as reasons
    from (
      select account_id, owner_id, email, critical, actor, sum(changes)::int as changes, array_agg(name order by name) as names,
        row_number() over (partition by account_id order by max(latest) desc, critical, actor) as position
      from (
        select c.account_id, c.owner_id, a.email, c.critical, left(c.actor, 80) as actor, coalesce(c.zone_name, c.subject, '') as name,
          count(*) as changes, max(c.changed_at) as latest
        from provider_changes c join accounts a on a.id = c.account_id join monitor_settings s on s.owner_id = c.owner_id and s.enabled
        where c.critical is not null and c.reviewed_at is null and not c.is_own and c.changed_at > a.created_at
          and c.changed_at > now() - ${reviewedWithinDays} * interval '1 day'
        group by 1, 2, 3, 4, 5, 6
      ) n group by 1, 2, 3, 4, 5
    ) c where c.position <= ${mostReasons} group by c.account_id, c.owner_id, c.email`)

const reportedWithinDays = 30

/**
 * Accounts with abuse reports since the account was added that nobody works on yet; one reason for each kind, latest first, which names the first
 * domains. Ids are in the order of arrival, so the greatest is that of the newest report.
 */
const listAbuseReports = (tx: Transaction) =>
  tx.execute<ForReview & Record<string, unknown>>(sql`
    select ${abuseReported}::text as cause, r.account_id as "accountId", r.owner_id as "ownerId", r.email as name,
      jsonb_agg(jsonb_build_object('code', 'abuse_reported', 'regions', jsonb_build_array(), 'params', jsonb_build_object('kind', r.kind,
        'reports', r.reports, 'newest', r.newest, 'names', ${firstOf(sql`r.names`)})) order by r.latest desc, r.kind) as reasons
    from (
      select r.account_id, r.owner_id, a.email, r.kind, count(*) as reports, max(r.reported_at) as latest,
        max(r.id::text) as newest, array_agg(distinct r.domain order by r.domain) as names
      from abuse_reports r join accounts a on a.id = r.account_id join monitor_settings s on s.owner_id = r.owner_id and s.enabled
      where r.state = 'open' and r.reported_at > a.created_at and r.reported_at > now() - ${reportedWithinDays} * interval '1 day'
      group by 1, 2, 3, 4
    ) r group by r.account_id, r.owner_id, r.email`)

const wrongClocks = sql`
  select u.id as owner_id, c.host as name, round(max(abs(c.skew_ms)) / 1000.0)::int as seconds from (${runningClocks}) c
  cross join users u where u.role = 'admin' and u.disabled_at is null and abs(c.skew_ms) > ${toleratedSkewMs} group by u.id, c.host`

/** Without the lock, two processes that overlap would both open the incident of a problem. */
export async function listAccountTroubles(tx: Transaction): Promise<AccountTroubles> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('account troubles', 0))`)
  const forReview = toJson([...(await listCriticalChanges(tx)), ...(await listAbuseReports(tx))])
  const changes = sql`select cause, "accountId" as account_id, "ownerId" as owner_id, name, reasons
    from json_to_recordset(${forReview}::text::json) as c (cause text, "accountId" uuid, "ownerId" uuid, name text, reasons jsonb)`
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
      select account_id, owner_id, name, 'critical', reasons, cause from (${changes}) c
      union all
      select null, owner_id, name, 'warnings', jsonb_build_array(jsonb_build_object('code', 'clock_wrong', 'regions', jsonb_build_array(),
        'params', jsonb_build_object('seconds', seconds))), ${wrongClock} from (${wrongClocks}) c
    ) w join monitor_settings s on s.owner_id = w.owner_id and s.enabled
    where not exists (select from incidents i where i.owner_id = w.owner_id and i.cause = w.cause and i.closed_at is null
      and i.account_id is not distinct from w.account_id and (i.name = w.name or i.cause in (${unlistedRecords}, ${changedOutside}, ${abuseReported})))`)
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
        when i.cause in (${changedOutside}, ${abuseReported}) then c.account_id is null
        when i.cause = ${wrongClock} then not exists (select from (${wrongClocks}) c where c.owner_id = i.owner_id and c.name = i.name)
        else a.health in ('working', 'unknown') end as "isRight"
    from incidents i left join accounts a on a.id = i.account_id left join monitor_settings s on s.owner_id = i.owner_id
      left join (${missingRecords}) r on i.cause = ${unlistedRecords} and r.account_id = i.account_id and r.owner_id = i.owner_id
      left join (${changes}) c on c.cause = i.cause and c.account_id = i.account_id and c.owner_id = i.owner_id
    where i.closed_at is null and i.zone_id is null`)
  const changed = open.flatMap(({ id, ownerId, cause, isGone, isRight, reasons, reasonsNow, reportedLately }) => {
    if (isGone || isRight || reasonsNow === null || isDeepStrictEqual(reasons, reasonsNow)) return []
    const news = isForReview(cause) ? compareReviews(reasons, reasonsNow) : 'others'
    return news === 'more' && reportedLately ? [] : [{ id, ownerId, cause, reasons: reasonsNow, again: news === 'new' || news === 'more' }]
  })
  const over = open.filter(({ isGone, isRight }) => !isGone && isRight)
  return {
    begun,
    changed,
    recovered: over.filter(({ cause }) => !isForReview(cause)),
    reviewed: over.filter(({ cause }) => isForReview(cause)),
    gone: open.filter(({ isGone }) => isGone),
  }
}

/**
 * Critical changes of another kind or by another actor, and abuse reports of another kind, are new and reported immediately. More of the same are
 * reported once an hour, and the incident stays as it was reported until then.
 */
function compareReviews(before: readonly Reason[], now: readonly Reason[]): 'new' | 'more' | 'others' {
  const keyOf = ({ params }: Reason) => JSON.stringify([params['kind'], params['actor']])
  const known = new Map(before.map((reason) => [keyOf(reason), reason.params]))
  if (now.some((reason) => !known.has(keyOf(reason)))) return 'new'
  const isMore = (reason: Reason) => {
    const [earlier, { newest, changes }] = [known.get(keyOf(reason)), reason.params]
    // Of abuse reports, one may have been closed while another arrived.
    if (newest !== undefined) return String(newest) > String(earlier?.['newest'] ?? '')
    return now.length === before.length && Number(changes ?? 0) > Number(earlier?.['changes'] ?? 0)
  }
  return now.some(isMore) ? 'more' : 'others'
}
