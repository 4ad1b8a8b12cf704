import { useTranslation } from 'react-i18next'

/** Second factors: codes by time, passkeys, recovery codes. */
export function TwoFactorSection() {
  const { t } = useTranslation('two-factor')
  return <section aria-label={t('title')} />
}
