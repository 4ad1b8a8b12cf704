import type { ReconcileState } from '#shared/features/trackers/schema.ts'
import { compact, searchParams, type SearchPart } from '#client/lib/search-params.ts'

/** In the order of their tiles: what keeps a domain from working comes first. */
export const reconcileStates = [
  'not_in_cloudflare',
  'not_linked',
  'not_bound',
  'address_differs',
  'ssl_error',
  'check_error',
  'gone_there',
  'agreed',
] as const satisfies readonly ReconcileState[]

export const trackersTabs = ['reconcile', 'reserve'] as const
type TrackersTabId = (typeof trackersTabs)[number]

/** What the page keeps in its address. */
export interface TrackersSearch {
  /** Absent: how trackers and Cloudflare agree. */
  tab?: Exclude<TrackersTabId, 'reconcile'>
  state?: ReconcileState
  /** Ids of trackers, joined by dots. */
  tracker?: string
  q?: string
  owner?: string
}

export function parseTrackersSearch(raw: unknown): TrackersSearch {
  const { text, id, ids, oneOf } = searchParams(raw)
  return compact<TrackersSearch>({
    tab: oneOf('tab', ['reserve']),
    state: oneOf('state', reconcileStates),
    tracker: ids('tracker', 100),
    q: text('q'),
    owner: id('owner'),
  })
}

export type ChangeSearch = (part: SearchPart<TrackersSearch>) => void
