import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChunk, routeKey, textChunk } from './chunks.ts'
import type { Manifest } from './chunks.ts'

/** A query of a page's first view, exactly as the page sends it. `:id` in the input stands for the domain in the path. */
type Ask = readonly [path: string, input?: object]

interface Preloaded {
  begins: string
  ends?: string
  routes: string[]
  texts: string[]
  /** In addition to those of every page behind the sign-in, allowed for everyone; a journey checks that the page uses all of them. */
  asks?: readonly Ask[]
  /** Queries nothing early unless the browser has nothing but `{}` stored under this key. */
  unless?: string
}

const languages = ['ru', 'en'] as const
const everywhere = ['common', 'errors', 'validation']
/** Pages that require a session. */
const behind = ['shell', 'failures', 'faults']
const asksBehind: readonly Ask[] = [['me.layouts'], ['operations.list', { state: 'active', limit: 50 }]]
const ofDomain = { id: ':id' }
const forward = { direction: 'forward' }

/** Pages by the start (and end) of their paths, first match wins; each with its own texts. A page without a match loads on demand. */
export const pages: readonly Preloaded[] = [
  { begins: '/login', routes: ['login'], texts: ['auth'] },
  { begins: '/domains/lookup', routes: ['_app', '_app/domains/lookup'], texts: [...behind, 'domains', 'operations'] },
  {
    begins: '/domains/traffic',
    routes: ['_app', '_app/domains/traffic'],
    texts: [...behind, 'traffic', 'domains'],
    asks: [['traffic.totals', { by: 'group' }]],
  },
  ...Object.entries<{ texts: string[]; asks: Ask[] }>({
    records: { texts: ['records'], asks: [['records.list', ofDomain]] },
    security: {
      texts: ['security'],
      asks: [['domains.settings', ofDomain]],
    },
    rules: {
      texts: ['rulesets', 'rule-names', 'ip-access'],
      asks: [
        ['rulesets.list', ofDomain],
        ['ipAccess.list', ofDomain],
      ],
    },
    history: { texts: ['history', 'security', 'rule-names'], asks: [['history.list', { ...ofDomain, ...forward }]] },
    health: { texts: ['abuse-reports', 'monitoring', 'reasons'], asks: [['monitoring.ofDomain', ofDomain]] },
  }).map(([tab, { texts, asks }]) => ({
    begins: '/domains/',
    ends: `/${tab}`,
    routes: ['_app', '_app/domains/$id', `_app/domains/$id.${tab}`],
    texts: [...behind, 'domains', 'zone', ...texts],
    asks: [['domains.full', ofDomain] as const, ...asks],
  })),
  {
    begins: '/domains/',
    routes: ['_app', '_app/domains/$id', '_app/domains/$id.index'],
    texts: [...behind, 'domains', 'zone', 'history', 'security', 'rule-names'],
    asks: [
      ['domains.full', ofDomain],
      ['history.list', { ...ofDomain, limit: 5 }],
    ],
  },
  {
    begins: '/accounts',
    routes: ['_app', '_app/accounts'],
    texts: [...behind, 'accounts', 'domains'],
    asks: [['accounts.checkProgress'], ['accounts.list', {}], ['zoneCreation.standings'], ['settings.system']],
  },
  { begins: '/operations/', routes: ['_app', '_app/operations/$id'], texts: [...behind, 'operations', 'security', 'rule-names'] },
  {
    begins: '/operations',
    routes: ['_app', '_app/operations/index'],
    texts: [...behind, 'operations', 'security'],
    asks: [['activity.people'], ['operations.list', { limit: 100, ...forward }]],
  },
  ...Object.entries<Ask[]>({
    groups: [['groups.list', {}]],
    addresses: [['addresses.list', { sort: { by: 'domains', direction: 'desc' }, limit: 100, ...forward }]],
    redirects: [['accounts.list', {}]],
    users: [],
    me: [['apiTokens.list', {}], ['me.get']],
    welcome: [
      ['accounts.list', {}],
      ['domains.summary', { filter: {} }],
      ['alerts.listChannels', {}],
    ],
  }).map(([page, asks]) => ({ begins: `/${page}`, routes: ['_app', `_app/${page}`], texts: [...behind, page], asks })),
  {
    begins: '/profiles',
    routes: ['_app', '_app/profiles'],
    texts: [...behind, 'profiles', 'security', 'records', 'rule-names'],
    asks: [['profiles.list']],
  },
  {
    begins: '/register-domains',
    routes: ['_app', '_app/register-domains'],
    texts: [...behind, 'buying', 'domains', 'registrars'],
    asks: [['registrars.list', {}]],
  },
  ...Object.entries<{ texts: string[]; asks: Ask[] }>({
    'name-servers': {
      texts: ['zone', 'operations'],
      asks: [
        ['registrars.list', {}],
        ['registrars.delegations', { limit: 200, ...forward }],
      ],
    },
    renewals: { texts: ['operations'], asks: [['registrars.renewals', {}]] },
    unbound: {
      texts: ['domains', 'operations'],
      asks: [
        ['registrars.names', { which: 'unbound', limit: 200, ...forward }],
        ['registrars.list', {}],
      ],
    },
    index: { texts: [], asks: [['registrars.list', {}]] },
  }).map(([page, { texts, asks }]) => ({
    begins: page === 'index' ? '/registrars' : `/registrars/${page}`,
    routes: ['_app', `_app/registrars/${page}`],
    texts: [...behind, 'registrars', ...texts],
    asks,
  })),
  {
    begins: '/abuse-reports',
    routes: ['_app', '_app/abuse-reports/index'],
    texts: [...behind, 'abuse-reports'],
    asks: [
      ['accounts.list', {}],
      ['abuseReports.list', { limit: 50, ...forward }],
    ],
  },
  {
    begins: '/activity-logs/changes',
    routes: ['_app', '_app/activity-logs/changes'],
    texts: [...behind, 'activity', 'provider-changes'],
    asks: [['accounts.list', {}], ['providerChanges.list', { outside: true, limit: 50, ...forward }], ['providerChanges.unreviewed']],
  },
  {
    begins: '/activity-logs',
    routes: ['_app', '_app/activity-logs/index'],
    texts: [...behind, 'activity', 'history', 'security', 'rule-names', 'operations'],
    asks: [['activity.people'], ['providerChanges.unreviewed']],
  },
  {
    begins: '/monitoring',
    routes: ['_app', '_app/monitoring'],
    texts: [...behind, 'monitoring', 'reasons'],
    asks: [['monitoring.overview', {}]],
  },
  {
    begins: '/trackers',
    routes: ['_app', '_app/trackers'],
    texts: [...behind, 'trackers', 'domains', 'operations'],
    asks: [
      ['trackers.reconcile', { limit: 100, ...forward }],
      ['trackers.list', {}],
    ],
  },
  { begins: '/settings', routes: ['_app', '_app/settings'], texts: [...behind, 'settings'] },
  // `/` redirects there.
  ...['/domains', '/'].map((each) => ({
    begins: each,
    ends: each,
    routes: ['_app', '_app/domains/index'],
    texts: [...behind, 'domains', 'operations'],
    asks: [
      ['domains.rows', { filter: {}, sort: { by: 'name', direction: 'asc' }, limit: 100 }],
      ['domains.summary', { filter: {} }],
      ['domains.filterOptions', {}],
      ['registrars.list', {}],
      ['trackers.list', {}],
    ] as const,
    unless: 'zonedeck.domain-filters',
  })),
]

