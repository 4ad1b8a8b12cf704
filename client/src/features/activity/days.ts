import { localeOf } from '#shared/i18n/languages.ts'
import { language } from '#client/lib/i18n.ts'

const iso = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`

/** The local date the given number of days from today. */
export function dayOf(later: number): string {
  const now = new Date()
  return iso(new Date(now.getFullYear(), now.getMonth(), now.getDate() + later))
}

export type WindowName = 'today' | 'week' | 'month' | 'total'

/** The first day of a period; both undefined: always. */
export function windowDays(name: WindowName): { from: string | undefined; to: string | undefined } {
  if (name === 'total') return { from: undefined, to: undefined }
  const now = new Date()
  if (name === 'month') return { from: iso(new Date(now.getFullYear(), now.getMonth(), 1)), to: undefined }
  if (name === 'week') return { from: dayOf(-((now.getDay() - localeOf[language()].firstDayOfWeek + 7) % 7)), to: undefined }
  return { from: dayOf(0), to: undefined }
}
