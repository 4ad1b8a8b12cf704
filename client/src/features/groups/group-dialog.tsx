import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { GroupForm } from './group-form.tsx'

/** Creates a group on any page, or edits the given one. */
export function GroupDialog({ group, onSaved, onClose }: { group?: Group; onSaved?: (group: Group) => void; onClose: () => void }) {
  const { t } = useTranslation('groups')
  return (
    <Dialog onClose={onClose} title={t(group === undefined ? 'form.create_title' : 'form.edit_title')} size={520}>
      <GroupForm
        {...(group && { group })}
        onCancel={onClose}
        onSaved={(saved) => {
          onSaved?.(saved)
          onClose()
        }}
      />
    </Dialog>
  )
}
