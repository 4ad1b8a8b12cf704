import { lazy } from 'react'
import { loadTexts } from '#client/lib/i18n.ts'

export { MonitoringTab } from './settings/monitoring-tab.tsx'
/** Comes with its texts, when it is asked for. */
export const WatchDialog = lazy(async () => {
  const [{ WatchDialog: Dialog }] = await Promise.all([import('./watch-dialog.tsx'), loadTexts('monitoring')])
  return { default: Dialog }
})
