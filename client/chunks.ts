import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { readNeeds } from './needs.ts'

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const document = fileURLToPath(new URL('index.html', import.meta.url))
const split = '?tsr-split=component'
const routeOf = (name: string): string => `${source(`routes/${name}.tsx`)}${split}`
const nameOfRoute = (id: string): string => id.slice(source('routes/').length, -`.tsx${split}`.length)

/** Pages that need it have a table. */
const ofTables = '@tanstack/virtual-core'
/** The most visited page has few requests. */
const foremost = '_app/domains/index'
/** The routes around pages, and the chunks that they are in. */
const frames: Readonly<Record<string, string>> = { _app: 'panel', '_app/domains/$id': 'kit' }
/** Late parts that a page always shows. */
const parts: Readonly<Record<string, readonly string[]>> = {
  '_app/domains/$id.index': ['features/trackers/domain/tracker-section.tsx'],
  '_app/me': [
    'features/api-tokens/api-tokens-section.tsx',
    'features/api-tokens/token-list.tsx',
    'features/two-factor/two-factor-section.tsx',
  ],
}
/** What so many pages need is part of the panel. */
const most = 12
const few = 3
/** What few pages share is a chunk of its own from this size of its source: a request costs more than a few bytes that a page does not need. */
const ownChunkFrom = 4_000
/** Texts that are always needed together: one file of each for every language. */
const textGroups: Readonly<Record<string, readonly string[]>> = {
  first: ['common', 'errors', 'validation', 'auth'],
  panel: ['shell', 'failures', 'faults'],
  domain: ['zone', 'history', 'records', 'security', 'rule-names'],
  monitoring: ['monitoring', 'reasons'],
}
/** Large libraries that only forms need, and the chunk of each with our schemas and rules that use it. */
const libraries: readonly (readonly [library: string, chunk: string])[] = [
  ['tldts', 'suffixes'],
  ['zod', 'schemas'],
]

