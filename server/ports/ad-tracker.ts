/** A program that shows campaigns to a domain's visitors and counts them, in the panel's terms. */

import type { TrackerKind } from '#shared/features/trackers/schema.ts'
import { stripEnd } from '#shared/text.ts'

/** Calls to one tracker per window, over all people; trackers report no limit, so this one is ours. */
export const trackerPace = { limit: 50, windowMs: 5_000 } as const

const knownTails = /\/(admin_api(\/v\d{1,3})?|admin|public\/api(\/v\d{1,3})?|public|api\/doc|index\.php)$/i

/** The base URL of a tracker: people copy its address from any page of it. Without a trailing slash, query and password. */
export function trackerBase(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + stripEnd(stripEnd(pathname, '/').replace(knownTails, ''), '/')
}

export interface TrackerAccess {
  readonly kind: TrackerKind
  /** The URL of the tracker; `http` or `https`. User input, so every request to it is guarded. */
  readonly url: string
  readonly apiKey: string
}

export interface TrackerCall {
  /** A person waits for it. */
  readonly priority: 'person' | 'bulk' | 'sync'
  readonly signal?: AbortSignal
}

/** Null: not reported by the tracker. */
export interface TrackedDomain {
  readonly id: string
  /** Punycode, lower case. */
  readonly name: string
  readonly archived: boolean
  /** The tracker's own term. */
  readonly status: string | null
  /** The problem found by the tracker's own check and its advice, as worded by the tracker. */
  readonly problem: string | null
  readonly solution: string | null
  readonly sslStatus: string | null
  readonly sslProblem: string | null
  /** The campaign or page shown on its front page. */
  readonly campaign: { readonly id: string; readonly name: string | null } | null
  readonly campaignsCount: number | null
  readonly group: { readonly id: string; readonly name: string | null } | null
  readonly sslRedirect: boolean | null
}

interface TrackerCampaign {
  readonly id: string
  readonly name: string
  /** The tracker's own term. */
  readonly state: string | null
  /** The domain used in its links; null: not reported. */
  readonly domainId: string | null
}

export interface NewTrackedDomain {
  /** Punycode, lower case. */
  readonly name: string
  readonly campaignId: string | null
  readonly groupId: string | null
  readonly sslRedirect: boolean
}

/** Unsupported fields are omitted from the request, and `tracker_unable` if one was requested on its own. */
export interface TrackerAbilities {
  readonly campaign: boolean
  readonly group: boolean
  readonly sslRedirect: boolean
  readonly restore: boolean
  readonly check: boolean
  /** Moves a campaign's links to another domain. */
  readonly moveCampaign: boolean
}

/** The calls of one tracker. Every method throws `AppError` with a `tracker_*` code and the tracker's own message. Only reads are retried. */
export interface TrackerConnection {
  readonly able: TrackerAbilities
  /** All domains, including archived ones if the tracker reports them. */
  listDomains(call: TrackerCall): Promise<readonly TrackedDomain[]>
  /** Without deleted ones. */
  listCampaigns(call: TrackerCall): Promise<readonly TrackerCampaign[]>
  listGroups(call: TrackerCall): Promise<readonly { readonly id: string; readonly name: string }[]>
  /**
   * Adds the domain; an existing or archived one is found, restored and changed as requested: null or false fields keep their value. Sent
   * once; if the answer is lost, its effect is looked up. Returns the resulting domain.
   */
  addDomain(order: NewTrackedDomain, call: TrackerCall): Promise<TrackedDomain>
  /**
   * Changes the given fields only.
   * @throws AppError tracker_not_found
   */
  updateDomain(
    id: string,
    change: { readonly campaignId?: string | null; readonly groupId?: string | null; readonly sslRedirect?: boolean },
    call: TrackerCall,
  ): Promise<TrackedDomain>
  /** Archives the domain, or deletes it if the tracker has no archive. A missing domain is not an error. */
  archiveDomain(id: string, call: TrackerCall): Promise<void>
  /** @throws AppError tracker_not_found, tracker_unable */
  restoreDomain(id: string, call: TrackerCall): Promise<TrackedDomain>
  /**
   * Makes the tracker check the domain again.
   * @throws AppError tracker_not_found, tracker_unable
   */
  checkDomain(id: string, call: TrackerCall): Promise<TrackedDomain>
  /** @throws AppError tracker_not_found, tracker_unable */
  moveCampaign(campaignId: string, domainId: string, call: TrackerCall): Promise<void>
}

export interface AdTrackers {
  /** Sends nothing until a method is called. Calls to one tracker share a queue and its rate limit. */
  connect(access: TrackerAccess): TrackerConnection
  /** The IP addresses of a tracker's host name, or its literal address; empty if DNS has none. */
  findAddresses(url: string): Promise<readonly string[]>
  close(): Promise<void>
}
