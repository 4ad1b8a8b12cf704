import { lazy } from 'react'
import { loadTexts } from '#client/lib/i18n.ts'

/** What other features show of monitoring; the code and its texts come when it is first shown. */
export const MonitoringTab = lazy(async () => ({
  default: (await Promise.all([import('./settings/monitoring-tab.tsx'), loadTexts('monitoring', 'reasons')]))[0].MonitoringTab,
}))
export const WatchDialog = lazy(async () => ({
  default: (await Promise.all([import('./watch-dialog.tsx'), loadTexts('monitoring')]))[0].WatchDialog,
}))
