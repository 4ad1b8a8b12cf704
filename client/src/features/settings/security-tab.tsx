import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { twoFactorPolicies } from '#shared/features/settings/choices.ts'
import { FormSection } from '#client/ui/form-section.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useDaysOptions } from './use-days-options.ts'
import classes from './settings.module.css'

const lengths = [1, 7, 14, 30, 90, 180, 365]

/** How people prove who they are, and for how long it holds. */
export function SecurityTab() {
  const { t } = useTranslation('settings')
  const length = useDaysOptions(lengths)
  return (
    <SettingsFrame>
      {(settings, change) => (
        <>
          <FormSection title={t('two_factor.title')} text={t('two_factor.text')}>
            <fieldset className={classes['policies']}>
              <legend className="sr-only">{t('two_factor.title')}</legend>
              {twoFactorPolicies.map((policy) => (
                <label key={policy} className={classes['policy']}>
                  <input
                    type="radio"
                    name="two-factor"
                    value={policy}
                    aria-label={t(`two_factor.${policy}.name`)}
                    checked={settings.twoFactor === policy}
                    aria-describedby={`settings-two-factor-${policy}`}
                    onChange={() => change({ twoFactor: policy })}
                  />
                  <span>
                    <span className={classes['name']}>{t(`two_factor.${policy}.name`)}</span>
                    <span id={`settings-two-factor-${policy}`} className={classes['help']}>
                      {t(`two_factor.${policy}.help`)}
                    </span>
                  </span>
                </label>
              ))}
            </fieldset>
          </FormSection>
          <FormSection title={t('sessions.title')} text={t('sessions.text')}>
            <NativeSelect
              className={classes['short'] ?? ''}
              label={t('sessions.name')}
              description={t('sessions.help')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={String(settings.sessionDays)}
              onChange={(event) => change({ sessionDays: Number(event.currentTarget.value) })}
              data={length(settings.sessionDays)}
            />
          </FormSection>
        </>
      )}
    </SettingsFrame>
  )
}
