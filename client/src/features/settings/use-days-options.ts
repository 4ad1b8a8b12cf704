import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'

const year = 365

/** Usual numbers of days to choose from, and the present one where it is none of them. */
export function useDaysOptions(usual: readonly number[]): (present: number) => { value: string; label: string }[] {
  const { t } = useTranslation('settings')
  const label = (days: number): string =>
    days % year === 0
      ? t('years', { count: days / year, formatted: formatNumber(days / year) })
      : t('days', { count: days, formatted: formatNumber(days) })
  return (present) =>
    [...new Set([...usual, present])].toSorted((a, b) => a - b).map((days) => ({ value: String(days), label: label(days) }))
}
