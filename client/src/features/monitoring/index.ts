import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The monitoring components for other features; code and texts are loaded when first shown. */
export const MonitoringTab = lazyPart(async () => (await import('./settings/monitoring-tab.tsx')).MonitoringTab, 'monitoring', 'reasons')
export const WithIncidentWords = lazyPart(async () => (await import('./use-incident-words.ts')).WithIncidentWords, 'monitoring', 'reasons')
export const WatchDialog = lazyPart(async () => (await import('./watch-dialog.tsx')).WatchDialog, 'monitoring')
