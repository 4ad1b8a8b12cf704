import { domainToUnicode } from 'node:url'
import type { TrackerDomainView } from '#shared/features/trackers/schema.ts'
import type { DomainRow } from './tracker-domains.repo.ts'

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name })

export const toTrackerDomain = (row: DomainRow): TrackerDomainView => ({
  id: row.id,
  trackerId: row.tracker_id,
  remoteId: row.remote_id,
  name: row.name,
  displayName: domainToUnicode(row.name) || row.name,
  archived: row.archived,
  gone: row.gone_at !== null,
  status: row.status,
  problem: row.problem,
  solution: row.solution,
  sslStatus: row.ssl_status,
  sslProblem: row.ssl_problem,
  campaign: named(row.campaign_id, row.campaign_name),
  campaignsCount: row.campaigns_count,
  group: named(row.group_id, row.group_name),
  sslRedirect: row.ssl_redirect,
  seenAt: new Date(row.seen_at).toISOString(),
})
