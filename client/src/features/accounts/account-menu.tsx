import {
  IconHistory,
  IconKey,
  IconListDetails,
  IconPencil,
  IconRefresh,
  IconShare2,
  IconShieldLock,
  IconStethoscope,
  IconTrash,
  IconUserMinus,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLock, useSharedWords } from '#client/features/sharing/index.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { RowMenu } from '#client/ui/table/row-menu.tsx'

export type AccountAction = 'domains' | 'login' | 'check' | 'refresh' | 'edit' | 'ip_access' | 'changes' | 'share' | 'leave' | 'delete'

/** All actions on one account; disabled ones state the reason. */
export function AccountMenu({ account: { email, shared }, onAction }: { account: Account; onAction: (action: AccountAction) => void }) {
  const { t } = useTranslation('accounts')
  const lock = useLock(shared)
  return (
    <RowMenu
      label={`${t('actions.label')} ${email}`}
      hint={t('actions.label')}
      note={useSharedWords()(shared)}
      items={[
        { action: 'domains', icon: IconListDetails, label: t('actions.domains') },
        { action: 'login', icon: IconKey, label: t('actions.login'), off: lock('own') },
        { action: 'check', icon: IconStethoscope, label: t('actions.check'), off: lock('operate') },
        { action: 'refresh', icon: IconRefresh, label: t('refresh'), off: lock('operate') },
        { action: 'edit', icon: IconPencil, label: t('actions.edit'), off: lock('manage') },
        { action: 'ip_access', icon: IconShieldLock, label: t('actions.ip_access') },
        { action: 'changes', icon: IconHistory, label: t('actions.changes') },
        { action: 'share', icon: IconShare2, label: t('actions.share'), off: lock('own') },
        { action: 'delete', icon: IconTrash, label: t('actions.delete'), off: lock('own'), danger: true },
        ...(shared === null ? [] : [{ action: 'leave' as const, icon: IconUserMinus, label: t('actions.leave'), danger: true }]),
      ]}
      onAction={onAction}
    />
  )
}
