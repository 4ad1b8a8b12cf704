import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconKey, IconListDetails, IconPencil, IconRefresh, IconShare2, IconStethoscope, IconTrash, IconUserMinus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'

export type AccountAction = 'domains' | 'login' | 'check' | 'refresh' | 'edit' | 'share' | 'leave' | 'delete'

/** Everything that the person can do with one account. */
export function AccountMenu({ account: { email, shared }, onAction }: { account: Account; onAction: (action: AccountAction) => void }) {
  const { t } = useTranslation('accounts')
  const label = `${t('actions.label')} ${email}`
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={label} title={t('actions.label')}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconListDetails size={15} stroke={1.7} />} onClick={() => onAction('domains')}>
          {t('actions.domains')}
        </Menu.Item>
        {allows(shared, 'own') ? (
          <Menu.Item leftSection={<IconKey size={15} stroke={1.7} />} onClick={() => onAction('login')}>
            {t('actions.login')}
          </Menu.Item>
        ) : null}
        {allows(shared, 'operate') ? (
          <>
            <Menu.Item leftSection={<IconStethoscope size={15} stroke={1.7} />} onClick={() => onAction('check')}>
              {t('actions.check')}
            </Menu.Item>
            <Menu.Item leftSection={<IconRefresh size={15} stroke={1.7} />} onClick={() => onAction('refresh')}>
              {t('refresh')}
            </Menu.Item>
          </>
        ) : null}
        {allows(shared, 'manage') ? (
          <Menu.Item leftSection={<IconPencil size={15} stroke={1.7} />} onClick={() => onAction('edit')}>
            {t('actions.edit')}
          </Menu.Item>
        ) : null}
        {allows(shared, 'own') ? (
          <>
            <Menu.Item leftSection={<IconShare2 size={15} stroke={1.7} />} onClick={() => onAction('share')}>
              {t('actions.share')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={15} stroke={1.7} />} onClick={() => onAction('delete')}>
              {t('actions.delete')}
            </Menu.Item>
          </>
        ) : null}
        {shared === null ? null : (
          <>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconUserMinus size={15} stroke={1.7} />} onClick={() => onAction('leave')}>
              {t('actions.leave')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
