import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { TokenList } from './token-list.tsx'
import forms from '#client/ui/form/form.module.css'

/** The API tokens of another user, for administrators. */
export function UserTokensDialog({ user, onClose }: { user: { id: string; username: string }; onClose: () => void }) {
  const { t } = useTranslation(['api-tokens', 'common'])
  return (
    <Dialog onClose={onClose} title={t('of', { user: user.username })} size={560}>
      <div className="column gap-16">
        <TokenList userId={user.id} />
        <div className={forms['actions']}>
          <Button variant="default" onClick={onClose}>
            {t('common:close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
