import type { ReconcileState } from '#shared/features/trackers/schema.ts'

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

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

/** Reads anything at all; what is not understood is left out. */
export function parseTrackersSearch(raw: unknown): TrackersSearch {
  const given: Readonly<Record<string, unknown>> = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {}
  const state = reconcileStates.find((each) => each === given['state'])
  const trackers = text(given['tracker'])
    .split('.')
    .filter((id) => uuid.test(id))
    .slice(0, 100)
  const q = text(given['q']).slice(0, 255)
  const owner = text(given['owner'])
  return {
    ...(given['tab'] === 'reserve' && { tab: 'reserve' as const }),
    ...(state && { state }),
    ...(trackers.length > 0 && { tracker: trackers.join('.') }),
    ...(q !== '' && { q }),
    ...(uuid.test(owner) && { owner }),
  }
}

export type ChangeSearch = (part: { [K in keyof TrackersSearch]: TrackersSearch[K] | undefined }) => void
