import { useTranslation } from 'react-i18next'
import type { Contact } from '#shared/features/registrars/buying/schema.ts'
import { utils } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/dialog.tsx'
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
  return (
    <Dialog onClose={onClose} title={t(contact === undefined ? 'contact.create_title' : 'contact.edit_title')} size={560}>
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
    </Dialog>
  )
}
