import { useTranslation } from 'react-i18next'

/** Tokens with which tools act for a person (R-AUT-07). */
export function ApiTokensSection() {
  const { t } = useTranslation('api-tokens')
  return <h2>{t('title')}</h2>
}
