import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import type { HostedAbuseReport } from '#server/ports/dns-host.ts'
import type { Mitigation } from '#shared/features/abuse-reports/schema.ts'

interface Of {
  readonly id: string
  readonly ownerId: string
}

/** `a.b.example`, `b.example`, `example`: the names of zones that it can belong to. */
const parentsOf = (domain: string) => {
  const labels = domain.split('.')
  return labels.map((_label, from) => labels.slice(from).join('.'))
}

function toRow(report: HostedAbuseReport) {
  const domain = report.domain.endsWith('.') ? report.domain.slice(0, -1) : report.domain
  return { ...report, domain, parents: parentsOf(domain) }
}

/**
 * Stores the reports of an account, and what the provider changed in known ones. What people noted stays.
 * @returns how many were new or changed
 */
export async function storeAbuseReports(tx: Queryable, account: Of, reports: readonly HostedAbuseReport[]): Promise<number> {
  // A report that is listed twice in one answer is stored once.
  const rows = [...new Map(reports.map((report) => [report.reportId, toRow(report)])).values()]
  if (rows.length === 0) return 0
  const stored = await tx.execute(sql`
    insert into abuse_reports as known (owner_id, account_id, report_id, reported_at, domain, zone_name, kind, status, justification,
      original_work, submitter, urls, accepted_urls, active, pending, in_review, host_notified, mitigations_due)
    select ${account.ownerId}::uuid, ${account.id}::uuid, r."reportId", r."reportedAt", r.domain,
      coalesce((select z.name from zones z where z.owner_id = ${account.ownerId} and z.account_id = ${account.id}
        and z.name in (select json_array_elements_text(r.parents)) order by length(z.name) desc limit 1), r.domain),
      r.kind, r.status, r.justification, r."originalWork", r.submitter, r.urls, r."acceptedUrls", r.active, r.pending, r."inReview",
      r."hostNotified", r.active + r.pending + r."inReview" > 0
    from json_to_recordset(${toJson(rows)}::text::json) as r ("reportId" text, "reportedAt" timestamptz, domain text, parents json, kind abuse_kind,
      status abuse_status, justification text, "originalWork" text, submitter jsonb, urls jsonb, "acceptedUrls" integer, active integer,
      pending integer, "inReview" integer, "hostNotified" boolean)
    on conflict (account_id, report_id) do update set domain = excluded.domain, zone_name = excluded.zone_name, kind = excluded.kind, status = excluded.status, justification = excluded.justification,
      original_work = excluded.original_work, submitter = excluded.submitter, urls = excluded.urls, accepted_urls = excluded.accepted_urls,
      active = excluded.active, pending = excluded.pending, in_review = excluded.in_review, host_notified = excluded.host_notified,
      mitigations_due = known.mitigations_due
        or (known.active, known.pending, known.in_review) is distinct from (excluded.active, excluded.pending, excluded.in_review)
    where (known.domain, known.zone_name, known.kind, known.status, known.justification, known.original_work, known.submitter, known.urls, known.accepted_urls, known.active,
        known.pending, known.in_review, known.host_notified)
      is distinct from (excluded.domain, excluded.zone_name, excluded.kind, excluded.status, excluded.justification, excluded.original_work, excluded.submitter, excluded.urls,
        excluded.accepted_urls, excluded.active, excluded.pending, excluded.in_review, excluded.host_notified)
    returning known.id`)
  return stored.length
}

/** Mitigations that are pending become active, so those of their reports are read again, and those that could not be read too. */
export async function updatePendingDue(tx: Queryable, accountId: string): Promise<void> {
  await tx.execute(sql`
    update abuse_reports set mitigations_due = true where account_id = ${accountId} and not mitigations_due
      and (pending > 0 or (mitigations_read_at is null and active + in_review > 0))`)
}

export interface MitigationsDue {
  readonly id: string
  readonly reportId: string
  /** Differs after any change of the row, such as an appeal. */
  readonly version: string
}

/** Reports whose mitigations have to be read, newest first. */
export async function listMitigationsDue(db: Queryable, accountId: string, limit: number): Promise<MitigationsDue[]> {
  return db.execute<MitigationsDue & Record<string, unknown>>(sql`
    select id, report_id as "reportId", xmin::text as version from abuse_reports where account_id = ${accountId} and mitigations_due
    order by reported_at desc limit ${limit}`)
}

/**
 * Stores what was read, unless the report has changed since: an appeal may have been sent meanwhile, so they are read again. `gone`: the report
 * is gone at the provider; `failed`: they could not be read. Neither is read again before the reports are read from the beginning.
 */
export async function updateMitigations(
  tx: Queryable,
  { id, version }: MitigationsDue,
  read: readonly Mitigation[] | 'gone' | 'failed',
): Promise<void> {
  const values =
    read === 'gone'
      ? sql`mitigations_read_at = now()`
      : read === 'failed'
        ? sql`mitigations_read_at = null`
        : sql`mitigations = ${toJson(read)}::text::jsonb, mitigations_read_at = now()`
  await tx.execute(sql`update abuse_reports set ${values}, mitigations_due = false where id = ${id} and xmin::text = ${version}`)
}

/** @returns how many were deleted, at most `limit` */
export async function deleteOldReports(db: Queryable, days: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from abuse_reports where id in (
      select id from abuse_reports where reported_at < now() - ${days} * interval '1 day' order by reported_at, id limit ${limit}) returning id`)
  return rows.length
}
