import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Contact } from '#shared/features/registrars/buying/schema.ts'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { countries } from '#client/lib/countries.ts'
import forms from '#client/ui/form/form.module.css'
import classes from './buying.module.css'

type Pair = readonly [name: string, value: string]

/** The registrant of the names. `first`: there is no other yet, so this one becomes the default. */
export function ContactForm({
  contact,
  first,
  onSaved,
  onCancel,
}: {
  contact?: Contact
  first: boolean
  onSaved: (saved: Contact) => void
  onCancel: () => void
}) {
  const { t } = useTranslation(['buying', 'common'])
  const { form, more, setMore, fault } = useContactForm(contact, first, onSaved)

  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <TextInput
        {...form.text('name')}
        label={t('contact.name')}
        description={t('contact.name_help')}
        autoComplete="off"
        required
        data-autofocus
      />
      <p className={classes['quiet']}>{t('contact.latin')}</p>
      <div className={forms['pair']}>
        <TextInput {...form.text('firstName')} label={t('contact.first_name')} autoComplete="given-name" required />
        <TextInput {...form.text('lastName')} label={t('contact.last_name')} autoComplete="family-name" required />
      </div>
      <TextInput {...form.text('organization')} label={t('contact.organization')} autoComplete="organization" />
      <div className={forms['pair']}>
        <TextInput {...form.text('email')} label={t('contact.email')} type="email" inputMode="email" autoComplete="email" required />
        <TextInput
          {...form.text('phone')}
          label={t('contact.phone')}
          type="tel"
          inputMode="tel"
          placeholder="+7 495 123-45-67"
          autoComplete="tel"
          required
        />
      </div>
      <div className={forms['pair']}>
        <Select
          label={t('contact.country')}
          placeholder={t('contact.choose_country')}
          value={form.values.country === '' ? null : form.values.country}
          error={form.errors['country']}
          onChange={(code) => form.set('country', code ?? '')}
          data={countries().map(({ code, name }) => ({ value: code, label: name }))}
          nothingFoundMessage={t('common:filters.none')}
          searchable
          required
        />
        <TextInput {...form.text('region')} label={t('contact.region')} autoComplete="address-level1" required />
      </div>
      <div className={forms['pair']}>
        <TextInput {...form.text('city')} label={t('contact.city')} autoComplete="address-level2" required />
        <TextInput {...form.text('postalCode')} label={t('contact.postal_code')} autoComplete="postal-code" required />
      </div>
      <TextInput {...form.text('address')} label={t('contact.address')} autoComplete="street-address" required />
      <ExtraFields pairs={more} fault={fault} onChange={setMore} />
      <Checkbox
        size="sm"
        label={t('contact.default')}
        checked={form.values.isDefault}
        onChange={(event) => form.set('isDefault', event.currentTarget.checked)}
      />
      <Problem text={form.refusal} />
      <FormEnd
        action={t(contact === undefined ? 'contact.create' : 'contact.save')}
        busy={form.submitting}
        stays
        onCancel={onCancel}
        sticky
      />
    </form>
  )
}

function useContactForm(contact: Contact | undefined, first: boolean, onSaved: (saved: Contact) => void) {
  const { t } = useTranslation('buying')
  const create = trpc.buying.contacts.create.useMutation({ meta: { failure: false } })
  const update = trpc.buying.contacts.update.useMutation({ meta: { failure: false } })
  const [more, setMore] = useState<readonly Pair[]>(() => Object.entries(contact?.extra ?? {}))
  const extra = Object.fromEntries(more.map(([name, value]) => [name.trim(), value.trim()] as const).filter((pair) => pair.join('') !== ''))
  const form = useForm({
    initial: {
      name: contact?.name ?? '',
      isDefault: contact?.isDefault ?? first,
      firstName: contact?.firstName ?? '',
      lastName: contact?.lastName ?? '',
      organization: contact?.organization ?? '',
      email: contact?.email ?? '',
      phone: contact?.phone ?? '',
      address: contact?.address ?? '',
      city: contact?.city ?? '',
      region: contact?.region ?? '',
      postalCode: contact?.postalCode ?? '',
      country: contact?.country ?? '',
    },
    schema: async () => (await import('#shared/features/registrars/buying/schema.ts')).createContactInput,
    onSubmit: async (_input, values) => {
      const fields = { ...values, extra }
      const saved = contact === undefined ? await create.mutateAsync(fields) : await update.mutateAsync({ ...fields, id: contact.id })
      onSaved(saved.contact)
    },
    refusalOf: (error) => {
      const title = t(contact === undefined ? 'failed.contact_create' : 'failed.contact_update')
      return failureOf(error).kind === 'no_response' ? title : `${title}. ${messageOf(error)}`
    },
  })
  const fault = Object.entries(form.errors).find(([path]) => path.startsWith('extra'))?.[1]
  return { form, more, setMore, fault }
}

/** Additional fields of some registries, by the registrar's own names. */
function ExtraFields({
  pairs,
  fault,
  onChange,
}: {
  pairs: readonly Pair[]
  fault: string | undefined
  onChange: (pairs: readonly Pair[]) => void
}) {
  const { t } = useTranslation('buying')
  const id = useId()
  const setPair = (index: number, pair: Pair): void => onChange(pairs.map((each, at) => (at === index ? pair : each)))
  return (
    <div className={`column gap-8 shrink ${classes['block']}`} role="group" aria-labelledby={id}>
      <span id={id} className="size-13 medium secondary">
        {t('contact.extra')}
      </span>
      <p className={classes['quiet']}>{t('contact.extra_help')}</p>
      {pairs.map(([name, value], index) => (
        <div key={index} className={`grid gap-8 middle ${classes['extra']}`}>
          <TextInput
            aria-label={t('contact.extra_name')}
            placeholder="person_r"
            value={name}
            classNames={{ input: 'mono' }}
            autoComplete="off"
            onChange={(event) => setPair(index, [event.currentTarget.value, value])}
          />
          <TextInput
            aria-label={t('contact.extra_value')}
            value={value}
            autoComplete="off"
            onChange={(event) => setPair(index, [name, event.currentTarget.value])}
          />
          <ActionIcon aria-label={t('contact.extra_remove')} onClick={() => onChange(pairs.filter((_, at) => at !== index))}>
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      {fault === undefined ? null : (
        <p role="alert" className="size-12 bad">
          {fault}
        </p>
      )}
      <Button
        variant="subtle"
        size="compact-xs"
        className={classes['small'] ?? ''}
        leftSection={<IconPlus size={13} stroke={2} aria-hidden />}
        onClick={() => onChange([...pairs, ['', '']])}
      >
        {t('contact.extra_add')}
      </Button>
    </div>
  )
}
