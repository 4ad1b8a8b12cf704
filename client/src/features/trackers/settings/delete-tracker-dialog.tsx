import { useTranslation } from 'react-i18next'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'

/** Asks before a tracker is taken out of the panel; nothing is done in the tracker itself. */
export function DeleteTrackerDialog({ tracker: { id, name, boundCount }, onClose }: { tracker: Tracker; onClose: () => void }) {
  const { t } = useTranslation('trackers')
  const remove = trpc.trackers.remove.useMutation({ meta: { failure: t('failed.delete') } })
  return (
    <ConfirmDialog
      title={t('delete.title', { name })}
      consequence={<p>{t('delete.text', { count: boundCount, formatted: formatNumber(boundCount) })}</p>}
      action={t('delete.confirm')}
      things={1}
      failure={t('failed.delete')}
      onConfirm={async () => {
        await remove.mutateAsync({ id })
        await refresh('trackers')
        toast.success(t('done.deleted'), name)
      }}
      onClose={onClose}
    />
  )
}
