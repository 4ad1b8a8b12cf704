import 'dayjs/locale/ru'
import '@mantine/dates/styles.layer.css'
import { DatePickerInput } from '@mantine/dates'
import { formatDate } from '#client/lib/format.ts'
import { language } from '#client/lib/i18n.ts'
import { localeOf } from '#shared/i18n/languages.ts'

/** A day from tomorrow on, picked from a calendar in the panel's language; `value` as 2026-11-22, empty where none is chosen. */
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
      // Noon is on the same day everywhere.
      valueFormatter={({ date }) => (typeof date === 'string' ? formatDate(`${date}T12:00`) : '')}
      minDate={new Date(Date.now() + 86_400_000)}
      error={error}
      clearable={clearable}
      onChange={(day) => onChange(day ?? '')}
      ariaLabels={{ previousMonth: words.previous, nextMonth: words.next }}
    />
  )
}

/** What every calendar has in common: the language's names and first day of the week. */
export const calendar = () => ({ locale: language(), firstDayOfWeek: localeOf[language()].firstDayOfWeek, weekendDays: [] })
