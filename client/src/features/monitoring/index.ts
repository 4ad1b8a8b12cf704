import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The monitoring components for other features; code and texts are loaded when first shown. */
export const MonitoringTab = lazyPart(async () => ({
  default: (await Promise.all([import('./settings/monitoring-tab.tsx'), loadTexts('monitoring', 'reasons')]))[0].MonitoringTab,
}))
export const WatchDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./watch-dialog.tsx'), loadTexts('monitoring')]))[0].WatchDialog,
}))
