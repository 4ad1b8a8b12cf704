import { useTranslation } from 'react-i18next'
import { codeWords } from '#client/lib/errors.ts'
import { refresh } from '#client/lib/query-client.ts'
import { sentences } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'

/** Tests the connection to a tracker (R-TRK-02); the result is not stored. */
export function useTrackerTest() {
  const { t } = useTranslation('trackers')
  return trpc.trackers.test.useMutation({
    meta: { failure: t('failed.test') },
    trpc: { context: { unbatched: true } },
    onSuccess: ({ test }) => {
      if (!test.ok) toast.error(t('failed.test'), sentences(codeWords(test.code ?? ''), test.message ?? undefined), 'tracker-test')
    },
  })
}

/** Actions on one tracker without a dialog. */
export function useTrackerActions() {
  const { t } = useTranslation('trackers')
  const sync = trpc.trackers.sync.useMutation({
    meta: { failure: t('failed.sync') },
    onSuccess: () => {
      void refresh('trackers')
      toast.info(t('done.sync'))
    },
  })
  const update = trpc.trackers.update.useMutation({
    meta: { failure: t('failed.save') },
    onSuccess: () => void refresh('trackers'),
  })
  return { sync, update }
}
