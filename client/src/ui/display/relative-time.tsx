import { useTranslation } from 'react-i18next'
import { formatDateTime, formatRelative, useNow } from '#client/lib/format.ts'

/** ‘3 min ago’, with the exact time on hover; stays current while visible. */
export function RelativeTime({ at }: { at: string | number | Date }) {
  useTranslation()
  const now = useNow()
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={formatDateTime(date)}>
      {formatRelative(date, Math.max(now, date.getTime() < Date.now() ? date.getTime() : now))}
    </time>
  )
}
