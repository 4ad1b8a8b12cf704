import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { queryClient, refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import classes from './users.module.css'

/** Asks with what ends or pauses; what the user owns stays. */
export function DisableDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  const preview = trpc.users.disablingPreview.useQuery({ id: user.id }, { gcTime: 0, staleTime: 0 })
  const disable = trpc.users.disable.useMutation({ meta: { failure: t('failed.disable') } })
  const title = t('disable.title', { user: user.username })
  const ends = preview.data
  if (preview.isError && ends === undefined) {
    return (
      <Dialog onClose={onClose} title={title} size={440}>
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      </Dialog>
    )
  }
  // It is asked with the numbers or not at all; they are here in a moment.
  if (ends === undefined) return null
  const lines = [
    ...(['sessions', 'tokens'] as const).flatMap((kind) =>
      ends[kind] === 0 ? [] : [t(`disable.ends_${kind}`, { count: ends[kind], formatted: formatNumber(ends[kind]) })],
    ),
    ...(ends.calendarFeed ? [t('disable.ends_feed')] : []),
    ...(ends.operations === 0
      ? []
      : [t('disable.pauses_operations', { count: ends.operations, formatted: formatNumber(ends.operations) })]),
  ]
  return (
    <ConfirmDialog
      title={title}
      consequence={
        <>
          <p>{t('disable.text')}</p>
          {lines.length === 0 ? null : (
            <ul className={classes['ends']}>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          <p>{t('disable.stays')}</p>
        </>
      }
      action={t('disable.confirm')}
      things={1}
      onConfirm={async () => {
        await disable.mutateAsync({ id: user.id })
        await Promise.all([refresh('users'), queryClient.invalidateQueries({ queryKey: [['apiTokens']] })])
        toast.success(t('done.disabled'), user.username)
      }}
      onClose={onClose}
    />
  )
}
