import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const routeOf = (name: string): string => `${source(`routes/${name}.tsx`)}?tsr-split=component`

/** One chunk each for the code that these routes need without interaction. Code that both need is in `first`. */
export const firstViews: Readonly<Record<string, readonly string[]>> = { first: ['login'], panel: ['_app', '_app/domains/index'] }
/** What at least this many pages and dialogs need is one chunk: a request costs more than code that a page does not need. */
const neededByMost = 5
/** Texts that are always needed together: one file of each for every language. */
const textGroups: Readonly<Record<string, readonly string[]>> = {
  first: ['common', 'errors', 'validation', 'auth'],
  panel: ['shell', 'failures', 'faults'],
  operations: ['operations', 'security'],
  domain: ['zone', 'history', 'records'],
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
export const routeKey = (name: string): string => `src/routes/${name}.tsx?tsr-split=component`
const chunkOfView = new Map(Object.entries(firstViews).flatMap(([chunk, routes]) => routes.map((name) => [routeKey(name), chunk])))

/**
 * Finds the chunk of a module in the manifest, which has no key for a route of the first views.
 * @throws if the build has no such module
 */
export function findChunk(manifest: Manifest, key: string): Chunk {
  const view = chunkOfView.get(key)
  const chunk = manifest[key] ?? (view === undefined ? undefined : Object.values(manifest).find(({ name }) => name === view))
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

/** The chunk of a module by its ID, as far as it does not depend on the pages that share it. */
const chunkOf = new Map<string, string>()

/** Fills `chunkOf` from the imports of all modules. */
export const assignChunks = (): Plugin => ({
  name: 'assign-chunks',
  apply: 'build',
  buildEnd(error) {
    if (error !== undefined) return
    chunkOf.clear()
    const importsOf = (id: string): readonly string[] => this.getModuleInfo(id)?.importedIds ?? []
    const assign = (id: string, chunk: string): void => {
      // Only the bundler knows which parts of a library are used; it adds them to the chunk of what uses them.
      if (id.includes('/node_modules/') || chunkOf.has(id)) return
      chunkOf.set(id, chunk)
      for (const each of importsOf(id)) assign(each, chunk)
    }
    const views = Object.entries(firstViews).flatMap(([chunk, routes]) => routes.map((route) => [routeOf(route), chunk] as const))
    for (const [id, chunk] of [[source('main.tsx'), 'first'] as const, ...views]) {
      if (this.getModuleInfo(id) === null) throw new Error(`The build has no ${id}`)
      assign(id, chunk)
    }

    const needs = (id: string, library: string, seen: Set<string>): boolean => {
      if (id.includes('/node_modules/')) return id.includes(`/node_modules/${library}/`)
      if (seen.has(id)) return false
      seen.add(id)
      return importsOf(id).some((each) => needs(each, library, seen))
    }
    for (const id of this.getModuleIds()) {
      const needed = chunkOf.has(id) ? undefined : libraries.find(([library]) => needs(id, library, new Set()))
      if (needed !== undefined) chunkOf.set(id, id.startsWith(source('')) ? 'forms' : needed[1])
    }
  },
})

const assigned = (name: string, priority: number) => ({ name, priority, test: (id: string) => chunkOf.get(id) === name })
/** Code of several pages, together with other code of the same pages. */
const byPages = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8_000 }
const late = /\/node_modules\/(?:zod|tldts|dayjs|@mantine\/dates)\/|\/ui\/form\/date/
const localeFile = /\/i18n\/locales\/(\w+)\/([\w-]+)\.json$/
const namespaceOf = (id: string): [language: string, namespace: string] => {
  const [, language = '', namespace = ''] = localeFile.exec(id) ?? []
  return [language, namespace]
}

/** A group also takes what its modules import, so code that more pages need has a higher priority. Code of a single page stays with it. */
export const chunkGroups = [
  {
    name: (id: string) => chunkOfTexts(...namespaceOf(id)) ?? null,
    debugName: 'texts',
    priority: 10,
    test: localeFile,
  },
  assigned('first', 9),
  assigned('panel', 8),
  {
    name: 'kit',
    priority: 7,
    test: (id: string) => !chunkOf.has(id) && !late.test(id),
    minShareCount: neededByMost,
  },
  { name: 'shared', priority: 6.5, test: (id: string) => !chunkOf.has(id) && !late.test(id), ...byPages },
  assigned('schemas', 6),
  assigned('suffixes', 5),
  { name: 'dates', priority: 3, test: /node_modules\/(?:dayjs|@mantine\/dates)\/|\/ui\/form\/date/ },
  { ...assigned('forms', 2), ...byPages },
]
