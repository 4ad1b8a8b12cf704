import { useTranslation } from 'react-i18next'
import type { Share } from '#shared/features/sharing/schema.ts'
import { personLabel } from '#shared/features/users/person-label.ts'
import { formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'

/** Asks whether somebody's access is taken away, with what they lose. */
export function TakeDialog({
  share: { id, user },
  name,
  domains,
  onClose,
}: {
  share: Share
  /** What is shared. */
  name: string
  /** How many of them are in it. */
  domains: number
  onClose: () => void
}) {
  const { t } = useTranslation('sharing')
  const label = personLabel(user)
  const remove = trpc.sharing.remove.useMutation({ meta: { failure: t('failed.take') } })
  const take = async (): Promise<void> => {
    await remove.mutateAsync({ id })
    toast.success(t('done.taken'), label)
    void refresh('shares')
  }
  return (
    <ConfirmDialog
      title={t('take.title', { person: label })}
      consequence={
        <>
          <p>
            {domains === 0 ? t('take.text_empty', { name }) : t('take.text', { name, count: domains, formatted: formatNumber(domains) })}
          </p>
          <p>{t('take.after')}</p>
        </>
      }
      action={t('take.confirm')}
      things={1}
      failure={t('failed.take')}
      onConfirm={take}
      onClose={onClose}
    />
  )
}
