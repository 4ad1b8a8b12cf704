import { TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Profile } from './mutations.ts'
import { filledRows, RecordFields, SettingFields } from '#client/features/domains/index.ts'
import { counted } from '#client/lib/format.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { ProfileRules } from './profile-rules.tsx'
import { filledVariables, ProfileVariables } from './profile-variables.tsx'
import type { useProfileForm } from './use-profile-form.ts'
import classes from './profiles.module.css'

/** Name, settings, records and rules of a profile. */
export function ProfileForm({
  profile,
  state: { form, rows, setRows, setRules, variableRows, setVariables },
  onCancel,
}: {
  profile: Profile | undefined
  state: ReturnType<typeof useProfileForm>
  onCancel: () => void
}) {
  const { t } = useTranslation('profiles')
  const [settingsId, recordsId, rulesId, variablesId] = [useId(), useId(), useId(), useId()]
  const { settings } = form.values

  /** Empty rows are not sent, so the indexes of the others differ. */
  const problemOf = (index: number, field: 'name' | 'content' | 'priority'): string | undefined => {
    const row = rows[index]
    if (row === undefined || row.content.trim() === '') return undefined
    const place = `records.${filledRows(rows).findIndex(({ key }) => key === row.key)}`
    const own = form.errors[`${place}.${field}`]
    if (field !== 'content' || own !== undefined) return own
    // Issues without a field.
    return form.errors[`${place}.proxied`] ?? form.errors[`${place}.ttl`] ?? form.errors[`${place}.type`]
  }

  const variableErrorOf = (key: string, field: 'name' | 'values'): string | undefined => {
    const place = `variables.${filledVariables(variableRows).findIndex((row) => row.key === key)}.${field}`
    return Object.entries(form.errors).find(([path]) => path === place || path.startsWith(`${place}.`))?.[1]
  }

  return (
    <form className="column gap-16" noValidate onSubmit={form.submit}>
      <TextInput {...form.text('name')} label={t('form.name')} autoComplete="off" maxLength={100} required data-autofocus />
      <section className={`column gap-8 ${classes['part']}`} aria-labelledby={settingsId}>
        <h3 id={settingsId}>{t('form.settings')}</h3>
        <SettingFields
          value={settings}
          unset={t('form.unset')}
          without={['developmentMode']}
          onChange={(next) => form.set('settings', next)}
        />
      </section>
      <section className={`column gap-8 ${classes['part']}`} aria-labelledby={recordsId}>
        <h3 id={recordsId}>{t('form.records')}</h3>
        <p className="size-13 secondary">{t('form.records_help', { domain: '{{domain}}' })}</p>
        <RecordFields rows={rows} problemOf={problemOf} onChange={setRows} />
      </section>
      <section className={`column gap-8 ${classes['part']}`} aria-labelledby={rulesId}>
        <h3 id={rulesId}>{t('rules.title')}</h3>
        <p className="size-13 secondary">{t('rules.help')}</p>
        <ProfileRules
          rules={form.values.rules}
          variables={form.values.variables}
          problemOf={(index) => Object.entries(form.errors).find(([path]) => path.startsWith(`rules.${index}.`))?.[1]}
          onChange={setRules}
        />
      </section>
      <section className={`column gap-8 ${classes['part']}`} aria-labelledby={variablesId}>
        <h3 id={variablesId}>{t('variables.title')}</h3>
        <p className="size-13 secondary">{t('variables.help', { example: '{{countries}}' })}</p>
        <ProfileVariables rows={variableRows} errorOf={variableErrorOf} onChange={setVariables} />
      </section>
      {profile === undefined || profile.domains === 0 ? null : (
        <p className="size-13 secondary">{t('form.stay', counted(profile.domains))}</p>
      )}
      <FormEnd
        refusal={form.errors['settings'] ?? form.errors['rules'] ?? null}
        action={t(profile === undefined ? 'form.create' : 'form.save')}
        busy={form.submitting}
        sticky
        stays
        onCancel={onCancel}
      />
    </form>
  )
}
