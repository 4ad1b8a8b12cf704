import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDoorExit, IconKey, IconPencil, IconShieldOff, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'

export type UserAction = 'edit' | 'password' | 'factors' | 'sign_out' | 'delete'

/** Everything that can be done with one user. Nobody deletes themselves. */
export function UserActions({
  user,
  own,
  onAction,
}: {
  user: Pick<ManagedUser, 'username' | 'secured'>
  own: boolean
  onAction: (action: UserAction) => void
}) {
  const { t } = useTranslation('users')
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('actions.label', { user: user.username })} title={t('actions.title')}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} stroke={1.7} />} onClick={() => onAction('edit')}>
          {t('actions.edit')}
        </Menu.Item>
        {own ? null : (
          <>
            <Menu.Item leftSection={<IconKey size={15} stroke={1.7} />} onClick={() => onAction('password')}>
              {t('actions.password')}
            </Menu.Item>
            {user.secured ? (
              <Menu.Item leftSection={<IconShieldOff size={15} stroke={1.7} />} onClick={() => onAction('factors')}>
                {t('actions.factors')}
              </Menu.Item>
            ) : null}
            <Menu.Item leftSection={<IconDoorExit size={15} stroke={1.7} />} onClick={() => onAction('sign_out')}>
              {t('actions.sign_out')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={15} stroke={1.7} />} onClick={() => onAction('delete')}>
              {t('actions.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
