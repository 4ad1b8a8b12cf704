import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { MonitoringSettings } from '#shared/features/monitoring/settings.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { useOwner } from '#client/lib/owner-choice.tsx'

type MonitoringChange = Inputs['monitoring']['updateSettings']

/** A user's monitoring settings, with an optimistic update that is rolled back on failure. */
export function useMonitoringSettings() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const owner = useOwner()
  const query = trpc.monitoring.settings.useQuery(owner, { staleTime: 0 })
  // The response to an earlier change does not include later ones.
  const underWay = useRef(0)
  const update = trpc.monitoring.updateSettings.useMutation({
    meta: { failure: t('failed.save') },
    // Changes are sent one after another, in order.
    scope: { id: 'monitoring-settings' },
    onSuccess: (answer) => {
      if (underWay.current === 1) utils.monitoring.settings.setData(owner, answer)
      toast.success(t('saved'))
      void utils.monitoring.overview.invalidate()
    },
    onError: () => void utils.monitoring.settings.invalidate(owner),
    onSettled: () => {
      underWay.current -= 1
    },
  })
  const change = ({ notifications, ...changes }: Pick<MonitoringChange, Shown>): void => {
    underWay.current += 1
    void utils.monitoring.settings.cancel(owner)
    utils.monitoring.settings.setData(owner, (old) => old && { settings: shownAs(old.settings, { notifications, ...changes }) })
    update.mutate({ ...owner, ...changes, ...(notifications && { notifications }) })
  }
  return { query, settings: query.data?.settings, change }
}

type Shown = 'enabled' | 'regions' | 'checkInterval' | 'notifications' | 'quietHours' | 'secondOpinion' | 'language'

/** The settings with these changes; absent fields stay unchanged. */
const shownAs = (settings: MonitoringSettings, { notifications, ...changes }: Pick<MonitoringChange, Shown>): MonitoringSettings => ({
  ...settings,
  ...(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<MonitoringSettings>),
  notifications: { ...settings.notifications, ...(notifications as Partial<MonitoringSettings['notifications']> | undefined) },
})

/** For forms that show errors at their fields. */
export function useSaveMonitoring() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const owner = useOwner()
  return trpc.monitoring.updateSettings.useMutation({
    meta: { failure: false },
    onSuccess: (answer) => {
      utils.monitoring.settings.setData(owner, answer)
      toast.success(t('saved'))
      void readAgain('monitoring')
    },
  })
}

/** The props of each part of the settings. */
export interface SettingsPart {
  settings: MonitoringSettings
  change: ReturnType<typeof useMonitoringSettings>['change']
}
