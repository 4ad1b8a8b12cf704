import type { AbuseReportListResponse } from 'cloudflare/resources/abuse-reports/abuse-reports'
import type { MitigationListResponse } from 'cloudflare/resources/abuse-reports/mitigations'

import { hash32, hexId } from '../random.ts'

/** The abuse reports of all accounts. */
export type SimReport = AbuseReportListResponse.Report
export type SimMitigation = MitigationListResponse.Mitigation

export type AbuseEntry = {
  readonly timeMs: number
  /** When it can be read. */
  readonly visibleMs: number
  readonly report: SimReport
  readonly mitigations: SimMitigation[]
}

type Settings = {
  /** How late a report can be read. */
  delayMs: number
  /** The share of reports that never appear. */
  lossShare: number
  /** Reports are listed twice. */
  duplicates: boolean
  /** Every page is the first one, and more seem to follow. */
  ignoresPage: boolean
}

export type AbuseDesk = ReturnType<typeof createAbuseDesk>

export function createAbuseDesk(seed: number, now: () => number) {
  const settings: Settings = { delayMs: 0, lossShare: 0, duplicates: false, ignoresPage: false }
  const entriesOf = new Map<string, AbuseEntry[]>()
  let serial = 0
  const summarize = ({ report, mitigations }: AbuseEntry): SimReport => {
    const count = (status: SimMitigation['status']) => mitigations.filter((each) => each.status === status).length
    return {
      ...report,
      mitigation_summary: {
        ...report.mitigation_summary,
        active_count: count('active'),
        in_review_count: count('in_review'),
        pending_count: count('pending'),
      },
    }
  }
  return {
    settings,
    /** Adds a report as it is; fields may be missing or of unknown kinds. Returns its id. */
    add(
      account: { readonly id: string },
      given: Partial<SimReport> & { readonly domain: string },
      { timeMs = now(), mitigations = [] }: { readonly timeMs?: number; readonly mitigations?: readonly Partial<SimMitigation>[] } = {},
    ): string {
      serial += 1
      const id = given.id ?? hexId(seed, 970, serial).slice(0, 16)
      if ((hash32(seed, 971, serial) % 1_000) / 1_000 < settings.lossShare) return id
      const cdate = new Date(timeMs).toISOString()
      const entries = entriesOf.get(account.id) ?? []
      entries.push({
        timeMs,
        visibleMs: timeMs + settings.delayMs,
        report: {
          id,
          cdate,
          status: 'in_review',
          type: 'PHISH',
          urls: [`https://${given.domain}/login`],
          ...given,
          mitigation_summary: {
            accepted_url_count: 0,
            active_count: 0,
            external_host_notified: false,
            in_review_count: 0,
            pending_count: 0,
            ...given.mitigation_summary,
          },
        },
        mitigations: mitigations.map((mitigation, n) => ({
          id: hexId(seed, 972, serial, n),
          effective_date: cdate,
          entity_id: given.domain,
          entity_type: 'zone',
          status: 'active',
          type: 'phishing_interstitial',
          ...mitigation,
        })),
      })
      entriesOf.set(account.id, entries)
      return id
    },
    visible: (accountId: string, nowMs: number) => (entriesOf.get(accountId) ?? []).filter((entry) => entry.visibleMs <= nowMs),
    summarize,
  }
}
