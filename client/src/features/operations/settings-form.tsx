import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError } from '#client/ui/form/form-error.tsx'
import { SettingFields } from '#client/features/domains/index.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

/** Settings for all domains; fields without a choice stay unchanged. */
export function SettingsForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'faults'])
  const [settings, setSettings] = useState<SettingsPatch>({})
  const [isChecked, setIsChecked] = useState(false)

  const submit = (): void => {
    if (Object.keys(settings).length === 0) return setIsChecked(true)
    onSubmit({ kind: 'settings', input: { settings } })
  }

  return frame(
    <>
      <p className={`size-12 muted ${classes['quiet']}`}>{t('bulk.settings_help')}</p>
      {isChecked ? <FormError text={t('faults:settings_empty')} /> : null}
      <SettingFields
        value={settings}
        unset={t('bulk.keep')}
        onChange={(next) => {
          setIsChecked(false)
          setSettings(next)
        }}
      />
    </>,
    submit,
  )
}
