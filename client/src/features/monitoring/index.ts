import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** What other features show of monitoring; the code and its texts come when it is first shown. */
export const MonitoringTab = lazyPart(async () => ({
  default: (await Promise.all([import('./settings/monitoring-tab.tsx'), loadTexts('monitoring', 'reasons')]))[0].MonitoringTab,
}))
export const WatchDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./watch-dialog.tsx'), loadTexts('monitoring')]))[0].WatchDialog,
}))
