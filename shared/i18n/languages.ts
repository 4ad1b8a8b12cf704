/** Russian is the default and the fallback. */
export const languages = ['ru', 'en'] as const
export type Language = (typeof languages)[number]
export const fallbackLanguage: Language = 'ru'
/** The language of users who have never chosen one; `browser`: that of their browser, if supported. */
export const defaultLanguages = ['browser', ...languages] as const

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** Locale of dates and numbers, and the first day of the week (0 is Sunday, 1 is Monday). */
export const localeOf: Record<Language, { locale: string; firstDayOfWeek: 0 | 1; name: string }> = {
  ru: { locale: 'ru-RU', firstDayOfWeek: 1, name: 'Русский' },
  en: { locale: 'en-US', firstDayOfWeek: 0, name: 'English' },
}
