import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { fallbackLanguage, isLanguage, type Language } from '#shared/i18n/languages.ts'
import type { Namespace } from '#shared/i18n/namespaces.ts'

const storageKey = 'zonedeck.language'

const files = import.meta.glob<{ default: Record<string, unknown> }>('../../../shared/i18n/locales/*/*.json')

/** Each namespace of each language is a separate chunk, loaded when a page needs it. */
const chunks: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = files[`../../../shared/i18n/locales/${language}/${namespace}.json`]
    if (!load) return done(new Error(`No texts: ${language}/${namespace}`), null)
    load().then(
      (file) => done(null, file.default),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    )
  },
}

/** The language of the page, chosen by `boot.js` before the first paint (stored, then the browser's, then Russian). */
const detected = document.documentElement.lang
const first: Language = isLanguage(detected) ? detected : fallbackLanguage

/** Starts i18next with the texts of every screen. */
export async function startTexts(): Promise<void> {
  localStorage.setItem(storageKey, first)
  await i18next
    .use(chunks)
    .use(initReactI18next)
    .init({
      lng: first,
      // Synchronous, because routes request their own texts meanwhile.
      initAsync: false,
      // Loading both languages would double the first load; tests prove that both are complete.
      fallbackLng: false,
      ns: ['common', 'errors', 'validation'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

/** For a route's loader: its texts load in parallel with its code. */
export const loadTexts = async (...namespaces: Namespace[]): Promise<void> => {
  const missing = (): Namespace[] => namespaces.filter((namespace) => !i18next.hasResourceBundle(i18next.language, namespace))
  await i18next.loadNamespaces(namespaces)
  // A failed namespace is only loaded again on request.
  if (missing().length > 0) await i18next.reloadResources(i18next.language, missing())
  if (missing().length > 0) throw new Error(`Unable to preload texts: ${missing().join(', ')}`)
}

export const language = (): Language => (isLanguage(i18next.language) ? i18next.language : fallbackLanguage)

/** Changes the language everywhere and stores it (R-I18-02). */
export async function setLanguage(next: Language): Promise<void> {
  await i18next.changeLanguage(next)
  document.documentElement.lang = next
  localStorage.setItem(storageKey, next)
}

export { i18next }
