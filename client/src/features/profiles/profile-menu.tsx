import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconListDetails, IconPencil, IconStar, IconStarOff, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Profile } from './profile.ts'

export type ProfileAction = 'domains' | 'edit' | 'duplicate' | 'default' | 'delete'

/** Everything that can be done with one profile. */
export function ProfileMenu({ profile: { name, isDefault }, onAction }: { profile: Profile; onAction: (action: ProfileAction) => void }) {
  const { t } = useTranslation('profiles')
  const icon = { size: 15, stroke: 1.7 } as const
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('actions.label', { profile: name })} title={t('actions.title')}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onAction('edit')}>
          {t('actions.edit')}
        </Menu.Item>
        <Menu.Item leftSection={<IconListDetails {...icon} />} onClick={() => onAction('domains')}>
          {t('actions.domains')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => onAction('duplicate')}>
          {t('actions.duplicate')}
        </Menu.Item>
        <Menu.Item leftSection={isDefault ? <IconStarOff {...icon} /> : <IconStar {...icon} />} onClick={() => onAction('default')}>
          {t(isDefault ? 'actions.not_default' : 'actions.default')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => onAction('delete')}>
          {t('actions.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
