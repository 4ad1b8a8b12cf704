import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { errorCatalogue } from '#shared/errors/codes.ts'
import { languages, localeOf, type Language } from './languages.ts'
import { namespaces, type Namespace } from './namespaces.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

type Tree = { readonly [key: string]: string | Tree }

const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  )

const textsOf = (language: Language, namespace: Namespace): Map<string, string> =>
  new Map(flatten(JSON.parse(read(`shared/i18n/locales/${language}/${namespace}.json`)) as Tree))

const texts = Object.fromEntries(
  languages.map((language) => [language, new Map(namespaces.map((namespace) => [namespace, textsOf(language, namespace)]))]),
) as Record<Language, Map<Namespace, Map<string, string>>>

const all = (language: Language): [Namespace, string, string][] =>
  [...texts[language]].flatMap(([namespace, keys]) => [...keys].map(([key, text]) => [namespace, key, text] as [Namespace, string, string]))

const plural = /_(zero|one|two|few|many|other)$/
/** Keys that are one text in several forms: there is one for ‘other’. */
const counted = new Set(
  all('ru').flatMap(([namespace, key]) => (key.endsWith('_other') ? [`${namespace}:${key.replace(plural, '')}`] : [])),
)
const base = (name: string): string => (counted.has(name.replace(plural, '')) ? name.replace(plural, '') : name)
const baseKeys = (language: Language): Set<string> => new Set(all(language).map(([namespace, key]) => base(`${namespace}:${key}`)))

const known = baseKeys('ru')

/** What one source file says in texts: literal keys, and templates such as `state.${state}` as patterns. */
interface Source {
  path: string
  /** Namespaces of its `useTranslation`; empty where it has none. */
  namespaces: string[]
  literals: Set<string>
  patterns: RegExp[]
  /** Arguments of `t(…)`, which must exist. */
  calls: string[]
}

const escape = (part: string): string => part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')

