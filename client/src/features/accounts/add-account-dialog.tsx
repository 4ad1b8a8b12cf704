import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { AccountForm } from './account-form.tsx'
import { ManyAccountsForm } from './many-accounts-form.tsx'

/** Adds one account, or many from pasted lines; opens on any page. */
export function AddAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('accounts')
  const [mode, setMode] = useState<'single' | 'many'>('single')
  return (
    <Dialog onClose={onClose} title={t('form.add_title')} size={mode === 'single' ? 520 : 680}>
      <div className="column gap-16">
        <SegmentedControl
          className="self-start"
          value={mode}
          onChange={setMode}
          data={[
            { value: 'single', label: t('form.single') },
            { value: 'many', label: t('form.many') },
          ]}
        />
        {mode === 'single' ? (
          <AccountForm
            onCancel={onClose}
            onSaved={(account) => {
              void refresh('accounts')
              onClose()
              if (account.health === 'api_error') toast.warning(t('form.added_unverified'))
              else toast.success(t('form.added'), t('form.added_text'))
            }}
          />
        ) : (
          <ManyAccountsForm onDone={onClose} onCancel={onClose} />
        )}
      </div>
    </Dialog>
  )
}
