import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconListDetails, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

export type GroupAction = 'domains' | 'add' | 'edit' | 'delete'

/** Everything that can be done with one group. */
export function GroupMenu({ name, onAction }: { name: string; onAction: (action: GroupAction) => void }) {
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
        <Menu.Item leftSection={<IconPlus size={15} stroke={1.7} />} onClick={() => onAction('add')}>
          {t('actions.add')}
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
