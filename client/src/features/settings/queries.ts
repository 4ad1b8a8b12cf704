import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'

/** The settings of the panel, with an optimistic update that is rolled back on failure. */
export function usePanelSettings() {
  const { t } = useTranslation('settings')
  const utils = trpc.useUtils()
  const query = trpc.settings.get.useQuery(undefined, { staleTime: 0 })
  const update = trpc.settings.update.useMutation({
    meta: { failure: t('failed.save') },
    onMutate: async (changes) => {
      await utils.settings.get.cancel()
      const before = utils.settings.get.getData()
      const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      utils.settings.get.setData(
        undefined,
        (old) => old && { ...old, settings: { ...old.settings, ...set }, ...('registration' in set && { registrationUndecided: false }) },
      )
      return { before }
    },
    onSuccess: (answer) => {
      utils.settings.get.setData(undefined, answer)
      toast.success(t('saved'))
    },
    onError: (_error, _changes, context) => {
      if (context?.before !== undefined) utils.settings.get.setData(undefined, context.before)
    },
    // The sign-in page may have changed.
    onSettled: () => utils.auth.config.invalidate(),
  })
  const change = (changes: Inputs['settings']['update']): void => update.mutate(changes)
  return { query, settings: query.data?.settings, change }
}
