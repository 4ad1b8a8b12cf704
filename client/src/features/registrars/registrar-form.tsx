import { Anchor, PasswordInput, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { registrarCatalog, registrarCompanies, registrarProviders, type CredentialField } from '#shared/features/registrars/catalog.ts'
import { waysOf } from '#shared/features/registrars/rules.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { Switch } from '#client/ui/form/switch.tsx'
import { fieldLabel, type Way } from './field-label.ts'
import forms from '#client/ui/form/form.module.css'
import classes from './registrars.module.css'

/** The fields of a registrar by its provider; when editing, secrets start empty, and an empty secret is unchanged (R-REG-02, R-REG-03). */
export function RegistrarForm({
  registrar,
  onSaved,
  onCancel,
}: {
  registrar?: Registrar
  onSaved: (saved: Registrar) => void
  onCancel: () => void
}) {
  const { t } = useTranslation(['registrars', 'common'])
  const state = useRegistrarForm(registrar, onSaved)
  const { form, namesOnly } = state
  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <TextInput {...form.text('name')} label={t('form.name')} autoComplete="off" required data-autofocus />
      {namesOnly ? null : <Details state={state} registrar={registrar} />}
      <Problem text={form.refusal} />
      <FormEnd action={t(registrar === undefined ? 'add' : 'form.save')} busy={form.submitting} stays onCancel={onCancel} sticky />
    </form>
  )
}

type State = ReturnType<typeof useRegistrarForm>

function useRegistrarForm(registrar: Registrar | undefined, onSaved: (saved: Registrar) => void) {
  const { t } = useTranslation('registrars')
  const create = trpc.registrars.create.useMutation({ meta: { failure: false } })
  const update = trpc.registrars.update.useMutation({ meta: { failure: false } })
  /** Users with whom it is shared can change only its name. */
  const namesOnly = registrar !== undefined && registrar.shared !== null
  const [way, setWay] = useState(() => (registrar?.credentialFields.includes('apiToken') === true ? 1 : 0))
  /** The visible required fields. */
  const required = useRef<readonly CredentialField[]>([])
  const form = useForm({
    initial: {
      name: registrar?.name ?? '',
      type: registrar?.type ?? 'MANUAL',
      provider: registrar?.provider ?? 'NAMECHEAP',
      company: registrar?.company ?? '',
      sandbox: registrar?.sandbox ?? false,
      apiUrl: registrar?.apiUrl ?? '',
      email: registrar?.email ?? '',
      accountPassword: '',
      username: '',
      password: '',
      apiKey: '',
      apiSecret: '',
      login: '',
      apiToken: '',
      clientIp: '',
    },
    schema: async () => {
      const { createRegistrarInput, newRegistrarForm } = await import('#shared/features/registrars/schema.ts')
      return required.current.length === 0 ? createRegistrarInput : newRegistrarForm(required.current)
    },
    onSubmit: async (_input, values) => {
      const { accountPassword, ...rest } = values
      const fields = { ...rest, ...(accountPassword === '' ? {} : { accountPassword }) }
      const saved =
        registrar === undefined
          ? await create.mutateAsync(fields)
          : await update.mutateAsync({ ...(namesOnly ? { name: values.name } : fields), id: registrar.id })
      onSaved(saved.registrar)
    },
    refusalOf: (error) => {
      const title = t(registrar === undefined ? 'failed.create' : 'failed.update')
      return failureOf(error).kind === 'no_response' ? title : `${title}. ${messageOf(error)}`
    },
  })
  const { type, provider } = form.values
  const entry = provider === 'OTHER' ? null : registrarCatalog[provider]
  const ways = waysOf({ type, provider })
  const fields = ways[way] ?? ways[0] ?? []
  const kept = registrar !== undefined && registrar.type === type && registrar.provider === provider
  useEffect(() => {
    required.current = kept ? [] : fields
  })
  const asked: Way = type === 'MANUAL' || provider === 'OTHER' ? 'MANUAL' : provider
  return { form, namesOnly, way, setWay, ways, fields, kept, entry, asked }
}

