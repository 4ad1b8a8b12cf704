import { IconListDetails, IconPencil, IconPlus, IconShare2, IconTrash, IconVariable, IconUserMinus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLock, useSharedWords } from '#client/features/sharing/index.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { RowMenu } from '#client/ui/table/row-menu.tsx'

export type GroupAction = 'domains' | 'add' | 'edit' | 'share' | 'values' | 'leave' | 'delete'

/** All actions on one group; disabled ones state the reason. */
export function GroupMenu({ group: { name, shared }, onAction }: { group: Group; onAction: (action: GroupAction) => void }) {
  const { t } = useTranslation('groups')
  const lock = useLock(shared)
  return (
    <RowMenu
      label={t('actions.label', { group: name })}
      hint={t('actions.title')}
      note={useSharedWords()(shared)}
      items={[
        { action: 'domains', icon: IconListDetails, label: t('actions.domains') },
        { action: 'add', icon: IconPlus, label: t('actions.add'), off: lock('manage') },
        { action: 'edit', icon: IconPencil, label: t('actions.edit'), off: lock('manage') },
        { action: 'values', icon: IconVariable, label: t('actions.values'), off: lock('own') },
        { action: 'share', icon: IconShare2, label: t('actions.share'), off: lock('own') },
        { action: 'delete', icon: IconTrash, label: t('actions.delete'), off: lock('own'), danger: true },
        ...(shared === null ? [] : [{ action: 'leave' as const, icon: IconUserMinus, label: t('actions.leave'), danger: true }]),
      ]}
      onAction={onAction}
    />
  )
}
