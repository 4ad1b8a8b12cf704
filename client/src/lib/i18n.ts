import type { i18n } from 'i18next'
import { fallbackLanguage, isLanguage, type Language } from '#shared/i18n/languages.ts'
import { namespaces as everyNamespace, type Namespace } from '#shared/i18n/namespaces.ts'
import { createStore } from './store.ts'
import { addTexts, findText, hasTexts, translate } from './texts.ts'

const storageKey = 'zonedeck.language'

/** The build puts the namespaces that are needed together into one chunk (`textGroups` in chunks.ts). */
const files = import.meta.glob<{ default: object }>('../../../shared/i18n/locales/*/*.json')

/** The language of the page, chosen by `boot.js` before the first paint (stored, then the browser's, then Russian). */
const detected = document.documentElement.lang
export const currentLanguage = createStore<Language>(isLanguage(detected) ? detected : fallbackLanguage)
export const language = currentLanguage.get

const loading = new Map<string, Promise<void>>()
const failed = new Set<string>()

/** The same promise for every caller. A failed one stays, so that a component that waits for it fails once. */
export function textsOf(wanted: Language, namespace: Namespace): Promise<void> {
  const path = `../../../shared/i18n/locales/${wanted}/${namespace}.json`
  const load = async (): Promise<void> => {
    try {
      const file = await files[path]?.()
      if (file === undefined) throw new Error(`No texts: ${path}`)
      addTexts(wanted, namespace, file.default)
    } catch (error) {
      failed.add(path)
      throw error
    }
  }
  const texts = loading.get(path) ?? load()
  loading.set(path, texts)
  return texts
}

const load = async (wanted: Language, namespaces: readonly Namespace[]): Promise<void> => {
  for (const path of failed) loading.delete(path)
  failed.clear()
  await Promise.all(namespaces.map((namespace) => textsOf(wanted, namespace)))
}

/** Loads the texts of every screen. */
export async function startTexts(): Promise<void> {
  localStorage.setItem(storageKey, language())
  await load(language(), ['common', 'errors', 'validation'])
}

/** For a route's loader: its texts load in parallel with its code. */
export const loadTexts = async (...namespaces: Namespace[]): Promise<void> => load(language(), namespaces)

/** Changes the language everywhere and stores it (R-I18-02). */
export async function setLanguage(next: Language): Promise<void> {
  await load(
    next,
    everyNamespace.filter((namespace) => hasTexts(language(), namespace)),
  )
  currentLanguage.set(next)
  document.documentElement.lang = next
  localStorage.setItem(storageKey, next)
}

/** Texts outside components, in the current language. The keys are typed by i18next. */
export const i18next = {
  t: ((key: string, values?: Readonly<Record<string, unknown>>) => translate(language(), ['common'], key, values)) as unknown as i18n['t'],
  exists: (key: string): boolean => findText(language(), ['common'], key) !== undefined,
}
