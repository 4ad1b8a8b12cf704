import { useTranslation } from 'react-i18next'

export function HistoryTab({ zoneId }: { zoneId: string }) {
  const { t } = useTranslation('history')
  return <h2 id={zoneId}>{t('title')}</h2>
}
