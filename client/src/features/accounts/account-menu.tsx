import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconKey, IconListDetails, IconPencil, IconRefresh, IconStethoscope, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

export type AccountAction = 'domains' | 'login' | 'check' | 'refresh' | 'edit' | 'delete'

/** Everything that can be done with one account. */
export function AccountMenu({ email, onAction }: { email: string; onAction: (action: AccountAction) => void }) {
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
        <Menu.Item leftSection={<IconKey size={15} stroke={1.7} />} onClick={() => onAction('login')}>
          {t('actions.login')}
        </Menu.Item>
        <Menu.Item leftSection={<IconStethoscope size={15} stroke={1.7} />} onClick={() => onAction('check')}>
          {t('actions.check')}
        </Menu.Item>
        <Menu.Item leftSection={<IconRefresh size={15} stroke={1.7} />} onClick={() => onAction('refresh')}>
          {t('refresh')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={15} stroke={1.7} />} onClick={() => onAction('edit')}>
          {t('actions.edit')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} stroke={1.7} />} onClick={() => onAction('delete')}>
          {t('actions.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
