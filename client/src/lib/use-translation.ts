import { use } from 'react'
import type { useTranslation as UseTranslation } from 'react-i18next'
import type { Language } from '#shared/i18n/languages.ts'
import type { Namespace } from '#shared/i18n/namespaces.ts'
import { currentLanguage, textsOf } from './i18n.ts'
import { findText, hasTexts, translate } from './texts.ts'

type Translator = ReturnType<typeof createTranslator>

function createTranslator(language: Language, namespaces: readonly string[]) {
  return {
    t: (key: string, values?: Readonly<Record<string, unknown>>) => translate(language, namespaces, key, values),
    i18n: { language, getResource: (_: string, namespace: string, key: string) => findText(language, [namespace], key) },
  }
}

/** One for each language and list of namespaces, so that `t` only changes with them. */
const translators = new Map<string, Translator>()

function useTexts(given: Namespace | readonly Namespace[] = 'common'): Translator {
  const language = currentLanguage.use()
  const namespaces = typeof given === 'string' ? [given] : given
  for (const namespace of namespaces) if (!hasTexts(language, namespace)) use(textsOf(language, namespace))
  const name = `${language} ${namespaces.join(' ')}`
  const translator = translators.get(name) ?? createTranslator(language, namespaces)
  translators.set(name, translator)
  return translator
}

/** Replaces the hook of `react-i18next`, whose types it has, in the build and in tests. */
export const useTranslation = useTexts as unknown as typeof UseTranslation
