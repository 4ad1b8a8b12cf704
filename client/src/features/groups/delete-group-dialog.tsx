import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { useGroupActions } from './mutations.ts'

/** Asks with what becomes of the domains: they stay. */
export function DeleteGroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation('groups')
  const actions = useGroupActions()
  const count = group.zonesCount
  const people = group.sharedWith
  return (
    <ConfirmDialog
      title={t('delete.title', { group: group.name })}
      consequence={
        <>
          <p>{count === 0 ? t('delete.text_empty') : t('delete.text', { count, formatted: formatNumber(count) })}</p>
          {people === 0 ? null : <p>{t('delete.people', { count: people, formatted: formatNumber(people) })}</p>}
        </>
      }
      action={t('delete.confirm')}
      things={1}
      failure={t('failed.deleting')}
      onConfirm={() => actions.remove(group)}
      onClose={onClose}
    />
  )
}
