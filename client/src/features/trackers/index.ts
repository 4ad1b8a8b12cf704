import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The tracker components for other features; code and texts of actions are loaded when first shown. */
export { type InTracker, usualTracker, useManagedTrackers, useTrackerChoices } from './queries.ts'

export const TrackersTab = lazyPart(async () => (await import('./settings/trackers-tab.tsx')).TrackersTab, 'trackers')
export const TrackerSection = lazyPart(async () => (await import('./domain/tracker-section.tsx')).TrackerSection, 'trackers')
export const TrackerFields = lazyPart(async () => (await import('./bind/tracker-fields.tsx')).TrackerFields, 'trackers')
export const ReserveDialog = lazyPart(async () => (await import('./reserve/reserve-dialog.tsx')).ReserveDialog, 'trackers')
