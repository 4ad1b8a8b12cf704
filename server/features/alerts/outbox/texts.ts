import type { ReasonCode, Region } from '#shared/features/monitoring/schema.ts'
import { fallbackLanguage, isLanguage, localeOf } from '#shared/i18n/languages.ts'
import type { Language } from '#shared/i18n/languages.ts'
import { reasonDetail } from '#shared/i18n/reason-detail.ts'
import enAlerts from '#shared/i18n/locales/en/alerts.json' with { type: 'json' }
import enReasons from '#shared/i18n/locales/en/reasons.json' with { type: 'json' }
import ruAlerts from '#shared/i18n/locales/ru/alerts.json' with { type: 'json' }
import ruReasons from '#shared/i18n/locales/ru/reasons.json' with { type: 'json' }

type Params = Readonly<Record<string, string | number>>
type Leaves<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${P}${K}` : Leaves<T[K], `${P}${K}.`>
}[keyof T & string]
type Forms<K extends string> = K extends `${infer Base}_${'one' | 'few' | 'many' | 'other'}` ? Base : K
/** A key of the message texts; for a text with plural forms, without the form's name. */
type TextKey = Forms<Leaves<typeof ruAlerts>>

const alerts = { ru: ruAlerts, en: enAlerts }
const reasons: Record<
  Language,
  Readonly<Record<ReasonCode, { readonly what: string; readonly advice: string } & Readonly<Record<string, string>>>>
> = {
  ru: ruReasons,
  en: enReasons,
}
const rules = { ru: new Intl.PluralRules('ru-RU'), en: new Intl.PluralRules('en-US') }

/** Replaces all parameters in one pass, so that placeholders within their values are not expanded. */
const fill = (text: string, params: Params): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(params[name] ?? ''))

function find(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined), tree)
}

export interface Texts {
  readonly language: Language
  /** A message text; `count` selects the plural form. */
  say(key: TextKey, params?: Params): string
  reason(code: ReasonCode): { readonly what: string; readonly advice: string }
  /** Details of a reason; null when a parameter is missing. */
  detail(code: ReasonCode, params: Params): string | null
  region(region: Region): string
  /** `2 h 5 min`: the two largest units. */
  length(ms: number): string
  /** A time in the time zone. */
  time(at: Date, timeZone: string): string
}

/** Message texts in a language, from the panel's locales. */
export function textsIn(wanted: string): Texts {
  const language = isLanguage(wanted) ? wanted : fallbackLanguage
  const say = (key: TextKey, params: Params = {}): string => {
    const count = params['count']
    const forms = typeof count === 'number' ? [`${key}_${rules[language].select(count)}`, key] : [key]
    for (const name of forms) {
      const text = find(alerts[language], name.split('.'))
      if (typeof text === 'string') return fill(text, params)
    }
    return ''
  }
  return {
    language,
    say,
    reason: (code) => reasons[language][code],
    detail: (code, params) => reasonDetail((form) => reasons[language][code][`detail${form}`], localeOf[language].locale, params),
    region: (region) => say(`region.${region}`),
    length: (ms) => {
      const seconds = Math.max(0, Math.round(ms / 1_000))
      const parts = [
        { key: 'time.days', n: Math.floor(seconds / 86_400) },
        { key: 'time.hours', n: Math.floor(seconds / 3_600) % 24 },
        { key: 'time.minutes', n: Math.floor(seconds / 60) % 60 },
        { key: 'time.seconds', n: seconds % 60 },
      ] as const
      const first = parts.findIndex(({ n }) => n > 0)
      if (first === -1) return say('time.seconds', { n: 0 })
      return parts
        .slice(first, first + 2)
        .filter(({ n }) => n > 0)
        .map(({ key, n }) => say(key, { n }))
        .join(' ')
    },
    time: (at, timeZone) =>
      new Intl.DateTimeFormat(localeOf[language].locale, {
        timeZone,
        day: 'numeric',
        month: 'short',
        hour: 'numeric',
        minute: '2-digit',
      }).format(at),
  }
}
