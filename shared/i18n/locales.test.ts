import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { errorCatalog } from '#shared/errors/codes.ts'
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
/** Keys of texts with plural forms: each has an ‘other’ form. */
const counted = new Set(
  all('ru').flatMap(([namespace, key]) => (key.endsWith('_other') ? [`${namespace}:${key.replace(plural, '')}`] : [])),
)
const base = (name: string): string => (counted.has(name.replace(plural, '')) ? name.replace(plural, '') : name)
const baseKeys = (language: Language): Set<string> => new Set(all(language).map(([namespace, key]) => base(`${namespace}:${key}`)))

const known = baseKeys('ru')

/** The keys used by a source file: literal keys, and templates such as `state.${state}` as patterns. */
interface Source {
  path: string
  /** Namespaces of its `useTranslation`; may be empty. */
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
      // It contains a key name, not only dots and placeholders.
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

/** The full names that a bare key can have in this file. */
const namesIn = (source: Source, key: string): string[] =>
  key.includes(':') ? [key] : (source.namespaces.length > 0 ? source.namespaces : namespaces).map((namespace) => `${namespace}:${key}`)

function isUsed(name: string): boolean {
  const [namespace = '', key = ''] = name.split(':')
  // Used by the error catalog; compared with it below.
  if ((namespace === 'errors' || namespace === 'failures') && key.startsWith('codes.')) return true
  // The page itself contains the loader's texts.
  if (namespace === 'common' && key.startsWith('loader.')) return true
  return sources.some((source) => {
    if (source.literals.has(name) || source.patterns.some((pattern) => pattern.test(name))) return true
    // In a file without a namespace, keys are recognized by their dots; issue messages have none.
    const bare =
      source.namespaces.length > 0
        ? source.namespaces.includes(namespace)
        : key.includes('.') || ((namespace === 'validation' || namespace === 'faults') && /^(shared|server)\//.test(source.path))
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

  const valuesOf = (text: string): string => [...new Set([...text.matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name))].toSorted().join()

  it('R-I18-01 a text has the same placeholders in both languages', () => {
    const ofKey = (language: Language): Map<string, string> =>
      new Map(
        all(language)
          .filter(([, key]) => !/_(zero|one|two|few|many)$/.test(key))
          .map(([namespace, key, text]) => [base(`${namespace}:${key}`), valuesOf(text)]),
      )
    expect(Object.fromEntries(ofKey('en'))).toEqual(Object.fromEntries(ofKey('ru')))
  })

  it('R-I18-03 every plural form of a text has the same placeholders', () => {
    // The English singular is used only for exactly one, so it may spell it out; the Russian one is also used for 21 and 31.
    const faults = languages.flatMap((language) =>
      [...counted].flatMap((name) => {
        const [namespace, key = ''] = name.split(':')
        const forms = [...(texts[language].get(namespace as Namespace) ?? [])].filter(
          ([each]) => each.replace(plural, '') === key && plural.test(each),
        )
        const other = valuesOf(forms.find(([each]) => each.endsWith('_other'))?.[1] ?? '')
        const without = (values: string) =>
          values
            .split(',')
            .filter((value) => value !== 'count' && value !== 'formatted')
            .join()
        return forms
          .filter(([each, text]) =>
            language === 'en' && each.endsWith('_one') ? without(valuesOf(text)) !== without(other) : valuesOf(text) !== other,
          )
          .map(([each, text]) => `${language} ${namespace}:${each}: ${text}`)
      }),
    )
    expect(faults).toEqual([])
  })

  it('R-I18-01 braces contain only well-formed placeholders', () => {
    const faults = languages.flatMap((language) =>
      all(language).filter(([, , text]) => /[{}]/.test(text.replaceAll(/\{\{[a-z]\w*\}\}/gi, ''))),
    )
    expect(faults).toEqual([])
  })

  it('R-I18-01 no text is empty', () => {
    expect(languages.flatMap((language) => all(language).filter(([, , text]) => text.trim() === ''))).toEqual([])
  })

  it('R-I18-01 every key used in the code exists', () => {
    const missing = sources.flatMap((source) =>
      source.calls.filter((key) => !namesIn(source, key).some((name) => known.has(base(name)))).map((key) => `${source.path}: ${key}`),
    )
    expect(missing).toEqual([])
  })

  it('R-I18-01 every text is used', () => {
    expect([...known].filter((name) => !isUsed(name))).toEqual([])
  })

  it('R-I18-01 Russian texts contain no English words except names, labels of third-party pages and technical terms', () => {
    // Sample input, addresses, commands and headers are the same in every language.
    const sample = /\S*(?:@|:\/\/|\.[a-z]{2,}|=)\S*|(?<![\w/])\/[a-z]+|\b[45]xx\b|\bX-[\w-]+|\b_[a-z]+|^[\w-]+(?:;|:)\S+$/gim
    const phrases = [
      'Super Bot Fight Mode',
      'Account → API Access',
      'Admin API',
      'AI Labyrinth',
      'Always HTTPS',
      'Analytics: Read',
      'API Access',
      'Bot Fight Mode',
      'Cache Purge',
      'Cache Rules Edit',
      'DNS Edit',
      'Domain Management → Details',
      'Europe/Moscow',
      'Flexible',
      'Full (Strict)',
      'Full',
      'Global API Key',
      'Google Authenticator',
      'My Profile → API Tokens',
      'Options',
      'Page Rules',
      'Profile → Tools',
      'Rocket Loader',
      'Single Redirect Edit',
      'Strict (SSL-Only Origin Pull)',
      'Under Attack',
      'Universal SSL',
      'Whitelisted IPs',
      'Zone Hold',
      'Zone Read',
      'Zone Settings Edit',
      'Zone WAF Edit',
    ]
    const words = new Set(
      `Aegis ApiUser Applebot Bingbot Binom BotFather Cloudflare Content-Type Free Globalping GoDaddy Googlebot Idempotency-Key Keitaro Key Namecheap Password Porkbun Preload Production Secret Shift Tor
      Polish Telegram TypeScript WebP WordPress Zaraz Zonedeck apiKey curl email http https localhost mailto mandatory nosniff off passkey preload sub value www
      issue issuewild iodef issuemail issuevmc contactemail contactphone`.split(/\s+/),
    )
    const english = all('ru').flatMap(([namespace, key, text]) => {
      const rest = phrases.reduce(
        (left, phrase) => left.replaceAll(phrase, ''),
        text.replaceAll(/\{\{\w+\}\}|<[^>]*>/g, '').replaceAll(sample, ''),
      )
      // Abbreviations (DNS, IPv4) and variable names are in capitals; units and samples such as 2h have a digit.
      const found = [...rest.matchAll(/[a-z][\w-]*\w|(?<![\w-])[a-z](?![\w-])/gi)]
        .map(([word]) => word)
        .filter((word) => !words.has(word) && !/^[A-Z][A-Z\d_]*$|^IPv[46]$|\d/.test(word))
      return found.map((word) => `${namespace}:${key}: ${word}`)
    })
    expect(english).toEqual([])
  })

  it('R-I18-03 plural texts have every form that their language requires', () => {
    const faults = languages.flatMap((language) => {
      const forms = new Intl.PluralRules(localeOf[language].locale).resolvedOptions().pluralCategories
      return [...counted].flatMap((name) => {
        const [namespace, key] = name.split(':')
        const keys = texts[language].get(namespace as Namespace)
        const missing = forms.filter((form) => !keys?.has(`${key}_${form}`))
        // The language does not use this form, so it would never be shown.
        const needless = ['zero', 'one', 'two', 'few', 'many', 'other'].filter(
          (form) => !forms.some((each) => each === form) && keys?.has(`${key}_${form}`) === true,
        )
        return [...missing, ...needless].map((form) => `${language} ${name}_${form}`)
      })
    })
    expect(faults).toEqual([])
  })

  it('R-I18-03 the week starts on Monday in Russian and on Sunday in English', () => {
    expect([localeOf.ru.firstDayOfWeek, localeOf.en.firstDayOfWeek]).toEqual([1, 0])
  })

  it('R-I18-04 exactly the errors of the catalog have texts', () => {
    const codes = [...known].flatMap((name) => /^(?:errors|failures):codes\.(.+)/.exec(name)?.[1] ?? [])
    expect(codes.toSorted()).toEqual(Object.keys(errorCatalog).toSorted())
  })

  it('R-I18-04 every message of a schema or a rule has a text', () => {
    const schemas = globSync('shared/features/**/schema.ts', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/(?:(?:error|message):\s*|\.(?:min|max|regex|email|length|refine)\([^()[\]]*,\s*)'([a-z][a-z_]+)'/g)].map(
        ([, message = '']) => message,
      ),
    )
    const issues = globSync('server/**/*.ts', { cwd: root }).flatMap((path) =>
      /\.test\.ts$|simulators|testing/.test(path)
        ? []
        : [...read(path).matchAll(/\bpath: [^,{}]+, message: '([^']+)'/g)].map(([, message = '']) => message),
    )
    expect(schemas.length).toBeGreaterThan(50)
    expect(issues.length).toBeGreaterThan(5)
    const messages = [...schemas, ...issues]
    expect(messages.filter((message) => !known.has(`validation:${message}`) && !known.has(`faults:${message}`))).toEqual([])
  })

  const textOf = (language: Language, name: string): string | undefined => {
    const [namespace, key = ''] = name.split(':')
    return texts[language].get(namespace as Namespace)?.get(key)
  }

  it.each([
    // General
    ['This field is required', 'validation:required'],
    ['Invalid email format', 'validation:invalid_email'],
    ['Invalid URL format', 'validation:invalid_url'],
    ['An error occurred', 'errors:general.occurred'],
    ['Error loading data', 'errors:general.loading'],
    ['Error saving data', 'errors:general.saving'],
    ['Error deleting data', 'errors:general.deleting'],
    ['Unknown error', 'errors:general.unknown'],
    ['Bulk deletion error', 'errors:general.bulk_deletion'],
    ['Failed to copy domain link', 'domains:actions.copy_link_failed'],
    ['Server is not responding. Check your connection.', 'errors:no_response'],
    // Sign-in
    ['Invalid email or password', 'errors:codes.invalid_credentials'],
    ['Passwords do not match', 'validation:passwords_do_not_match'],
    ['Login error', 'auth:sign_in.failed'],
    ['Registration error', 'auth:register.failed'],
    ['Validation error', 'errors:codes.validation_failed'],
    // Domains
    ['Enter domains', 'domains:add.enter_domains'],
    ['Invalid IP address format', 'faults:invalid_ip'],
    ['Error adding domain', 'domains:add.failed'],
    ['Error during bulk addition', 'domains:add.failed_many'],
    ['Error deleting domain', 'zone:failed.delete'],
    ['Failed to update Always HTTPS', 'security:https.failed'],
    ['Failed to update SSL Mode', 'security:ssl.failed'],
    ['Failed to update Min TLS Version', 'security:tls.failed'],
    ['Failed to update security level', 'security:level.failed'],
    ['Error clearing cache', 'zone:failed.purge'],
    ['Insufficient permissions to clear cache', 'failures:codes.cache_forbidden'],
    ['Failed to update IP address', 'zone:failed.ip'],
    ['Failed to update Development Mode', 'zone:failed.development'],
    ['Failed to update Development Mode', 'security:development.failed'],
    ['Failed to load settings', 'security:failed_to_load'],
    ['Failed to update Universal SSL', 'security:universal.failed'],
    ['Select at least one setting to change', 'faults:settings_empty'],
    // DNS
    ['Failed to update proxy', 'records:failed.proxy'],
    ['Failed to delete record', 'records:failed.delete'],
    ['Error creating record', 'records:failed.create'],
    ['Error updating record', 'records:failed.update'],
    ['Error adding DNS records', 'operations:failed.dns_add'],
    ['Error deleting DNS records', 'operations:failed.dns_delete'],
    // Accounts
    ['Enter accounts', 'accounts:bulk.empty'],
    ['No valid items found', 'faults:no_valid_items'],
    ['No valid items found', 'accounts:bulk.no_valid'],
    ['Invalid line format', 'faults:invalid_line_format'],
    ['Error adding account', 'accounts:failed.add'],
    ['Error deleting account', 'accounts:failed.delete'],
    ['Error fetching account data', 'accounts:failed.login'],
    ['Error checking accounts', 'accounts:failed.check'],
    ['Error loading accounts', 'accounts:failed.load'],
    ['Working', 'accounts:health.working'],
    ['Auth Error', 'accounts:health.auth_error'],
    ['API Error', 'accounts:health.api_error'],
    ['Unknown', 'accounts:health.unknown'],
    ['Login error', 'accounts:failed.sign_in'],
    // Registration of domains
    ['Registration error', 'operations:failed.buy'],
    ['Validation error', 'buying:failed.preview'],
    ['Insufficient balance', 'failures:codes.registrar_money'],
    ['Error binding domain', 'operations:failed.tracker_bind_one'],
    ['Error binding domains', 'operations:failed.tracker_bind_other'],
    ['Cache clearing unavailable', 'zone:purge.unavailable'],
    // Registrars
    ['Error creating registrar', 'registrars:failed.create'],
    ['Error updating registrar', 'registrars:failed.update'],
    ['Error deleting registrar', 'registrars:failed.delete'],
    ['Error deleting registrars', 'registrars:failed.delete_several'],
    ['Error loading registrar data', 'registrars:failed.load'],
    // Groups
    ['Failed to load groups', 'groups:failed.load'],
    ['Failed to load group', 'groups:failed.load_one'],
    ['Failed to create group', 'groups:failed.create'],
    ['Failed to update group', 'groups:failed.update'],
    ['Failed to delete group', 'groups:failed.delete'],
    ['Failed to add domains', 'groups:failed.add'],
    ['Failed to remove domains', 'groups:failed.remove'],
    ['Error creating group', 'groups:failed.creating'],
    ['Error updating group', 'groups:failed.updating'],
    ['Error deleting group', 'groups:failed.deleting'],
    ['Group created', 'groups:done.created'],
    ['Group updated', 'groups:done.updated'],
    ['Group deleted', 'groups:done.deleted'],
    ['Domains added to the group', 'groups:done.added'],
    ['Domains removed from the group', 'groups:done.removed'],
    // Users
    ['Failed to create user', 'users:failed.create'],
    ['Failed to update user', 'users:failed.update'],
    ['Error deleting user', 'users:failed.delete'],
    ['Error loading users', 'users:failed.load'],
    // Settings
    ['Error saving settings', 'settings:failed.save'],
    ['Error saving monitoring', 'monitoring:failed.save'],
    ['Connection error', 'trackers:failed.test'],
    ['Select at least one region for monitoring', 'faults:region_needed'],
    // Section 9
    ['Off', 'security:ssl.modes.off.name'],
    ['Flexible', 'security:ssl.modes.flexible.name'],
    ['Full', 'security:ssl.modes.full.name'],
    ['Full (Strict)', 'security:ssl.modes.strict.name'],
    ['Essentially Off', 'security:level.levels.essentially_off.name'],
    ['Low', 'security:level.levels.low.name'],
    ['Medium', 'security:level.levels.medium.name'],
    ['High', 'security:level.levels.high.name'],
    ["I'm Under Attack", 'security:level.levels.under_attack.name'],
  ])('R-ERR-01 R-I18-04 “%s” from the specification is present verbatim, and translated into Russian (%s)', (message, name) => {
    expect(textOf('en', name)).toBe(message)
    expect(textOf('ru', name)).toMatch(/[а-яё]|^(Flexible|Full|Full \(Strict\)|Under Attack)$/i)
  })

  it.each([
    ['domains:ssl.', 'security:ssl.modes.'],
    ['domains:security_level.', 'security:level.levels.'],
  ])('R-I18-04 a mode has the same name in lists and in its settings (%s)', (listed, set) => {
    for (const language of languages) {
      const [namespace = '', prefix = ''] = set.split(':')
      const modes = [...(texts[language].get(namespace as Namespace) ?? [])].filter(
        ([key]) => key.startsWith(prefix) && key.endsWith('.name'),
      )
      expect(modes.length).toBeGreaterThan(4)
      for (const [key, name] of modes) expect(textOf(language, listed + key.slice(prefix.length, -'.name'.length))).toBe(name)
    }
  })

  it.each([
    ['An error occurred', 'errors:codes.internal'],
    ['Cache clearing unavailable', 'failures:codes.cache_unavailable'],
  ])('R-ERR-01 “%s” from the specification is followed by more detail (%s)', (message, name) => {
    expect(textOf('en', name)?.split(/[.:]/)[0]).toBe(message)
  })

  it('R-ERR-04 a partial result states its extent: updated X of Y domains', () => {
    const values = (text: string | undefined) => text?.replace('{{done}}', 'X').replace('{{formatted}}', 'Y')
    expect(values(textOf('en', 'operations:toast.done_other'))).toMatch(/updated X of Y domains$/)
    expect(values(textOf('ru', 'operations:toast.done_many'))).toMatch(/обновлено X из Y доменов$/)
  })
})
