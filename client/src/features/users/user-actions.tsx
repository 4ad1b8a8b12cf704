import {
  IconDoorExit,
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconShieldOff,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { RowMenu, type RowMenuItem } from '#client/ui/table/row-menu.tsx'

export type UserAction = 'edit' | 'password' | 'factors' | 'tokens' | 'sign_out' | 'disable' | 'enable' | 'delete'

/** All actions on one user. Users cannot disable or delete themselves. */
export function UserActions({
  user,
  own,
  onAction,
}: {
  user: Pick<ManagedUser, 'username' | 'secured' | 'disabledAt'>
  own: boolean
  onAction: (action: UserAction) => void
}) {
  const { t } = useTranslation('users')
  const enabled = user.disabledAt === null
  const others: RowMenuItem<UserAction>[] = [
    ...(enabled ? [{ action: 'password', icon: IconKey, label: t('actions.password') } as const] : []),
    ...(user.secured ? [{ action: 'factors', icon: IconShieldOff, label: t('actions.factors') } as const] : []),
    ...(enabled
      ? ([
          { action: 'tokens', icon: IconPlugConnected, label: t('actions.tokens') },
          { action: 'sign_out', icon: IconDoorExit, label: t('actions.sign_out') },
          { action: 'disable', icon: IconUserOff, label: t('actions.disable'), danger: true },
        ] as const)
      : [{ action: 'enable', icon: IconUserCheck, label: t('actions.enable') } as const]),
    { action: 'delete', icon: IconTrash, label: t('actions.delete'), danger: true },
  ]
  return (
    <RowMenu
      label={t('actions.label', { user: user.username })}
      hint={t('actions.title')}
      items={[{ action: 'edit', icon: IconPencil, label: t('actions.edit') }, ...(own ? [] : others)]}
      onAction={onAction}
    />
  )
}
