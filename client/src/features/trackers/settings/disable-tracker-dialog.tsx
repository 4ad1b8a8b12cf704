import { useTranslation } from 'react-i18next'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { useTrackerActions } from '../mutations.ts'

/** Asks before a tracker is switched off, which clears its address and key (R-TRK-01). */
export function DisableTrackerDialog({ tracker: { id, name, boundCount }, onClose }: { tracker: Tracker; onClose: () => void }) {
  const { t } = useTranslation('trackers')
  const { update } = useTrackerActions()
  return (
    <ConfirmDialog
      title={t('disable.title', { name })}
      consequence={<p>{t('disable.text', { count: boundCount, formatted: formatNumber(boundCount) })}</p>}
      action={t('disable.confirm')}
      things={1}
      failure={t('failed.save')}
      onConfirm={async () => {
        await update.mutateAsync({ id, enabled: false })
        toast.success(t('done.disabled'), name)
      }}
      onClose={onClose}
    />
  )
}
