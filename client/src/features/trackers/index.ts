import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The tracker components for other features; code and texts of actions are loaded when first shown. */
export { type InTracker, usualTracker, useManagedTrackers, useTrackerChoices } from './queries.ts'

export const TrackersTab = lazyPart(async () => ({
  default: (await Promise.all([import('./settings/trackers-tab.tsx'), loadTexts('trackers')]))[0].TrackersTab,
}))
export const TrackerSection = lazyPart(async () => ({
  default: (await Promise.all([import('./domain/tracker-section.tsx'), loadTexts('trackers')]))[0].TrackerSection,
}))
export const TrackerFields = lazyPart(async () => ({
  default: (await Promise.all([import('./bind/tracker-fields.tsx'), loadTexts('trackers')]))[0].TrackerFields,
}))
export const ReserveDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./reserve/reserve-dialog.tsx'), loadTexts('trackers')]))[0].ReserveDialog,
}))
