import 'dayjs/locale/ru'
import '@mantine/dates/styles.layer.css'
import { DatePickerInput } from '@mantine/dates'
import { formatDate } from '#client/lib/format.ts'
import { language } from '#client/lib/i18n.ts'
import { localeOf } from '#shared/i18n/languages.ts'

/** A day from tomorrow on, picked from a localized calendar; `value` as 2026-11-22, empty if none is selected. */
export function DateField({
  label,
  words,
  value,
  error,
  clearable = false,
  onChange,
}: {
  label: string
  words: Record<'choose' | 'previous' | 'next', string>
  value: string
  error?: string | undefined
  clearable?: boolean
  onChange: (day: string) => void
}) {
  return (
    <DatePickerInput
      {...calendar()}
      label={label}
      placeholder={words.choose}
      value={value === '' ? null : value}
      // Noon is on the same day in every time zone.
      valueFormatter={({ date }) => (typeof date === 'string' ? formatDate(`${date}T12:00`) : '')}
      minDate={new Date(Date.now() + 86_400_000)}
      error={error}
      clearable={clearable}
      onChange={(day) => onChange(day ?? '')}
      ariaLabels={{ previousMonth: words.previous, nextMonth: words.next }}
    />
  )
}

/** Settings shared by all calendars: the locale and the first day of the week. */
export const calendar = () => ({ locale: language(), firstDayOfWeek: localeOf[language()].firstDayOfWeek, weekendDays: [] })
