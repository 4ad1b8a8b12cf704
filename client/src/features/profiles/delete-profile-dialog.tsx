import { useTranslation } from 'react-i18next'
import { useProfileActions } from './mutations.ts'
import type { Profile } from './mutations.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'

/** Asks with what becomes of the domains: they stay as they are. */
export function DeleteProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation('profiles')
  const actions = useProfileActions()
  const count = profile.domains
  return (
    <ConfirmDialog
      title={t('delete.title', { profile: profile.name })}
      consequence={count === 0 ? t('delete.text_empty') : t('delete.text', { count, formatted: formatNumber(count) })}
      action={t('delete.confirm')}
      things={1}
      onConfirm={() => actions.remove(profile)}
      onClose={onClose}
    />
  )
}
