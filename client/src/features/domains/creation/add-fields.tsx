import { Checkbox, Select, TextInput } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountSpread } from '#shared/features/operations/schema.ts'
import type { Form } from '#client/lib/forms.ts'
import { useManagedGroups } from '#client/features/groups/index.ts'
import { trpc } from '#client/lib/trpc.ts'
import classes from './add-domain.module.css'

type SslMode = 'off' | 'flexible' | 'full' | 'strict'

/** The values for each new domain. */
export interface NewDomain {
  /** How domains are distributed over several accounts. */
  spread: AccountSpread
  ipAddress: string
  groupId: string | null
  /** Absent: the default profile for new domains, if there is one; null: none. */
  profileId: string | null | undefined
  createWww: boolean
  enableProxy: boolean
  /** Absent: that of the default profile, or else Flexible. */
  sslMode: SslMode | undefined
  /** Absent: that of the default profile, or else on. */
  alwaysHttps: boolean | undefined
}

export const newDomain: NewDomain = {
  spread: 'in_order',
  ipAddress: '',
  groupId: null,
  profileId: undefined,
  createWww: true,
  enableProxy: true,
  sslMode: undefined,
  alwaysHttps: undefined,
}

/** Fields shared by the forms for one and for many domains. */
export function AddFields({
  values,
  ip,
  ownerId,
  modes,
  onChange,
}: {
  values: NewDomain
  /** The IP address field. */
  ip: ReturnType<Form<Record<string, unknown>>['text']> & { required?: boolean; description?: string }
  /** The owner of the selected accounts; undefined if none is selected. */
  ownerId: string | undefined
  modes: readonly SslMode[]
  onChange: (values: Partial<NewDomain>) => void
}) {
  const { t } = useTranslation('domains')
  const owned = <T extends { ownerId: string }>(all: readonly T[]) =>
    all.filter((each) => ownerId === undefined || each.ownerId === ownerId)
  const groups = useManagedGroups(ownerId) ?? []
  const profiles = owned(trpc.profiles.list.useQuery().data?.profiles ?? [])
  const standard = profiles.find(({ isDefault }) => isDefault)
  const profileId = values.profileId === undefined ? (standard?.id ?? null) : values.profileId
  const profile = profiles.find(({ id }) => id === profileId)
  // What the user has chosen wins over the default profile, but not over one that they select.
  const { ssl, alwaysUseHttps } = profile?.settings ?? {}
  const isDefault = values.profileId === undefined
  const fixedSsl = isDefault && values.sslMode !== undefined ? undefined : ssl
  const fixedHttps = isDefault && values.alwaysHttps !== undefined ? undefined : alwaysUseHttps
  const setBy = t('add.set_by_profile', { profile: profile?.name ?? '' })
  const mode = fixedSsl ?? values.sslMode ?? 'flexible'
  return (
    <>
      <div className={`grid gap-16 start ${classes['pair']}`}>
        <TextInput
          {...ip}
          description={ip.description === undefined || profiles.length > 0 ? ip.description : t('add.no_ip')}
          label={t('add.ip')}
          placeholder="203.0.113.10"
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          label={t('add.ssl')}
          allowDeselect={false}
          value={mode}
          onChange={(chosen) => onChange({ sslMode: modes.find((each) => each === chosen) ?? 'flexible' })}
          data={[...new Set([...modes, mode])].map((each) => ({ value: each, label: t(`ssl.${each}`) }))}
          {...(fixedSsl !== undefined && { disabled: true, description: setBy })}
        />
      </div>
      {groups.length + profiles.length === 0 ? null : (
        <div className={`grid gap-16 start ${classes['pair']}`}>
          {groups.length === 0 ? null : (
            <Select
              label={t('add.group')}
              placeholder={t('add.no_group')}
              value={values.groupId}
              onChange={(groupId) => onChange({ groupId })}
              data={groups.map(({ id, name }) => ({ value: id, label: name }))}
              searchable
              clearable
            />
          )}
          {profiles.length === 0 ? null : (
            <Select
              label={t('add.profile')}
              placeholder={t('add.no_profile')}
              value={profileId}
              onChange={(id) => onChange({ profileId: id })}
              data={profiles.map(({ id, name }) => ({ value: id, label: name }))}
              searchable
              clearable
            />
          )}
        </div>
      )}
      <div className={classes['switches']}>
        <Choice
          label={t('add.www')}
          help={t('add.www_help')}
          checked={values.createWww}
          onChange={(createWww) => onChange({ createWww })}
        />
        <Choice
          label={t('add.proxy')}
          help={t('add.proxy_help')}
          checked={values.enableProxy}
          onChange={(enableProxy) => onChange({ enableProxy })}
        />
        <Choice
          label={t('add.https')}
          help={fixedHttps === undefined ? t('add.https_help') : setBy}
          checked={fixedHttps ?? values.alwaysHttps ?? true}
          disabled={fixedHttps !== undefined}
          onChange={(alwaysHttps) => onChange({ alwaysHttps })}
        />
      </div>
    </>
  )
}

function Choice({
  label,
  help,
  checked,
  disabled = false,
  onChange,
}: {
  label: string
  help: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <Checkbox
      id={id}
      size="sm"
      label={label}
      description={help}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
