import { readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { languages } from '#shared/i18n/languages.ts'
import { namespaces } from '#shared/i18n/namespaces.ts'
import { addTexts, findText, translate } from './texts.ts'

interface Tree {
  readonly [key: string]: string | Tree
}
const read = (language: string, namespace: string): Tree =>
  JSON.parse(readFileSync(`shared/i18n/locales/${language}/${namespace}.json`, 'utf8')) as Tree
const keysOf = (tree: Tree, before = ''): string[] =>
  Object.entries(tree).flatMap(([name, value]) => (typeof value === 'string' ? [before + name] : keysOf(value, `${before}${name}.`)))
const placeholders = (text: string): string[] => Array.from(text.matchAll(/\{\{([^{}]+)\}\}/g), ([, name = '']) => name)

test.each(languages)('R-I18-01 every text reads as i18next would write it (%s)', async (language) => {
  const resources = { [language]: Object.fromEntries(namespaces.map((namespace) => [namespace, read(language, namespace)])) }
  const witness = createInstance()
  await witness.init({ lng: language, resources, ns: [...namespaces], interpolation: { escapeValue: false } })
  const expected = witness.t as unknown as (key: string, values: object) => string
  const different: string[] = []
  let compared = 0
  for (const namespace of namespaces) {
    const tree = read(language, namespace)
    addTexts(language, namespace, tree)
    for (const key of keysOf(tree)) {
      const base = key.replace(/_(?:one|few|many|other)$/, '')
      const text = findText(language, [], `${namespace}:${key}`) ?? ''
      // Signs with a meaning in replacements and in texts of i18next.
      const names = placeholders(text)
      const values = Object.fromEntries(names.map((name, at) => [name, at === 0 ? "$& {{name}} <b>'" : at]))
      for (const count of base === key ? [undefined, '3'] : [undefined, 0, 1, 2, 5, 11, 21, 1.5, '3']) {
        const given = count === undefined ? values : { ...values, count }
        compared += 1
        const ours = translate(language, [], `${namespace}:${base}`, given)
        if (ours !== expected(`${namespace}:${base}`, given)) different.push(`${namespace}:${base} ${String(count)}: ${ours}`)
      }
    }
  }
  expect(compared).toBeGreaterThan(10_000)
  expect(different).toEqual([])
})

test('a text is looked for in the namespaces in their order; a missing one is shown as its key', () => {
  addTexts('en', 'accounts', { title: 'Accounts' })
  addTexts('en', 'common', { title: 'Common', close: 'Close' })
  expect(translate('en', ['accounts', 'common'], 'title')).toBe('Accounts')
  expect(translate('en', ['accounts', 'common'], 'close')).toBe('Close')
  expect(translate('en', ['accounts'], 'common:title')).toBe('Common')
  expect(translate('en', ['accounts'], 'common:no.such')).toBe('no.such')
  expect(findText('en', ['accounts'], 'constructor.name')).toBeUndefined()
})
