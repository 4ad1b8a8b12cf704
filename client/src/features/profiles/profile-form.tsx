import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfileActions, type Profile } from './mutations.ts'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { filledRows, inputOf, RecordFields, rowOf, type RecordRow, SettingFields } from '#client/features/domains/index.ts'
import { counted } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import classes from './profiles.module.css'

interface Values extends Record<string, unknown> {
  name: string
  settings: SettingsPatch
  records: RecordInput[]
}

const recordsOf = (rows: readonly RecordRow[]): RecordInput[] => filledRows(rows).map(inputOf)

/** Name, settings and records of a profile. */
export function ProfileForm({
  profile,
  onSaved,
  onCancel,
}: {
  profile?: Profile
  onSaved: (saved: Profile) => void
  onCancel: () => void
}) {
  const { t } = useTranslation(['profiles', 'common'])
  const [settingsId, recordsId] = [useId(), useId()]
  const actions = useProfileActions()
  const [rows, setRows] = useState<readonly RecordRow[]>((profile?.records ?? []).map(rowOf))
  const initial: Values = { name: profile?.name ?? '', settings: profile?.settings ?? {}, records: recordsOf(rows) }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/profiles/schema.ts')).profileFields,
    onSubmit: async (fields) => {
      onSaved(await (profile === undefined ? actions.create(fields) : actions.update({ ...fields, id: profile.id })))
    },
    onFailure: (error) => toast.failure(error, t(profile === undefined ? 'failed.create' : 'failed.update')),
  })
  const { settings } = form.values
  const empty = form.errors['settings']

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
        <RecordFields
          rows={rows}
          problemOf={problemOf}
          onChange={(next) => {
            setRows(next)
            form.merge({ records: recordsOf(next), settings })
          }}
        />
      </section>
      {profile === undefined || profile.domains === 0 ? null : (
        <p className="size-13 secondary">{t('form.stay', counted(profile.domains))}</p>
      )}
      <FormEnd
        refusal={empty ?? null}
        action={t(profile === undefined ? 'form.create' : 'form.save')}
        busy={form.submitting}
        stays
        onCancel={onCancel}
      />
    </form>
  )
}
