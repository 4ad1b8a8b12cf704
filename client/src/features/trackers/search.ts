import type { ReconcileState } from '#shared/features/trackers/schema.ts'
import { compact, searchParams, type SearchPart } from '#client/lib/search-params.ts'

/** In the order of their tiles: the most serious first. */
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

/** The URL parameters of the page. */
export interface TrackersSearch {
  /** Defaults to the comparison of trackers and Cloudflare. */
  tab?: Exclude<TrackersTabId, 'reconcile'>
  state?: ReconcileState
  /** Tracker ids, joined with dots. */
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
