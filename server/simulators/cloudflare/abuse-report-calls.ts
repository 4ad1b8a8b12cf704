import { isObject } from '../deliver.ts'
import type { AbuseEntry } from './abuse-desk.ts'
import { bodyOf, choiceOf, pageOf, slicePage } from './call.ts'
import type { Call } from './call.ts'
import { getAccount } from './caller.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

/**
 * Abuse reports of accounts. Sources: the types of the `cloudflare` package 7.3.0 (paths, parameters, fields, and items within `result.reports` and
 * `result.mitigations`), `abuse_reports/abusereport.go` and `abuse_reports/mitigation.go` of github.com/cloudflare/cloudflare-go v7 (the same), and
 * the API reference of developers.cloudflare.com ("List abuse reports": Trust and Safety Read or Write). Nothing public says how many are listed per
 * page, how late a report can be read, and with which code a wrong parameter is refused.
 */
const bounds = { min: 1, max: 100, fallback: 20 }
const SORTABLE = ['id', 'cdate', 'domain', 'type', 'status'] as const
const STATUSES = ['accepted', 'in_review'] as const

/** GET /accounts/{account}/abuse-reports */
export function listAbuseReports({ state, caller, param, query, nowMs }: Call): Reply {
  const account = getAccount(state, caller, param)
  const { abuse } = state
  const afterMs = timeOf(query, 'created_after') ?? -Infinity
  const beforeMs = timeOf(query, 'created_before') ?? Infinity
  const [domain, type] = [query.get('domain'), query.get('type')]
  const status = choiceOf(query, 'status', STATUSES)
  const [property = 'cdate', order = 'desc'] = (query.get('sort') ?? 'cdate,desc').split(',')
  const by = SORTABLE.find((each) => each === property)
  if (by === undefined || (order !== 'asc' && order !== 'desc')) throw refuse(400, 6003, 'Invalid request parameters: sort')
  const sign = order === 'asc' ? 1 : -1
  const found = abuse
    .visible(account.id, nowMs)
    .filter(({ timeMs }) => timeMs > afterMs && timeMs < beforeMs)
    .map(abuse.summarize)
    .filter((report) => (domain === null || report.domain === domain) && (type === null || report.type === type))
    .filter((report) => status === null || report.status === status)
    .toSorted((left, right) => (left[by] < right[by] ? -sign : sign))
  const page = pageOf(query, bounds)
  const { items, info } = slicePage(found, abuse.settings.ignoresPage ? { ...page, page: 1 } : page)
  const reports = abuse.settings.duplicates ? items.flatMap((report) => [report, report]) : items
  return abuse.settings.ignoresPage ? ok({ reports }) : ok({ reports }, info)
}

function findEntry({ state, caller, param, innerParam, nowMs }: Call): AbuseEntry {
  const account = getAccount(state, caller, param)
  const entry = state.abuse.visible(account.id, nowMs).find(({ report }) => report.id === innerParam)
  if (entry === undefined) throw refuse(404, 7003, 'Abuse report not found')
  return entry
}

/** GET /accounts/{account}/abuse-reports/{report} */
export const getAbuseReport = (call: Call): Reply => ok(call.state.abuse.summarize(findEntry(call)))

/** GET /accounts/{account}/abuse-reports/{report}/mitigations */
export function listMitigations(call: Call): Reply {
  const { items, info } = slicePage(findEntry(call).mitigations, pageOf(call.query, bounds))
  return ok({ mitigations: items }, info)
}

/** POST /accounts/{account}/abuse-reports/{report}/mitigations/appeal. A repeated one of the same mitigation changes nothing, as in the package. */
export function appealMitigations(call: Call): Reply {
  const { mitigations } = findEntry(call)
  const { appeals } = bodyOf(call)
  if (!Array.isArray(appeals) || appeals.length === 0) throw refuse(400, 9207, 'appeals is required')
  const found = appeals.map((appeal: unknown) => {
    const { id, reason } = isObject(appeal) ? appeal : {}
    const mitigation = mitigations.find((each) => each.id === id)
    if (mitigation === undefined) throw refuse(404, 7003, 'Mitigation not found')
    if (reason !== 'removed' && reason !== 'misclassified') throw refuse(400, 9207, 'reason must be removed or misclassified')
    if (mitigation.status === 'removed' || mitigation.status === 'cancelled') throw refuse(400, 9207, 'Mitigation cannot be appealed')
    return mitigation
  })
  for (const mitigation of found) mitigation.status = 'in_review'
  return ok(found)
}

function timeOf(query: URLSearchParams, name: string): number | null {
  const given = query.get(name)
  if (given === null) return null
  const timeMs = Date.parse(given)
  if (Number.isNaN(timeMs)) throw refuse(400, 6003, `Invalid request parameters: ${name}`)
  return timeMs
}
