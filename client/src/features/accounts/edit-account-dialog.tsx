import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { AccountForm } from './account-form.tsx'

export function EditAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('accounts')
  return (
    <Dialog onClose={onClose} title={t('form.edit_title')} size={520}>
      <AccountForm
        account={account}
        onCancel={onClose}
        onSaved={() => {
          void refresh('accounts')
          onClose()
          toast.success(t('form.saved'))
        }}
      />
    </Dialog>
  )
}
