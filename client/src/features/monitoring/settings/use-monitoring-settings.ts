import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { readMonitoringAgain } from '../use-live-monitoring.ts'

export type MonitoringChange = Inputs['monitoring']['updateSettings']

/** One's own settings of monitoring, and the way to change one: it shows at once and goes back when the server refuses. */
export function useMonitoringSettings() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  const query = trpc.monitoring.settings.useQuery(undefined, { staleTime: 0 })
  const update = trpc.monitoring.updateSettings.useMutation({
    meta: { failure: t('failed.save') },
    onMutate: async ({ telegram: _telegram, options: _options, ...changes }) => {
      await utils.monitoring.settings.cancel()
      const before = utils.monitoring.settings.getData()
      utils.monitoring.settings.setData(
        undefined,
        (old) =>
          old && {
            settings: {
              ...old.settings,
              ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
              notifications: { ...old.settings.notifications, ...changes.notifications } as typeof old.settings.notifications,
            },
          },
      )
      return { before }
    },
    onSuccess: (answer) => {
      utils.monitoring.settings.setData(undefined, answer)
      toast.success(t('saved'))
      void readMonitoringAgain()
    },
    onError: (_error, _changes, context) => {
      if (context?.before !== undefined) utils.monitoring.settings.setData(undefined, context.before)
    },
  })
  return { query, settings: query.data?.settings, change: (changes: MonitoringChange): void => update.mutate(changes) }
}

/** For forms that tell of failures at their fields. */
export function useSaveMonitoring() {
  const { t } = useTranslation('monitoring')
  const utils = trpc.useUtils()
  return trpc.monitoring.updateSettings.useMutation({
    meta: { failure: false },
    onSuccess: (answer) => {
      utils.monitoring.settings.setData(undefined, answer)
      toast.success(t('saved'))
      void readMonitoringAgain()
    },
  })
}
