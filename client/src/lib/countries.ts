import { isCountryCode } from '#shared/country-codes.ts'
import { localeOf } from '#shared/i18n/languages.ts'
import { language } from './i18n.ts'

interface Country {
  /** ISO 3166, two letters, upper case. */
  readonly code: string
  readonly name: string
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const known = new Map<string, readonly Country[]>()

/** All countries in the user's language, by name. */
export function countries(): readonly Country[] {
  const { locale } = localeOf[language()]
  const before = known.get(locale)
  if (before !== undefined) return before
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const all = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter(isCountryCode)
    .flatMap((code) => {
      const name = names.of(code)
      return name === undefined ? [] : [{ code, name }]
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, locale))
  known.set(locale, all)
  return all
}
