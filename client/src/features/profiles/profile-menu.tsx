import { IconCopy, IconListDetails, IconPencil, IconStar, IconStarOff, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '#client/ui/table/row-menu.tsx'
import type { Profile } from './mutations.ts'

export type ProfileAction = 'domains' | 'edit' | 'duplicate' | 'default' | 'delete'

/** All actions on one profile. */
export function ProfileMenu({ profile: { name, isDefault }, onAction }: { profile: Profile; onAction: (action: ProfileAction) => void }) {
  const { t } = useTranslation('profiles')
  return (
    <RowMenu
      label={t('actions.label', { profile: name })}
      hint={t('actions.title')}
      width={240}
      items={[
        { action: 'edit', icon: IconPencil, label: t('actions.edit') },
        { action: 'domains', icon: IconListDetails, label: t('actions.domains') },
        { action: 'duplicate', icon: IconCopy, label: t('actions.duplicate') },
        { action: 'default', icon: isDefault ? IconStarOff : IconStar, label: t(isDefault ? 'actions.not_default' : 'actions.default') },
        { action: 'delete', icon: IconTrash, label: t('actions.delete'), danger: true },
      ]}
      onAction={onAction}
    />
  )
}
