import type { Tracker } from '#shared/features/trackers/schema.ts'

/** How a domain is to be bound in a tracker; null: nothing yet. */
export interface InTracker {
  trackerId: string
  campaignId: string | null
  groupId: string | null
  sslRedirect: boolean
}

/** The one that is meant where none was chosen: the default one. */
export const usualTracker = (trackers: readonly Tracker[]): Tracker | undefined =>
  trackers.find(({ isDefault }) => isDefault) ?? trackers[0]
