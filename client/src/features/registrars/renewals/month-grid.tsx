import { useTranslation } from 'react-i18next'
import { counted, formatDate, formatMonth, formatNumber } from '#client/lib/format.ts'
import { localeOf } from '#shared/i18n/languages.ts'
import { language } from '#client/lib/i18n.ts'
import classes from './renewals.module.css'

const dayMs = 86_400_000
/** The same day in every time zone. */
export const noonOf = (day: string): string => `${day}T12:00:00Z`
/** A Sunday. */
const someSunday = Date.UTC(2023, 11, 31)

/** The days of a month with the number of names that expire; registries use UTC days. */
export function MonthGrid({
  month,
  counts,
  selectedMonth,
  onChoose,
}: {
  /** The first day of the month. */
  month: string
  counts: ReadonlyMap<string, number>
  selectedMonth: string | null
  onChoose: (day: string | null) => void
}) {
  const { t, i18n } = useTranslation(['registrars', 'common'])
  const first = new Date(month)
  const today = new Date().toISOString().slice(0, 10)
  const { firstDayOfWeek } = localeOf[language()]
  const before = (first.getUTCDay() - firstDayOfWeek + 7) % 7
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const weekday = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' })
  return (
    <section className={`grid gap-4 ${classes['grid']}`} aria-label={formatMonth(noonOf(month))}>
      {Array.from({ length: 7 }, (_, index) => (
        <span key={`weekday ${index}`} className="size-11 muted text-center" aria-hidden>
          {weekday.format(someSunday + (firstDayOfWeek + index) * dayMs)}
        </span>
      ))}
      {Array.from({ length: before }, (_, index) => (
        <span key={`before ${index}`} />
      ))}
      {Array.from({ length }, (_, index) => {
        const day = new Date(first.getTime() + index * dayMs).toISOString().slice(0, 10)
        const count = counts.get(day) ?? 0
        const now = day === today ? ('date' as const) : undefined
        return count === 0 ? (
          <span key={day} className={`grid relative muted radius-s ${classes['day']}`} aria-current={now}>
            {index + 1}
          </span>
        ) : (
          <button
            key={day}
            type="button"
            className={`grid relative muted radius-s ${classes['day']}`}
            aria-current={now}
            aria-pressed={selectedMonth === day}
            onClick={() => onChoose(selectedMonth === day ? null : day)}
          >
            <span className="sr-only">{`${formatDate(noonOf(day))}: ${t('common:domains', counted(count))}`}</span>
            <span aria-hidden>{index + 1}</span>
            <strong className="size-13 semibold primary" aria-hidden>
              {formatNumber(count)}
            </strong>
          </button>
        )
      })}
    </section>
  )
}
