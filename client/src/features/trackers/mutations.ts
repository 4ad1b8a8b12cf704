import { useTranslation } from 'react-i18next'
import { codeWords } from '#client/lib/errors.ts'
import { refresh } from '#client/lib/query-client.ts'
import { sentences } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'

/** Asks a tracker whether it answers (R-TRK-02); what it found is nowhere kept. */
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

/** What is done to one tracker at the same time, without a dialog. */
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
