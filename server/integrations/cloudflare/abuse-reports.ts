import type { AbuseCalls, HostedAbuseReport } from '#server/ports/dns-host.ts'
import { mitigationStatus } from '#shared/features/abuse-reports/schema.ts'
import type { AbuseKind, Mitigation } from '#shared/features/abuse-reports/schema.ts'
import type { Client } from './client.ts'
import { hostName, instant, textOf } from './from-wire.ts'
import * as wire from './wire.ts'

const perPage = 50
/** Of the mitigations of one report; the rest would not help a person. */
const mostPages = 10
const longestParagraph = 10_000
/** As many as Cloudflare accepts in a report. */
const mostUrls = 250
const longestUrl = 2_000
const longestDomain = 253

/** Reports of abuse in accounts, and their mitigations. */
export function abuseCalls({ call }: Client): AbuseCalls {
  const reports = '/accounts/{account}/abuse-reports'
  return {
    listAbuseReports: async (account, { since, page }, options) => {
      const query = { created_after: since.toISOString(), sort: 'cdate,asc', page, per_page: perPage }
      const { result, info } = await call(
        { method: 'GET', path: reports, ids: { account }, query, repeat: 'read' },
        wire.abuseReports,
        options,
      )
      const found = result.reports ?? []
      return {
        reports: found.flatMap((report) => (report === null ? [] : (toReport(report) ?? []))),
        isLast: isLastPage(found.length, page, info),
      }
    },
    listMitigations: async (account, report, options) => {
      const all: Mitigation[] = []
      for (let page = 1; page <= mostPages; page += 1) {
        const target = {
          method: 'GET',
          path: `${reports}/{report}/mitigations`,
          ids: { account, report },
          query: { page, per_page: perPage },
          repeat: 'read',
        } as const
        const { result, info } = await call(target, wire.mitigations, options)
        const found = result.mitigations ?? []
        all.push(...found.flatMap((mitigation) => (mitigation === null ? [] : toMitigation(mitigation))))
        if (isLastPage(found.length, page, info)) break
      }
      return all
    },
    appealMitigations: async (account, report, { mitigationIds, reason }, options) => {
      const target = {
        method: 'POST',
        path: `${reports}/{report}/mitigations/appeal`,
        ids: { account, report },
        body: { appeals: mitigationIds.map((id) => ({ id, reason })) },
        repeat: 'once',
      } as const
      const { result } = await call(target, wire.appealed, options)
      return (result ?? []).flatMap((mitigation) => (mitigation === null ? [] : toMitigation(mitigation)))
    },
  }
}

/** Cloudflare may list fewer per page than it was asked for, so only what it says, or an empty page, ends a list. */
function isLastPage(found: number, page: number, info: wire.WireResultInfo | null): boolean {
  if (found === 0) return true
  const pages = info?.total_pages ?? null
  if (pages !== null) return page >= pages
  const size = info?.per_page ?? null
  return size !== null && found < size
}

const kinds: Readonly<Record<string, AbuseKind>> = {
  PHISH: 'phishing',
  THREAT: 'threat',
  DMCA: 'copyright',
  TM: 'trademark',
  NCSEI: 'intimate_images',
  NETWORK: 'network',
  REG_WHO: 'whois',
  EMER: 'emergency',
  GEN: 'general',
}

/** Null if nobody knows when it was reported, or what. */
function toReport(report: wire.WireAbuseReport): HostedAbuseReport | null {
  const { submitter, mitigation_summary: summary, status } = report
  const reportedAt = instant(report.cdate)
  const domain = textOf(hostName(report.domain.trim()), longestDomain)
  if (reportedAt === null || domain === null) return null
  return {
    reportId: report.id,
    reportedAt,
    domain,
    kind: kinds[report.type ?? ''] ?? 'unknown',
    status: status === 'accepted' || status === 'in_review' ? status : 'unknown',
    justification: textOf(report.justification, longestParagraph),
    originalWork: textOf(report.original_work, longestParagraph),
    submitter: {
      name: textOf(submitter?.name),
      company: textOf(submitter?.company),
      email: textOf(submitter?.email),
      telephone: textOf(submitter?.telephone),
    },
    urls: (report.urls ?? []).slice(0, mostUrls).flatMap((url) => textOf(url, longestUrl) ?? []),
    acceptedUrls: countOf(summary?.accepted_url_count),
    active: countOf(summary?.active_count),
    pending: countOf(summary?.pending_count),
    inReview: countOf(summary?.in_review_count),
    hostNotified: summary?.external_host_notified ?? false,
  }
}

const mostCounted = 1_000_000
const countOf = (value: number | null | undefined) => Math.min(mostCounted, Math.max(0, Math.trunc(value ?? 0)))

function toMitigation({
  id,
  type,
  status,
  entity_type: entityType,
  entity_id: entity,
  effective_date: date,
}: wire.WireMitigation): Mitigation {
  return {
    id,
    type: textOf(type) ?? 'unknown',
    status: mitigationStatus.safeParse(status).data ?? 'unknown',
    entityType: textOf(entityType) ?? 'unknown',
    entity: textOf(entity, longestUrl) ?? '',
    effectiveAt: instant(date)?.toISOString() ?? null,
  }
}
