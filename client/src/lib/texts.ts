import type { Namespace } from '#shared/i18n/namespaces.ts'
import type { Language } from '#shared/i18n/languages.ts'

interface Tree {
  readonly [key: string]: string | Tree
}

const loaded = new Map<string, Tree>()
const addressOf = (language: Language, namespace: string): string => `${language}/${namespace}`

export const addTexts = (language: Language, namespace: Namespace, texts: object): void =>
  void loaded.set(addressOf(language, namespace), texts as Tree)
export const hasTexts = (language: Language, namespace: Namespace): boolean => loaded.has(addressOf(language, namespace))

/** The text of `key` or `namespace:key`, with its placeholders. */
export function findText(language: Language, namespaces: readonly string[], key: string): string | undefined {
  const colon = key.indexOf(':')
  const path = key.slice(colon + 1).split('.')
  for (const namespace of colon === -1 ? namespaces : [key.slice(0, colon)]) {
    let found: string | Tree | undefined = loaded.get(addressOf(language, namespace))
    for (const part of path) found = typeof found === 'object' ? found[part] : undefined
    if (typeof found === 'string') return found
  }
  return undefined
}

const pluralRules = new Map<Language, Intl.PluralRules>()
function pluralForm(language: Language, count: number): string {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language)
  pluralRules.set(language, rules)
  return rules.select(count)
}

const placeholder = /\{\{(\w+)\}\}/g

/**
 * The part of i18next that our texts use: namespaces, plural forms by `count`, and placeholders. The library does the same with ten times the
 * code; `texts.test.ts` compares both on every text.
 */
export function translate(
  language: Language,
  namespaces: readonly string[],
  key: string,
  values: Readonly<Record<string, unknown>> = {},
): string {
  const { count } = values
  const plural = typeof count === 'number' ? findText(language, namespaces, `${key}_${pluralForm(language, count)}`) : undefined
  const text = plural ?? findText(language, namespaces, key) ?? key.slice(key.indexOf(':') + 1)
  return text.replaceAll(placeholder, (place, name: string) =>
    Object.hasOwn(values, name) ? String((values[name] as string | number | null | undefined) ?? '') : place,
  )
}
