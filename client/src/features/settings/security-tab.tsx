import { useTranslation } from 'react-i18next'
import { twoFactorPolicies } from '#shared/features/settings/choices.ts'
import { formatMoney } from '#client/lib/format.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { NumberChoice, useDaysWords } from './number-choice.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import classes from './settings.module.css'

const lengths = [1, 7, 14, 30, 90, 180, 365]
const amounts = [0, 20, 50, 100, 200, 500, 1_000, 5_000]

/** Second factors, session lifetime, and recent authentication. */
export function SecurityTab() {
  const { t } = useTranslation('settings')
  const daysWords = useDaysWords()
  return (
    <SettingsFrame>
      {(settings, change) => (
        <>
          <FormSection title={t('two_factor.title')} text={t('two_factor.text')}>
            <fieldset className="column gap-8">
              <legend className="sr-only">{t('two_factor.title')}</legend>
              {twoFactorPolicies.map((policy) => (
                <label key={policy} className={`pointer border-strong radius-8 flex gap-12 top p-10-12 ${classes['policy']}`}>
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
                    <span className="block size-13 line-20 medium">{t(`two_factor.${policy}.name`)}</span>
                    <span id={`settings-two-factor-${policy}`} className={`block size-12 muted pretty ${classes['help']}`}>
                      {t(`two_factor.${policy}.help`)}
                    </span>
                  </span>
                </label>
              ))}
            </fieldset>
          </FormSection>
          <FormSection title={t('sessions.title')} text={t('sessions.text')}>
            <NumberChoice
              label={t('sessions.name')}
              help={t('sessions.help')}
              usual={lengths}
              value={settings.sessionDays}
              words={daysWords}
              onChange={(sessionDays) => change({ sessionDays })}
            />
          </FormSection>
          <FormSection title={t('purchases.title')} text={t('purchases.text')}>
            <NumberChoice
              label={t('purchases.name')}
              help={t('purchases.help')}
              usual={amounts}
              value={settings.purchaseProofUsd}
              words={(amount) => formatMoney({ minor: amount * 100, currency: 'USD' })}
              onChange={(purchaseProofUsd) => change({ purchaseProofUsd })}
            />
          </FormSection>
        </>
      )}
    </SettingsFrame>
  )
}
