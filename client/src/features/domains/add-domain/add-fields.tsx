import { Checkbox, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Form } from '#client/lib/forms.ts'
import { filterOptionsQuery } from '../use-domain-rows.ts'
import classes from './add-domain.module.css'

type SslMode = 'off' | 'flexible' | 'full' | 'strict'

/** What each new domain gets, whether one or many. */
export interface NewDomain extends Record<string, unknown> {
  ipAddress: string
  groupId: string | null
  createWww: boolean
  enableProxy: boolean
  sslMode: SslMode
  alwaysHttps: boolean
}

export const newDomain: NewDomain = {
  ipAddress: '',
  groupId: null,
  createWww: true,
  enableProxy: true,
  sslMode: 'flexible',
  alwaysHttps: true,
}

/** Fields that one and many new domains share. */
export function AddFields({ form, modes }: { form: Form<NewDomain>; modes: readonly SslMode[] }) {
  const { t } = useTranslation('domains')
  const groups = useQuery(filterOptionsQuery(undefined)).data?.groups ?? []
  const { values, set } = form
  return (
    <>
      <div className={classes['pair']}>
        <TextInput
          {...form.text('ipAddress')}
          label={t('add.ip')}
          placeholder="203.0.113.10"
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Select
          label={t('add.ssl')}
          allowDeselect={false}
          value={values.sslMode}
          onChange={(mode) => set('sslMode', modes.find((each) => each === mode) ?? 'flexible')}
          data={modes.map((mode) => ({ value: mode, label: t(`ssl.${mode}`) }))}
        />
      </div>
      {groups.length === 0 ? null : (
        <Select
          label={t('add.group')}
          placeholder={t('add.no_group')}
          value={values.groupId}
          onChange={(id) => set('groupId', id)}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          clearable
        />
      )}
      <div className={classes['switches']}>
        <Checkbox
          label={t('add.www')}
          description={t('add.www_help')}
          checked={values.createWww}
          onChange={(event) => set('createWww', event.currentTarget.checked)}
        />
        <Checkbox
          label={t('add.proxy')}
          description={t('add.proxy_help')}
          checked={values.enableProxy}
          onChange={(event) => set('enableProxy', event.currentTarget.checked)}
        />
        <Checkbox
          label={t('add.https')}
          description={t('add.https_help')}
          checked={values.alwaysHttps}
          onChange={(event) => set('alwaysHttps', event.currentTarget.checked)}
        />
      </div>
    </>
  )
}
