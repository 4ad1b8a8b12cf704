import { NativeSelect } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { configSettings, type ConfigSetting } from '#shared/features/domains/rulesets/choices.ts'
import { withField } from '../read-json.ts'
import { Labeled, type ParameterFieldsProps } from './labeled.tsx'
import classes from './parameters.module.css'

const settings = Object.keys(configSettings) as ConfigSetting[]

/** The settings that a rule overrides; the others stay as they are for the domain. */
export function ConfigFields({ value, errorOf, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('rulesets')
  const id = useId()
  const words = (setting: ConfigSetting, choice: string | boolean): string =>
    typeof choice === 'boolean'
      ? t(setting.startsWith('disable_') ? 'form.disabled' : choice ? 'on' : 'off')
      : t(`form.values.${choice as 'off'}`)
  return (
    <Labeled label={t('form.settings')} error={errorOf('actionParameters')} help={t('form.settings_help')}>
      {settings.map((setting) => {
        const choices: readonly (string | boolean)[] = configSettings[setting]
        const current = value[setting]
        return (
          <div key={setting} className={`grid gap-12 middle size-13 ${classes['setting']}`}>
            <label htmlFor={`${id}-${setting}`}>{t(`form.config.${setting}`)}</label>
            <NativeSelect
              id={`${id}-${setting}`}
              value={typeof current === 'string' || typeof current === 'boolean' ? String(current) : ''}
              data={[
                { value: '', label: t('form.as_domain') },
                ...choices.map((choice) => ({ value: String(choice), label: words(setting, choice) })),
              ]}
              onChange={(event) =>
                onChange(
                  withField(
                    value,
                    setting,
                    choices.find((choice) => String(choice) === event.currentTarget.value),
                  ),
                )
              }
            />
          </div>
        )
      })}
    </Labeled>
  )
}