const client = fileURLToPath(new URL('.', import.meta.url))
/** What the loader needs to look right before any style sheet has arrived. */
const firstStyles = ['tokens.css', 'loader.css']

function replaceOnce(text: string, what: string, by: string): string {
  if (text.split(what).length !== 2) throw new Error(`Not exactly one ${what} in the build`)
  return text.replace(what, () => by)
}

/** Of a style sheet without such marks in its texts. */
const withoutComments = (css: string): string =>
  css
    .split('*/')
    .map((part) => part.split('/*', 1)[0])
    .join('')

const fill = (script: string, place: string, value: unknown): string =>
  replaceOnce(
    script,
    place,
    place.replace('[]', () => JSON.stringify(value)),
  )

/**
 * Completes `index.html`: the document contains all that the loader needs, so that it is painted before a script or a style sheet arrives.
 * `boot.js` becomes part of it and requests all files of the page in parallel, instead of following imports module by module.
 */
export async function completePage(dist: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const filesOf = (entries: readonly string[]): string[] => {
    const files = new Set<string>()
    const add = (key: string): void => {
      const chunk = findChunk(manifest, key)
      if (files.has(chunk.file)) return
      files.add(chunk.file)
      for (const style of chunk.css ?? []) files.add(style)
      for (const each of chunk.imports ?? []) add(each)
    }
    for (const entry of entries) add(entry)
    return [...files]
  }
  const inPage = filesOf(['index.html'])
  /** What the build added to the document. */
  const tagOf = (file: string): string =>
    file === inPage[0]
      ? `<script type="module" crossorigin src="/${file}"></script>`
      : `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}">`
  const texts = (names: readonly string[], language: string) => [...new Set(names.map((name) => textChunk(manifest, language, name).file))]
  const list = pages.map(({ begins, ends = '', routes, texts: names, asks = [], unless }) => ({
    begins,
    ends,
    files: filesOf(routes.map(routeKey)).filter((file) => !inPage.includes(file)),
    texts: Object.fromEntries(languages.map((language) => [language, texts([...everywhere, ...names], language)])),
    asks: routes[0] === '_app' ? [...asksBehind, ...asks] : [],
    unless,
  }))
  const boot = join(dist, 'boot.js')
  const worker = join(dist, 'sw.js')
  const page = join(dist, 'index.html')
  const html = await readFile(page, 'utf8')
  const script = Object.entries({
    scripts: inPage.filter((file) => file.endsWith('.js')),
    styles: inPage.filter((file) => file.endsWith('.css')),
    pages: list,
  }).reduce((text, [name, value]) => fill(text, `var ${name} = []`, value), await readFile(boot, 'utf8'))
  const first = (await Promise.all(firstStyles.map((name) => readFile(join(client, 'src/theme', name), 'utf8')))).join('')
  const complete = replaceOnce(
    inPage.reduce((text, file) => replaceOnce(text, tagOf(file), ''), html),
    '<script src="/boot.js"></script>',
    `<style>${withoutComments(first).replaceAll(/\s+/g, ' ')}</style><script>${script}</script>`,
  )
  if (/<link rel="stylesheet"|<script type="module"/.test(complete)) throw new Error('The build added a tag that delays the first paint')
  await writeFile(page, complete)
  await rm(boot)
  const digest = createHash('sha256').update(complete).digest('base64')
  const firstParts = [...new Set(pages.map(({ begins }) => begins.split('/')[1]))]
  const keeping = replaceOnce(await readFile(worker, 'utf8'), "var build = ''", `var build = '${digest}'`)
  await writeFile(worker, fill(keeping, 'var pages = []', firstParts))
}
