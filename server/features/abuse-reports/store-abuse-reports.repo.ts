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

/**
 * Stores the reports of an account, and what the provider changed in known ones. What people noted stays.
 * @returns how many were new or changed
 */
export async function storeAbuseReports(tx: Queryable, account: Of, reports: readonly HostedAbuseReport[]): Promise<number> {
  // A report that is listed twice in one answer is stored once.
  const rows = [...new Map(reports.map((report) => [report.reportId, { ...report, parents: parentsOf(report.domain) }])).values()]
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
    on conflict (account_id, report_id) do update set kind = excluded.kind, status = excluded.status, justification = excluded.justification,
      original_work = excluded.original_work, submitter = excluded.submitter, urls = excluded.urls, accepted_urls = excluded.accepted_urls,
      active = excluded.active, pending = excluded.pending, in_review = excluded.in_review, host_notified = excluded.host_notified,
      mitigations_due = known.mitigations_due
        or (known.active, known.pending, known.in_review) is distinct from (excluded.active, excluded.pending, excluded.in_review)
    where (known.kind, known.status, known.justification, known.original_work, known.submitter, known.urls, known.accepted_urls, known.active,
        known.pending, known.in_review, known.host_notified)
      is distinct from (excluded.kind, excluded.status, excluded.justification, excluded.original_work, excluded.submitter, excluded.urls,
        excluded.accepted_urls, excluded.active, excluded.pending, excluded.in_review, excluded.host_notified)
    returning known.id`)
  return stored.length
}

/** Mitigations that are pending become active, so those of their reports are read again. */
export async function updatePendingDue(tx: Queryable, accountId: string): Promise<void> {
  await tx.execute(
    sql`update abuse_reports set mitigations_due = true where account_id = ${accountId} and pending > 0 and not mitigations_due`,
  )
}

/** Reports whose mitigations have to be read, newest first. */
export async function listMitigationsDue(db: Queryable, accountId: string, limit: number): Promise<string[]> {
  const rows = await db.execute<{ reportId: string }>(sql`
    select report_id as "reportId" from abuse_reports where account_id = ${accountId} and mitigations_due order by reported_at desc limit ${limit}`)
  return rows.map(({ reportId }) => reportId)
}

/** Null: the report is gone at the provider, so its mitigations are not read again. */
export async function updateMitigations(
  tx: Queryable,
  accountId: string,
  reportId: string,
  mitigations: readonly Mitigation[] | null,
): Promise<void> {
  await tx.execute(
    mitigations === null
      ? sql`update abuse_reports set mitigations_due = false where account_id = ${accountId} and report_id = ${reportId}`
      : sql`update abuse_reports set mitigations = ${toJson(mitigations)}::text::jsonb, mitigations_read_at = now(), mitigations_due = false
          where account_id = ${accountId} and report_id = ${reportId}`,
  )
}
