import { reconcileStates } from '#shared/features/trackers/reconcile-states.ts'
import type { ReconcileState } from '#shared/features/trackers/schema.ts'
import { compact, searchParams, type SearchPart } from '#client/lib/search-params.ts'

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
