import { readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import type { TFunction } from 'i18next'
import type { Language } from '#shared/i18n/languages.ts'
import { namespaces } from '#shared/i18n/namespaces.ts'
import type { Namespace } from '#shared/i18n/namespaces.ts'

const read = (language: Language, namespace: Namespace): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../shared/i18n/locales/${language}/${namespace}.json`, import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >

/** The panel's own texts, so that a test looks for what the user reads and no text is duplicated. */
export function texts(language: Language): TFunction<readonly Namespace[]> {
  const instance = createInstance()
  void instance.init({
    lng: language,
    initAsync: false,
    ns: [...namespaces],
    resources: { [language]: Object.fromEntries(namespaces.map((namespace) => [namespace, read(language, namespace)])) },
    interpolation: { escapeValue: false },
  })
  return instance.getFixedT(language, [...namespaces])
}
