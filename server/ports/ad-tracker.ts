/** A program that shows visitors of a domain a campaign, and counts them; in our words. */

import type { TrackerKind } from '#shared/features/trackers/schema.ts'
import { stripEnd } from '#shared/text.ts'

/** Calls to one tracker in a window, no matter who makes them; none of them reports a limit of its own, so this one is ours. */
export const trackerPace = { limit: 50, windowMs: 5_000 } as const

const knownTails = /\/(admin_api(\/v\d{1,3})?|admin|public\/api(\/v\d{1,3})?|public|api\/doc|index\.php)$/i

/** Where a tracker's own paths begin: people copy its address from wherever they are in it. Without a slash at the end, a query and a password. */
export function trackerBase(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + stripEnd(stripEnd(pathname, '/').replace(knownTails, ''), '/')
}

export interface TrackerAccess {
  readonly kind: TrackerKind
  /** Where it is opened; `http` or `https`. Chosen by people, so every request to it is guarded. */
  readonly url: string
  readonly apiKey: string
}

export interface TrackerCall {
  /** A person waits for it. */
  readonly priority: 'person' | 'bulk' | 'sync'
  readonly signal?: AbortSignal
}

/** Null: the tracker does not report. */
export interface TrackedDomain {
  readonly id: string
  /** Punycode, lower case. */
  readonly name: string
  readonly archived: boolean
  /** The tracker's own word. */
  readonly status: string | null
  /** What its own check found wrong, and what it says to do about it; in its words. */
  readonly problem: string | null
  readonly solution: string | null
  readonly sslStatus: string | null
  readonly sslProblem: string | null
  /** What its front page shows. */
  readonly campaign: { readonly id: string; readonly name: string | null } | null
  readonly campaignsCount: number | null
  readonly group: { readonly id: string; readonly name: string | null } | null
  readonly sslRedirect: boolean | null
}

interface TrackerCampaign {
  readonly id: string
  readonly name: string
  /** The tracker's own word. */
  readonly state: string | null
  /** The domain that its links have; null: not reported. */
  readonly domainId: string | null
}

export interface NewTrackedDomain {
  /** Punycode, lower case. */
  readonly name: string
  readonly campaignId: string | null
  readonly groupId: string | null
  readonly sslRedirect: boolean
}

/** What is not able to be set is left out of what is sent, and `tracker_unable` where it was asked for on its own. */
export interface TrackerAbilities {
  readonly campaign: boolean
  readonly group: boolean
  readonly sslRedirect: boolean
  readonly restore: boolean
  readonly check: boolean
  /** To give a campaign's links another domain. */
  readonly moveCampaign: boolean
}

/** One tracker's calls. Every method throws `AppError` with a `tracker_*` code and the tracker's own words. Only reads are repeated. */
export interface TrackerConnection {
  readonly able: TrackerAbilities
  /** All, archived ones too where the tracker reports them. */
  listDomains(call: TrackerCall): Promise<readonly TrackedDomain[]>
  /** Without deleted ones. */
  listCampaigns(call: TrackerCall): Promise<readonly TrackerCampaign[]>
  listGroups(call: TrackerCall): Promise<readonly { readonly id: string; readonly name: string }[]>
  /**
   * Adds it; one that is there already, or in the archive, is found, brought back, and given what was asked for: what is null or false there stays as it is. Sent
   * once; where the answer is lost, what it did is looked up. Answers what is there afterwards.
   */
  addDomain(order: NewTrackedDomain, call: TrackerCall): Promise<TrackedDomain>
  /** Only what is given. @throws AppError tracker_not_found */
  updateDomain(
    id: string,
    change: { readonly campaignId?: string | null; readonly groupId?: string | null; readonly sslRedirect?: boolean },
    call: TrackerCall,
  ): Promise<TrackedDomain>
  /** Into the archive, or away where the tracker has none. One that is not there any more is no failure. */
  archiveDomain(id: string, call: TrackerCall): Promise<void>
  /** @throws AppError tracker_not_found, tracker_unable */
  restoreDomain(id: string, call: TrackerCall): Promise<TrackedDomain>
  /** The tracker looks at it again. @throws AppError tracker_not_found, tracker_unable */
  checkDomain(id: string, call: TrackerCall): Promise<TrackedDomain>
  /** @throws AppError tracker_not_found, tracker_unable */
  moveCampaign(campaignId: string, domainId: string, call: TrackerCall): Promise<void>
}

export interface AdTrackers {
  /** Cheap; nothing is sent until a method is called. Calls to one tracker share one place and its pace. */
  connect(access: TrackerAccess): TrackerConnection
  /** Where a tracker's address leads: what its name resolves to, or the literal address itself; empty where DNS does not report. */
  findAddresses(url: string): Promise<readonly string[]>
  close(): Promise<void>
}