function sourceOf(path: string): Source {
  const code = read(path)
  const found = [...code.matchAll(/useTranslation\(\s*(\[[^\]]*\]|'[^']*')?/g)].flatMap(([, argument]) =>
    argument === undefined ? ['common'] : [...argument.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
  )
  return {
    path,
    namespaces: [...new Set(found)],
    literals: new Set([...code.matchAll(/'([\w:.-]+)'/g)].map(([, literal = '']) => literal)),
    patterns: [...code.matchAll(/`([\w:.-]*\$\{[^`]*?\}[\w:.-]*(?:\$\{[^`]*?\}[\w:.-]*)*)`/g)]
      .map(([, template = '']) => template)
      // A name of a key stands in it, not only dots and values.
      .filter((template) => /[a-z]{2,}[a-z_]*[.:]|\.[a-z_]{2,}/.test(template.replace(/\$\{.*?\}/g, ' ')))
      .map(
        (template) =>
          new RegExp(
            `^${template
              .split(/\$\{.*?\}/)
              .map(escape)
              .join('[\\w-]+')}$`,
          ),
      ),
    calls: [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key = '']) => key),
  }
}

const sources = globSync(
  ['client/src/**/*.{ts,tsx}', 'client/*.ts', 'server/**/*.ts', 'shared/features/**/*.ts', 'shared/errors/**/*.ts'],
  {
    cwd: root,
  },
)
  .filter((path) => !/\.test\.tsx?$|\.gen\.ts$|simulators/.test(path))
  .map(sourceOf)

/** Full names that a bare key may have in this file. */
const namesIn = (source: Source, key: string): string[] =>
  key.includes(':') ? [key] : (source.namespaces.length > 0 ? source.namespaces : namespaces).map((namespace) => `${namespace}:${key}`)

function isUsed(name: string): boolean {
  const [namespace = '', key = ''] = name.split(':')
  // Told by the catalogue of errors; compared with it below.
  if (namespace === 'errors' && key.startsWith('codes.')) return true
  // The page itself carries the loader's words.
  if (namespace === 'common' && key.startsWith('loader.')) return true
  return sources.some((source) => {
    if (source.literals.has(name) || source.patterns.some((pattern) => pattern.test(name))) return true
    // Where a file names no namespace, its keys are told apart from other words by their dots; messages of schemas have none.
    const bare =
      source.namespaces.length > 0
        ? source.namespaces.includes(namespace)
        : key.includes('.') || (namespace === 'validation' && source.path.startsWith('shared/'))
    return bare && (source.literals.has(key) || source.patterns.some((pattern) => pattern.test(key)))
  })
}

describe('texts', () => {
  it('R-I18-01 every text exists in both languages', () => {
    const missing = languages.flatMap((language) => {
      const own = baseKeys(language)
      return [...known.union(own)].filter((key) => !own.has(key)).map((key) => `${language} ${key}`)
    })
    expect(missing).toEqual([])
  })

  it('R-I18-01 a text takes the same values in both languages', () => {
    const values = (text: string): string[] => [...new Set([...text.matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name))].toSorted()
    const ofKey = (language: Language): Map<string, string> =>
      new Map(
        all(language)
          .filter(([, key]) => !/_(zero|one|two|few|many)$/.test(key))
          .map(([namespace, key, text]) => [base(`${namespace}:${key}`), values(text).join()]),
      )
    expect(Object.fromEntries(ofKey('en'))).toEqual(Object.fromEntries(ofKey('ru')))
  })

  it('R-I18-01 no text is empty', () => {
    expect(languages.flatMap((language) => all(language).filter(([, , text]) => text.trim() === ''))).toEqual([])
  })

  it('R-I18-01 every key that the code asks for exists', () => {
    const missing = sources.flatMap((source) =>
      source.calls.filter((key) => !namesIn(source, key).some((name) => known.has(base(name)))).map((key) => `${source.path}: ${key}`),
    )
    expect(missing).toEqual([])
  })

  it('R-I18-01 every text is used', () => {
    expect([...known].filter((name) => !isUsed(name))).toEqual([])
  })

  it('R-I18-03 plural texts have every form that their language asks for', () => {
    const faults = languages.flatMap((language) => {
      const forms = new Intl.PluralRules(localeOf[language].locale).resolvedOptions().pluralCategories
      return [...counted].flatMap((name) => {
        const [namespace, key] = name.split(':')
        const keys = texts[language].get(namespace as Namespace)
        return forms.filter((form) => !keys?.has(`${key}_${form}`)).map((form) => `${language} ${name}_${form}`)
      })
    })
    expect(faults).toEqual([])
  })

  it('R-I18-03 the week starts on Monday in Russian and on Sunday in English', () => {
    expect([localeOf.ru.firstDayOfWeek, localeOf.en.firstDayOfWeek]).toEqual([1, 0])
  })

  it('R-I18-04 the errors of the catalogue, and no others, have texts', () => {
    const codes = [...known].filter((name) => name.startsWith('errors:codes.')).map((name) => name.slice('errors:codes.'.length))
    expect(codes.toSorted()).toEqual(Object.keys(errorCatalogue).toSorted())
  })

  it('R-I18-04 every message of a schema has a text', () => {
    const messages = globSync('shared/features/**/schema.ts', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/(?:error:\s*|\.(?:min|max|regex|email|length)\([^()]*,\s*)'([a-z][a-z_]+)'/g)].map(
        ([, message = '']) => `validation:${message}`,
      ),
    )
    expect(messages.length).toBeGreaterThan(5)
    expect(messages.filter((message) => !known.has(message))).toEqual([])
  })

  it('R-ERR-01 the messages of section 8 are there, word for word; Russian has each of their keys', () => {
    const english = new Set(all('en').map(([, , text]) => text))
    const section8 = [
      'Error loading data',
      'Unknown error',
      'Failed to copy domain link',
      'Validation error',
      'Error deleting domain',
      'Error clearing cache',
      'Failed to update IP address',
      'Failed to update Development Mode',

      'Failed to update Always HTTPS',
      'Failed to update SSL Mode',
      'Failed to update Min TLS Version',
      'Failed to update security level',
      'Failed to load settings',
      'Failed to update Universal SSL',
      'Failed to update proxy',
      'Failed to delete record',
      'Error creating record',
      'Error updating record',
      'Error adding account',
      'Error deleting account',
      'Error fetching account data',
      'Error checking accounts',
      'Working',
      'Auth Error',
      'API Error',
      'Unknown',
      'Failed to load groups',
      'Failed to create group',
      'Failed to update group',
      'Failed to delete group',
      'Failed to add domains',
      'Failed to remove domains',
      'Error saving settings',
      'Server is not responding. Check your connection.',
    ]
    expect(section8.filter((message) => !english.has(message))).toEqual([])
  })

  it('R-I18-04 the English texts are the ones of the specification', () => {
    const english = (name: string): string | undefined => {
      const [namespace, key = ''] = name.split(':')
      return texts.en.get(namespace as Namespace)?.get(key)
    }
    expect({
      required: english('validation:required'),
      email: english('validation:invalid_email'),
      passwords: english('validation:passwords_do_not_match'),
      signIn: english('errors:codes.invalid_credentials'),
      validation: english('errors:codes.validation_failed'),
      silent: english('errors:no_response'),
      unknown: english('errors:general.unknown'),
      loading: english('errors:general.loading'),
      purge: english('zone:failed.purge'),
      purgeForbidden: english('errors:codes.cache_forbidden'),
      ip: english('zone:failed.ip'),
      invalidIp: english('validation:invalid_ip'),
      development: english('zone:failed.development'),
      delete: english('zone:failed.delete'),
    }).toEqual({
      required: 'This field is required',
      email: 'Invalid email format',
      passwords: 'Passwords do not match',
      signIn: 'Invalid email or password',
      validation: 'Validation error',
      silent: 'Server is not responding. Check your connection.',
      unknown: 'Unknown error',
      loading: 'Error loading data',
      purge: 'Error clearing cache',
      purgeForbidden: 'Insufficient permissions to clear cache',
      ip: 'Failed to update IP address',
      invalidIp: 'Invalid IP address format',
      development: 'Failed to update Development Mode',
      delete: 'Error deleting domain',
    })
  })
})
