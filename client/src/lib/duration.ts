import { localeOf } from '#shared/i18n/languages.ts'
import { language } from './i18n.ts'

const cache = new Map<string, unknown>()
/** Intl objects are slow to create, and tables need thousands of results. */
export function cached<T>(key: string, make: (locale: string) => T): T {
  const full = `${language()} ${key}`
  if (!cache.has(full)) cache.set(full, make(localeOf[language()].locale))
  return cache.get(full) as T
}

export const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const spans = [...steps, ['second', 1]] as const

/** ‘5 min’, long ‘5 minutes’: in the largest unit that divides it. */
export function formatDuration(seconds: number, long = false): string {
  const [unit, size] = spans.find(([, length]) => seconds >= length && seconds % length === 0) ?? ['second', 1]
  const unitDisplay = long ? 'long' : 'short'
  return cached(`${unit} ${unitDisplay}`, (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })).format(
    seconds / size,
  )
}

/** ‘40 sec’, ‘3 min’, ‘2 hr’: rounded to a unit of which there are at least two. */
export function formatAbout(seconds: number): string {
  const [, size] = steps.find(([, length]) => seconds >= 2 * length) ?? ['second', 1]
  return formatDuration(Math.round(seconds / size) * size)
}