/** Everything except the name: the company, the credentials, and the website. */
function Details({ state, registrar }: { state: State; registrar: Registrar | undefined }) {
  const { t } = useTranslation(['registrars', 'common'])
  const { form, way, ways, entry, asked } = state
  const { type, provider } = form.values
  return (
    <>
      <div className="grid gap-6">
        <SegmentedControl
          fullWidth
          aria-label={t('form.type')}
          value={type}
          // Another company has no API that the panel supports.
          onChange={(next) => form.merge({ type: next, ...(next === 'API_ENABLED' && provider === 'OTHER' && { provider: 'NAMECHEAP' }) })}
          data={[
            { value: 'MANUAL', label: t('type.MANUAL') },
            { value: 'API_ENABLED', label: t('type.API_ENABLED') },
          ]}
        />
        <p className={`size-12 muted ${classes['help']}`}>{t(`form.type_help.${type}`)}</p>
      </div>
      <Select
        label={t('form.provider')}
        data={(type === 'MANUAL' ? registrarCompanies : registrarProviders).map((value) => ({
          value,
          label: value === 'OTHER' ? t('form.other') : registrarCatalog[value].name,
        }))}
        value={provider}
        onChange={(next) => {
          if (next === null) return
          state.setWay(0)
          form.merge({ provider: next, sandbox: false })
        }}
        allowDeselect={false}
      />
      {provider === 'OTHER' ? <TextInput {...form.text('company')} label={t('form.company')} autoComplete="off" required /> : null}
      {asked === 'MANUAL' || entry === null ? null : (
        <div className="framed grid gap-6 size-13 secondary on-sunken p-10-12">
          <p>{t(`hint.${asked}`)}</p>
          <Anchor href={entry.help} target="_blank" rel="noopener noreferrer" size="sm">
            {t('hint.open')} <IconExternalLink size={13} />
          </Anchor>
        </div>
      )}
      {ways.length > 1 ? (
        <SegmentedControl
          fullWidth
          aria-label={t('form.auth')}
          value={String(way)}
          onChange={(next) => {
            state.setWay(Number(next))
            form.merge({ apiKey: '', apiSecret: '', apiToken: '' })
          }}
          data={ways.map((some, index) => ({ value: String(index), label: t(some.length > 1 ? 'form.auth_key' : 'form.auth_token') }))}
        />
      ) : null}
      <Credentials state={state} registrar={registrar} />
      <TextInput
        {...form.text('apiUrl')}
        label={t('form.url')}
        description={t('form.url_help')}
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
      />
      {type === 'MANUAL' || entry === null ? null : <Sandbox form={form} kind={entry.sandbox} />}
      <div className={forms['pair']}>
        <TextInput {...form.text('email')} label={t('form.email')} type="email" inputMode="email" autoComplete="off" />
        <PasswordInput
          {...form.text('accountPassword')}
          label={t('form.account_password')}
          placeholder={registrar?.hasAccountPassword === true ? t('form.unchanged') : ''}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
        />
      </div>
      <p className={`size-12 muted ${classes['help']}`}>{t(`form.site_help.${type}`)}</p>
    </>
  )
}

function Credentials({ state: { form, fields, kept, asked }, registrar }: { state: State; registrar: Registrar | undefined }) {
  const { t } = useTranslation(['registrars', 'common'])
  return fields.map((field) => {
    const plain = field === 'username' || field === 'login' || field === 'clientIp'
    const shared = {
      ...form.text(field),
      label: t(fieldLabel(asked, field)),
      placeholder: kept && registrar?.credentialFields.includes(field) ? t('form.unchanged') : '',
      required: !kept,
    }
    return plain ? (
      <TextInput key={field} {...shared} autoComplete="off" {...(field === 'clientIp' && { description: t('field.namecheap_ip_help') })} />
    ) : (
      <PasswordInput key={field} {...shared} autoComplete="new-password" visibilityToggleButtonProps={{ 'aria-label': t('common:show') }} />
    )
  })
}

function Sandbox({ form, kind }: { form: State['form']; kind: 'address' | 'credentials' }) {
  const { t } = useTranslation('registrars')
  const sandboxId = useId()
  return (
    <div className={`grid middle size-13 ${classes['switched']}`}>
      <span id={sandboxId}>{t('form.sandbox')}</span>
      <Switch
        on={form.values.sandbox}
        labelledBy={sandboxId}
        describedBy={`${sandboxId}-help`}
        onChange={(next) => form.set('sandbox', next)}
      />
      <p id={`${sandboxId}-help`} className={`size-12 muted ${classes['help']}`}>
        {t(kind === 'address' ? 'form.sandbox_address' : 'form.sandbox_keys')}
      </p>
    </div>
  )
}