export interface Chunk {
  readonly file: string
  readonly name?: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

/** The key of a route's code in the manifest. */
export const routeKey = (name: string): string => `src/routes/${name}.tsx${split}`
// The bundler replaces the character in names.
const chunkOfRoute = (name: string): string => frames[name] ?? `page ${name.replaceAll('$', '_')}`
const routeOfKey = /^src\/routes\/(.+)\.tsx\?tsr-split=component$/

/**
 * Finds the chunk of a module in the manifest, which has no key for a route that shares its chunk.
 * @throws if the build has no such module
 */
export function findChunk(manifest: Manifest, key: string): Chunk {
  const route = routeOfKey.exec(key)?.[1]
  const chunk =
    manifest[key] ?? (route === undefined ? undefined : Object.values(manifest).find(({ name }) => name === chunkOfRoute(route)))
  if (chunk === undefined) throw new Error(`The build has no ${key}`)
  return chunk
}

const chunkOfTexts = (language: string, namespace: string): string | undefined => {
  const group = Object.entries(textGroups).find(([, namespaces]) => namespaces.includes(namespace))
  return group && `${language}-${group[0]}`
}

/** Finds the chunk of a namespace. */
export function textChunk(manifest: Manifest, language: string, namespace: string): Chunk {
  const grouped = chunkOfTexts(language, namespace)
  if (grouped === undefined) return findChunk(manifest, `../shared/i18n/locales/${language}/${namespace}.json`)
  const chunk = Object.values(manifest).find(({ name }) => name === grouped)
  if (chunk === undefined) throw new Error(`The build has no ${grouped}`)
  return chunk
}

/** Large libraries have their own chunks. */
const late = /\/node_modules\/(?:zod|tldts|dayjs|uqr|@mantine\/dates)\/|\/ui\/form\/date/
/** Only the bundler knows which parts of these libraries are used; it adds them to the chunk of what uses them. */
const coarse = /\/node_modules\/(?!@mantine\/|@tabler\/)/
/** The chunk of a module by its ID, as far as pages decide it. */
const chunkOf = new Map<string, string>()

interface Shared {
  readonly pages: readonly string[]
  /** Of all code that exactly these pages need. */
  readonly size: number
  /** Whether it uses the library of tables. */
  readonly isTable: boolean
  /** Whether only pages with a table need it. */
  readonly inTables: boolean
}

/**
 * The chunk of code that some pages need without interaction: `first` with the sign-in, `panel` with the frame of the others, `lists` and `rows`
 * for pages with a table, of which the foremost page needs only `lists`, `kit` for the rest; a chunk of its own for a page and what few share.
 */
function chunkFor({ pages, size, isTable, inTables }: Shared): string {
  const [page = '', ...others] = pages
  const common = pages.includes(foremost)
  if (others.length === 0) return page === 'schemas' ? page : chunkOfRoute(page)
  if (pages.includes('login')) return 'first'
  if (pages.length <= few && size >= ownChunkFrom) {
    if (!common) return `shared ${pages.join(' ')}`
    return others.length === 1 ? chunkOfRoute(foremost) : 'panel'
  }
  if (isTable || inTables) return common ? 'lists' : 'rows'
  return common || pages.length >= most ? 'panel' : 'kit'
}

/** Fills `chunkOf` from what the pages need without interaction. */
export const assignChunks = (): Plugin => ({
  name: 'assign-chunks',
  apply: 'build',
  buildEnd(error) {
    if (error !== undefined) return
    chunkOf.clear()
    const needs = readNeeds(this)
    const closure = (id: string, found = new Set<string>()): ReadonlySet<string> => {
      if (found.has(id)) return found
      found.add(id)
      for (const each of needs(id)) closure(each, found)
      return found
    }
    const assign = (id: string, chunk: string): void => {
      if (!chunkOf.has(id) && !coarse.test(id)) chunkOf.set(id, chunk)
    }
    const needed = (id: string): ReadonlySet<string> => {
      if (this.getModuleInfo(id) === null) throw new Error(`The build has no ${id}`)
      return closure(id)
    }
    for (const each of needed(document)) assign(each, 'first')
    const signIn = needed(routeOf('login'))
    for (const root of [routeOf('_app'), source('lib/subscription-link.ts')]) {
      for (const each of needed(root)) assign(each, signIn.has(each) ? 'first' : 'panel')
    }
    for (const [name, chunk] of Object.entries(frames)) assign(routeOf(name), chunk)

    for (const id of this.getModuleIds()) {
      if (id.includes('/node_modules/') || chunkOf.has(id)) continue
      const used = libraries.find(([library]) => [...closure(id)].some((each) => each.includes(`/node_modules/${library}/`)))
      if (used !== undefined) chunkOf.set(id, id.startsWith(source('')) ? 'forms' : used[1])
    }

    const hasTables = (id: string): boolean => [...closure(id)].some((each) => each.includes(`/node_modules/${ofTables}/`))
    const pagesOf = new Map<string, string[]>()
    const need = (page: string, roots: readonly string[]): void => {
      const found = new Set<string>()
      for (const root of roots) closure(root, found)
      for (const each of found) if (!chunkOf.has(each) && !late.test(each)) pagesOf.set(each, [...(pagesOf.get(each) ?? []), page])
    }
    const modules = [...this.getModuleIds()]
    const routes = modules.filter((id) => id.startsWith(source('routes/')) && id.endsWith(split)).map(nameOfRoute)
    for (const name of routes) {
      const around = Object.keys(frames).filter((frame) => name.startsWith(`${frame}.`))
      if (!(name in frames)) need(name, [...[name, ...around].map(routeOf), ...(parts[name] ?? []).map(source)])
    }
    // A page does not load the schemas for their constants.
    need(
      'schemas',
      modules.filter((id) => chunkOf.get(id) === 'schemas'),
    )
    const shared = Map.groupBy(pagesOf, ([, pages]) => pages.join(' '))
    for (const alike of shared.values()) {
      const pages = alike[0]?.[1] ?? []
      const size = alike.reduce((sum, [id]) => sum + (this.getModuleInfo(id)?.code?.length ?? 0), 0)
      const inTables = pages.every((page) => page === 'schemas' || hasTables(routeOf(page)))
      for (const [id] of alike) {
        const isStyle = id.endsWith('.module.css') && pages.length > 1 && !pages.includes('login')
        assign(id, isStyle ? 'panel' : chunkFor({ pages, size, isTable: hasTables(id), inTables }))
      }
    }
    // The frames of dialogs and menus, as far as no page needs them without interaction.
    for (const each of needed(source('ui/overlay/layers.ts'))) assign(each, 'layers')
  },
})

const assigned = (name: string, priority: number) => ({ name, priority, test: (id: string) => chunkOf.get(id) === name })
const assignedTo = (kind: string, priority: number) => ({
  name: (id: string) => chunkOf.get(id) ?? null,
  debugName: kind,
  priority,
  test: (id: string) => chunkOf.get(id)?.startsWith(`${kind} `) === true,
})
/** Code of several dialogs, together with other code of the same ones. */
const byDialogs = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8_000 }
const localeFile = /\/i18n\/locales\/(\w+)\/([\w-]+)\.json$/
const namespaceOf = (id: string): [language: string, namespace: string] => {
  const [, language = '', namespace = ''] = localeFile.exec(id) ?? []
  return [language, namespace]
}

/** A group also takes what its modules import, so code that more pages need has a higher priority. */
export const chunkGroups = [
  {
    name: (id: string) => chunkOfTexts(...namespaceOf(id)) ?? null,
    debugName: 'texts',
    priority: 10,
    test: localeFile,
  },
  assigned('first', 9),
  assigned('panel', 8),
  assigned('lists', 7.8),
  assigned('kit', 7.6),
  assigned('rows', 7.5),
  assignedTo('shared', 7.4),
  assignedTo('page', 7.2),
  assigned('schemas', 6),
  assigned('suffixes', 5),
  assigned('layers', 4),
  { name: 'dates', priority: 3, test: /node_modules\/(?:dayjs|@mantine\/dates)\/|\/ui\/form\/date/ },
  { name: 'dialogs', priority: 2.2, test: (id: string) => !chunkOf.has(id) && !late.test(id), ...byDialogs },
  { ...assigned('forms', 2), ...byDialogs },
]
