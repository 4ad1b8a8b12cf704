import { Button, Select } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Contact } from '#shared/features/registrars/buying/schema.ts'
import { trpc, utils } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { countries } from '#client/lib/countries.ts'
import { changeDraft, draft } from './draft.ts'
import { ContactForm } from './contact-form.tsx'
import classes from './buying.module.css'

/** The selected or default contact; undefined while loading, null if there is none. */
export function useContact(ownerId: string | undefined) {
  const list = trpc.buying.contacts.list.useQuery(ownerId === undefined ? {} : { ownerId })
  const { contactId } = draft.use()
  const contacts = list.data?.contacts
  const contact =
    contacts?.find(({ id }) => id === contactId) ?? contacts?.[0] ?? (contacts === undefined && !list.isError ? undefined : null)
  return { list, contacts, contact }
}

type Dialog = 'create' | 'edit' | 'delete'

/** Selects a registrant among the contacts, which can also be added, edited and deleted here. */
export function ContactPicker({ ownerId, error }: { ownerId: string | undefined; error: string | undefined }) {
  const { t } = useTranslation(['buying', 'common'])
  const { list, contacts, contact } = useContact(ownerId)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  if (list.isError && contacts === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className={`column gap-8 shrink ${classes['block']}`}>
      {contacts === undefined ? (
        <Skeleton width="100%" height={32} />
      ) : contacts.length === 0 ? (
        <p className={classes['quiet']}>{t('contact.none')}</p>
      ) : (
        <Select
          label={t('contact.label')}
          value={contact?.id ?? null}
          onChange={(id) => changeDraft({ contactId: id })}
          data={contacts.map(({ id, name, isDefault }) => ({ value: id, label: isDefault ? t('contact.is_default', { name }) : name }))}
          allowDeselect={false}
          error={error}
          nothingFoundMessage={t('common:filters.none')}
          searchable
        />
      )}
      {contact === null || contact === undefined ? null : (
        <p className={classes['quiet']}>
          {contact.unreadable
            ? t('contact.unreadable')
            : [
                `${contact.firstName} ${contact.lastName}`,
                contact.organization,
                contact.email,
                contact.phone,
                contact.address,
                contact.city,
                contact.postalCode,
                countries().find(({ code }) => code === contact.country)?.name ?? contact.country,
              ]
                .filter(Boolean)
                .join(', ')}
        </p>
      )}
      {contacts?.length === 0 && error !== undefined ? (
        <p role="alert" className="size-12 bad">
          {error}
        </p>
      ) : null}
      <div className={`flex wrap ${classes['smalls']}`}>
        <Button
          variant={contacts?.length === 0 ? 'default' : 'subtle'}
          size={contacts?.length === 0 ? 'sm' : 'compact-xs'}
          leftSection={<IconPlus size={13} stroke={2} aria-hidden />}
          onClick={() => setDialog('create')}
        >
          {t('contact.add')}
        </Button>
        {contact === null || contact === undefined ? null : (
          <>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPencil size={13} stroke={1.8} aria-hidden />}
              onClick={() => setDialog('edit')}
            >
              {t('contact.edit')}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              leftSection={<IconTrash size={13} stroke={1.8} aria-hidden />}
              onClick={() => setDialog('delete')}
            >
              {t('contact.delete')}
            </Button>
          </>
        )}
      </div>
      {dialog === null ? null : (
        <Dialogs dialog={dialog} contact={contact} first={contacts?.length === 0} onClose={() => setDialog(null)} />
      )}
    </div>
  )
}

function Dialogs({
  dialog,
  contact,
  first,
  onClose,
}: {
  dialog: Dialog
  contact: Contact | null | undefined
  first: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('buying')
  const remove = trpc.buying.contacts.remove.useMutation({ meta: { failure: t('failed.contact_delete') } })
  return dialog === 'create' ? (
    <ContactDialog first={first} onSaved={({ id }) => changeDraft({ contactId: id })} onClose={onClose} />
  ) : dialog === 'edit' && contact ? (
    <ContactDialog contact={contact} first={false} onSaved={() => undefined} onClose={onClose} />
  ) : dialog === 'delete' && contact ? (
    <ConfirmDialog
      title={t('contact.delete_title', { name: contact.name })}
      consequence={t('contact.delete_text')}
      action={t('contact.delete_confirm')}
      count={1}
      onConfirm={async () => {
        await remove.mutateAsync({ id: contact.id })
        changeDraft({ contactId: null })
        await utils.buying.contacts.list.invalidate()
      }}
      onClose={onClose}
    />
  ) : null
}

/** Adds or edits a contact. */
function ContactDialog({
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
