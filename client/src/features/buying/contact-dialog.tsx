import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Contact } from '#shared/features/buying/schema.ts'
import { utils } from '#client/lib/trpc.ts'
import { useReturnFocus } from '#client/ui/use-return-focus.ts'
import { ContactForm } from './contact-form.tsx'

/** Adds a contact profile, or changes one. */
export function ContactDialog({
  contact,
  first,
  onSaved,
  onClose,
}: {
  contact?: Contact
  first: boolean
  onSaved: (saved: Contact) => void
  onClose: () => void
}) {
  const { t } = useTranslation('buying')
  useReturnFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(contact === undefined ? 'contact.create_title' : 'contact.edit_title')}
      size={560}
      closeOnClickOutside={false}
    >
      <ContactForm
        {...(contact && { contact })}
        first={first}
        onCancel={onClose}
        onSaved={(saved) => {
          void utils.buying.contacts.list.invalidate()
          onSaved(saved)
          onClose()
        }}
      />
    </Modal>
  )
}
