import { readFileSync } from 'node:fs'
import i18next from 'i18next'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { expect, test, vi } from 'vitest'
import { activityChoices, activityFields, silentActivityFields } from '#shared/features/activity/details.ts'
import { activityAction, activityActorKind, activityEntity } from '#shared/features/activity/schema.ts'
import { operationKind } from '#shared/features/operations/schema.ts'
import { shareLevels } from '#shared/features/sharing/rules.ts'
import { languages, type Language } from '#shared/i18n/languages.ts'
import type { ActivityWords } from './use-activity-words.ts'

const namespaces = ['activity', 'common', 'errors', 'failures', 'history', 'operations', 'security'] as const
const read = (language: Language, namespace: string): object =>
  JSON.parse(readFileSync(`shared/i18n/locales/${language}/${namespace}.json`, 'utf8')) as object

/** The texts of the log, as its page loads them. */
async function wordsIn(language: Language): Promise<ActivityWords> {
  const resources = { [language]: Object.fromEntries(namespaces.map((namespace) => [namespace, read(language, namespace)])) }
  await i18next.use(initReactI18next).init({ lng: language, resources, ns: namespaces, interpolation: { escapeValue: false } })
  vi.stubGlobal('document', { documentElement: { lang: language } })
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('window', { addEventListener: () => undefined })
  vi.resetModules()
  const { useActivityWords } = await import('./use-activity-words.ts')
  let words: ActivityWords | null = null
  const Reader = () => {
    words = useActivityWords()
    return null
  }
  renderToStaticMarkup(createElement(Reader))
  if (words === null) throw new Error('nothing was rendered')
  return words
}

/** Names of products, protocols and formats, the same in every language. */
const names =
  /^(?:AI Labyrinth|Always HTTPS|API|Bot Fight Mode|TTL|DNS|SSL|TLS|HSTS|NS|URL|Telegram|Keitaro|Binom|Namecheap|GoDaddy|Porkbun|REG\.RU|Universal)/

test.each(languages)('R-I18-01 R-LOG-01 every value that the server can log has a translated label (%s)', async (language) => {
  const words = await wordsIn(language)
  const said = (details: Readonly<Record<string, unknown>>) => words.details({ details })[0]
  const described = [
    ...activityAction.options.map((action) => [action, words.action(action)]),
    ...activityEntity.options.map((entity) => [entity, words.entity(entity)]),
    ...activityActorKind.options.map((kind) => [kind, words.kind(kind)]),
    ...operationKind.options.map((kind) => [kind, said({ kind })?.to]),
    ...activityFields
      .filter((field) => !silentActivityFields.some((silent) => silent === field))
      .map((field) => [field, said({ [field]: 7 })?.label]),
    ...Object.entries(activityChoices).flatMap(([field, choices]) => choices.map((choice) => [choice, said({ [field]: choice })?.to])),
    ...shareLevels.map((level) => [level, said({ access: level })?.to]),
    ...['panel', 'monitoring', 'calendar'].map((name) => [name, words.what({ entityType: 'settings', entityName: name } as never)]),
  ]
  const raw = described.filter(
    ([key, text = '']) =>
      text === '' || (language === 'ru' ? !/[а-яё]/iu.test(text) && !names.test(text) : /[a-z][A-Z]|_/.test(text) && text === key),
  )
  expect(raw).toEqual([])
})

test('R-LOG-01 a change inside a group of settings is shown field by field', async () => {
  const words = await wordsIn('en')
  const notifications = { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true }
  expect(
    words.details({
      details: {
        notifications: { from: notifications, to: { ...notifications, recovery: false } },
        options: {
          from: { expectedStatus: [{ from: 200, to: 399 }] },
          to: {
            expectedStatus: [
              { from: 200, to: 299 },
              { from: 404, to: 404 },
            ],
          },
        },
        quietHours: { from: null, to: { from: '22:00', to: '07:00', timeZone: 'UTC' } },
        monitoring: { from: null, to: { enabled: false } },
        regions: { from: ['EUROPE'], to: ['EUROPE', 'ASIA'] },
      },
    }),
  ).toEqual([
    { label: 'Alerts: recovery', from: 'yes', to: 'no' },
    { label: 'Expected status codes', from: '200–399', to: '200–299, 404' },
    { label: 'Quiet hours', from: '—', to: '22:00–07:00 (UTC)' },
    { label: 'Enabled', from: '—', to: 'no' },
    { label: 'Regions', from: 'Europe', to: 'Europe, Asia' },
  ])
})

test('R-LOG-01 no value is shown in its raw form', async () => {
  const words = await wordsIn('ru')
  const details = {
    records: { from: [], to: [{ type: 'A', name: '@', content: '192.0.2.1', ttl: 1, proxied: true }] },
    settings: { from: {}, to: { ssl: 'strict', hsts: { enabled: true } } },
    tracker: { from: null, to: { id: 'x', name: 'Main' } },
    maintenance: { startsAt: '2030-01-01T00:00:00.000Z', endsAt: '2030-01-02T00:00:00.000Z' },
    muted: 'forever',
    checksPaused: '2030-01-01T00:00:00.000Z',
    changed: ['phone', 'extra'],
    access: { user: 'anna', from: 'view', to: null },
    alertChannel: 'webhook',
    nameServers: { from: ['a.ns'], to: ['b.ns'] },
    groupIds: { from: null, to: ['x', 'y'] },
  }
  const described = words.details({ details }).flatMap(({ label, from, to }) => [label, from ?? '', to])
  expect(described.join('\n')).not.toMatch(/[{}[\]"]|forever|webhook|phone|extra|view|T00:00/)
  expect(described).toEqual(expect.arrayContaining(['A @ 192.0.2.1', 'Main', 'телефон, дополнительные поля', 'бессрочно']))
})
