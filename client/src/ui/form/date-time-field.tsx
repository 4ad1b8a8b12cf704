import { DateTimePicker } from '@mantine/dates'
import { useTranslation } from 'react-i18next'
import { formatDate, formatTime, formatTimeZone } from '#client/lib/format.ts'
import { useCalendar } from './date-field.tsx'

/** A future time, picked from a localized calendar and a clock; `value` is local, 2026-11-22T09:30. */
export function DateTimeField({
  label,
  labeled = false,
  value,
  error,
  onChange,
}: {
  label: string
  /** The label is shown above the field, which gets the initial focus of its dialog. */
  labeled?: boolean
  value: string
  error?: string | undefined
  onChange: (value: string) => void
}) {
  const { t } = useTranslation()
  const shown = (moment: string): string => `${formatDate(moment)}, ${formatTime(moment)} ${formatTimeZone(moment)}`.trimEnd()
  return (
    <DateTimePicker
      {...useCalendar()}
      aria-label={`${label}: ${shown(value)}`}
      {...(labeled && { label, 'data-autofocus': true })}
      value={value.replace('T', ' ')}
      valueFormat={(moment) => shown(moment.replace(' ', 'T'))}
      minDate={new Date()}
      error={error}
      onChange={(moment) => {
        if (moment !== null) onChange(moment.slice(0, 16).replace(' ', 'T'))
      }}
      timePickerProps={{ format: '24h', hoursInputLabel: t('calendar.hours'), minutesInputLabel: t('calendar.minutes') }}
      submitButtonProps={{ 'aria-label': t('calendar.apply') }}
    />
  )
}
