import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconListDetails, IconPencil, IconPlus, IconShare2, IconTrash, IconUserMinus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'

export type GroupAction = 'domains' | 'add' | 'edit' | 'share' | 'leave' | 'delete'

/** Everything that the person can do with one group. */
export function GroupMenu({ group: { name, shared }, onAction }: { group: Group; onAction: (action: GroupAction) => void }) {
  const { t } = useTranslation('groups')
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('actions.label', { group: name })} title={t('actions.title')}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconListDetails size={15} stroke={1.7} />} onClick={() => onAction('domains')}>
          {t('actions.domains')}
        </Menu.Item>
        {allows(shared, 'manage') ? (
          <>
            <Menu.Item leftSection={<IconPlus size={15} stroke={1.7} />} onClick={() => onAction('add')}>
              {t('actions.add')}
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil size={15} stroke={1.7} />} onClick={() => onAction('edit')}>
              {t('actions.edit')}
            </Menu.Item>
          </>
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
