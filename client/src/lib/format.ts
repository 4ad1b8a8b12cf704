import { useEffect, useState } from 'react'
import { cached, formatAbout, formatDuration, steps } from './duration.ts'
import { i18next } from './i18n.ts'

export { formatAbout, formatDuration }

type Moment = string | number | Date

/** 12 345 */
export const formatNumber = (value: number): string => cached('number', (locale) => new Intl.NumberFormat(locale)).format(value)

/** Parameters of a text with a number: `count` selects the plural form, `formatted` is shown. */
export const counted = (count: number) => ({ count, formatted: formatNumber(count) })

/** $1,234.56, from the currency's smallest unit. */
export function formatMoney({ minor, currency }: { readonly minor: number; readonly currency: string }): string {
  const format = cached(`money ${currency}`, (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency }))
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** 42% of a share from 0 to 1. */
export const formatShare = (share: number, maximumFractionDigits = 0): string =>
  cached(`share ${maximumFractionDigits}`, (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits })).format(
    share,
  )

/** 12.3K */
export const formatShort = (value: number): string =>
  cached('compact', (locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })).format(value)

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** 1.2 GB, in steps of 1000. */
export function formatBytes(bytes: number): string {
  const step = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const unit = byteUnits[step] ?? 'byte'
  return cached(
    unit,
    (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }),
  ).format(bytes / 1000 ** step)
}

/** 21 Nov 2026 */
export const formatDate = (moment: Moment): string =>
  cached('date', (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
    .format(new Date(moment))
    // Russian dates in tables omit the word for ‘year’.
    .replace(/\sг\.$/, '')

/** A day in UTC, whatever the local time zone is. */
export const formatUtcDate = (moment: Moment): string =>
  cached('utc-date', (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))
    .format(new Date(moment))
    .replace(/\sг\.$/, '')

/** 21 Nov 2026, 06:23 */
export const formatDateTime = (moment: Moment): string =>
  cached('date-time', (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
    .format(new Date(moment))
    .replace(/\sг\.,/, ',')

/** 24 Jul 2026, 06:23 GMT+3: for future times, for users in several time zones. */
export const formatZonedDateTime = (moment: Moment): string => `${formatDateTime(moment)} ${formatTimeZone(moment)}`.trimEnd()

/** GMT+3: the local time zone at that time. */
export const formatTimeZone = (moment: Moment): string =>
  cached('zone', (locale) => new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }))
    .formatToParts(new Date(moment))
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** 6:23 AM, in Russian 06:23: as the time in `formatDateTime`. */
export const formatTime = (moment: Moment): string =>
  cached('time', (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' })).format(new Date(moment))

/** As `formatTime`, local to that time zone (`Europe/Moscow`). */
export const formatTimeIn = (timeZone: string, moment: Moment): string =>
  cached(`time in ${timeZone}`, (locale) => new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' })).format(new Date(moment))

const midnight = (moment: Moment): number => new Date(moment).setHours(0, 0, 0, 0)

/** ‘today’, ‘yesterday’, then the date. */
export function formatDay(moment: Moment, nowMs = Date.now()): string {
  const days = Math.round((midnight(moment) - midnight(nowMs)) / 86_400_000)
  if (days > 0 || days < -1)
    return cached('day', (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full' })).format(new Date(moment))
  return cached('relative-day', (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(days, 'day')
}

/** Nov 2026 */
export const formatMonth = (moment: Moment): string =>
  cached('month', (locale) => new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' }))
    .format(new Date(moment))
    .replace(/\sг\.$/, '')

/** ‘3 minutes ago’, ‘in 2 days’; within half a minute ‘just now’, beyond a month the date. */
export function formatRelative(moment: Moment, nowMs = Date.now()): string {
  const seconds = Math.round((new Date(moment).getTime() - nowMs) / 1000)
  if (Math.abs(seconds) < 30) return i18next.t('common:just_now')
  if (Math.abs(seconds) > 30 * 86_400) return formatDate(moment)
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length * 0.9) ?? ['minute', 60]
  return (
    cached('relative', (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
      .format(Math.round(seconds / size) || Math.sign(seconds), unit)
      // Abbreviated units have no period, as in durations.
      .replace(/(\s(?:мин|ч|min|hr))\./, '$1')
  )
}

/** Re-renders every `everyMs`, so that relative times stay current. */
export function useNow(everyMs = 60_000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
