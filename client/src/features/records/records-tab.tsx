import { useTranslation } from 'react-i18next'

export function RecordsTab({ zoneId }: { zoneId: string }) {
  const { t } = useTranslation('records')
  return <h2 id={zoneId}>{t('title')}</h2>
}
