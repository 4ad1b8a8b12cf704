import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { useReturnFocus } from '#client/ui/use-return-focus.ts'
import { GroupForm } from './group-form.tsx'

/** Creates a group, from anywhere; or changes the given one. */
export function GroupDialog({ group, onSaved, onClose }: { group?: Group; onSaved?: (group: Group) => void; onClose: () => void }) {
  const { t } = useTranslation('groups')
  useReturnFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(group === undefined ? 'form.create_title' : 'form.edit_title')}
      size={520}
      closeOnClickOutside={false}
      // It may lie over another dialog, which would close at the same Escape.
      onFocusCapture={({ target }) => target.setAttribute('data-mantine-stop-propagation', 'true')}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <GroupForm
        {...(group && { group })}
        onCancel={onClose}
        onSaved={(saved) => {
          onSaved?.(saved)
          onClose()
        }}
      />
    </Modal>
  )
}
