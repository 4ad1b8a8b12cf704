import 'dayjs/locale/ru'
import '@mantine/dates/styles.layer.css'
import { DatePickerInput } from '@mantine/dates'
import { useTranslation } from 'react-i18next'
import { formatDate } from '#client/lib/format.ts'
import { language } from '#client/lib/i18n.ts'
import { localeOf } from '#shared/i18n/languages.ts'

/** A day from tomorrow on, picked from a localized calendar; `value` as 2026-11-22, empty if none is selected. */
export function DateField({
  label,
  placeholder,
  value,
  error,
  clearable = false,
  onChange,
}: {
  label: string
  placeholder: string
  value: string
  error?: string | undefined
  clearable?: boolean
  onChange: (day: string) => void
}) {
  return (
    <DatePickerInput
      {...useCalendar()}
      label={label}
      placeholder={placeholder}
      value={value === '' ? null : value}
      // Noon is on the same day in every time zone.
      valueFormatter={({ date }) => (typeof date === 'string' ? formatDate(`${date}T12:00`) : '')}
      minDate={new Date(Date.now() + 86_400_000)}
      error={error}
      clearable={clearable}
      onChange={(day) => onChange(day ?? '')}
    />
  )
}

/** The props of every calendar: the locale, the first day of the week, and labels. */
export function useCalendar() {
  const { t } = useTranslation()
  return {
    locale: language(),
    firstDayOfWeek: localeOf[language()].firstDayOfWeek,
    weekendDays: [],
    ariaLabels: { previousMonth: t('calendar.previous'), nextMonth: t('calendar.next') },
  }
}
