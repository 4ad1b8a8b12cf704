import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'

/** For somebody who has lost their phone, their key and their codes. */
export function ResetFactorsDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation('users')
  const reset = trpc.twoFactor.reset.useMutation({ meta: { failure: t('failed.factors') } })
  return (
    <ConfirmDialog
      title={t('factors.title', { user: user.username, email: user.email })}
      consequence={t('factors.text')}
      action={t('factors.confirm')}
      things={1}
      onConfirm={async () => {
        await reset.mutateAsync({ userId: user.id })
        await refresh('users')
        toast.success(t('done.factors'), user.username)
      }}
      onClose={onClose}
    />
  )
}
