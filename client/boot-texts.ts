import { readFileSync } from 'node:fs'

const languages = ['ru', 'en'] as const

/** The loader's texts in every language; the style sheet shows those of the page's language. */
export function bootTexts(): string {
  return languages
    .map((language) => {
      const file = new URL(`../shared/i18n/locales/${language}/common.json`, import.meta.url)
      const { loader } = JSON.parse(readFileSync(file, 'utf8')) as { loader: Record<string, string> }
      return `<div class="loader-words" lang="${language}"><p>${loader['message']}</p><strong>${loader['loading']}</strong><small>${loader['hint']}</small></div>`
    })
    .join('')
}
