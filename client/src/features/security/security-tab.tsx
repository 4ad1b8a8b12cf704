import { useTranslation } from 'react-i18next'

export function SecurityTab({ zoneId }: { zoneId: string }) {
  const { t } = useTranslation('security')
  return <h2 id={zoneId}>{t('title')}</h2>
}
