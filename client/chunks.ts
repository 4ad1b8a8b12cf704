import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const routeOf = (name: string): string => `${source(`routes/${name}.tsx`)}?tsr-split=component`

/** One chunk each for the code that these routes need without interaction; what two of them need is in the first. */
export const firstViews: Readonly<Record<string, readonly string[]>> = { first: ['login'], panel: ['_app', '_app/domains/index'] }
/** Large libraries that only forms need, and the chunk of each with our schemas and rules that use it. */
const libraries: Readonly<Record<string, string>> = { tldts: 'suffixes', zod: 'schemas' }

/** The chunk of a module by its ID, as far as it does not depend on the pages that share it. */
const chunkOf = new Map<string, string>()

/** Fills `chunkOf` from the imports of all modules. */
export const assignChunks = (): Plugin => ({
  name: 'assign-chunks',
  buildEnd() {
    const importsOf = (id: string): readonly string[] => this.getModuleInfo(id)?.importedIds ?? []
    const assign = (id: string, chunk: string): void => {
      // Only the bundler knows which parts of a library are used; it adds them to the chunk of what uses them.
      if (id.includes('node_modules') || chunkOf.has(id)) return
      chunkOf.set(id, chunk)
      for (const each of importsOf(id)) assign(each, chunk)
    }
    assign(source('main.tsx'), 'first')
    for (const [chunk, routes] of Object.entries(firstViews)) for (const route of routes) assign(routeOf(route), chunk)

    const needs = (id: string, library: string, seen: Set<string>): boolean => {
      if (id.includes('node_modules')) return id.includes(`node_modules/${library}`)
      if (seen.has(id)) return false
      seen.add(id)
      return importsOf(id).some((each) => needs(each, library, seen))
    }
    for (const id of this.getModuleIds()) {
      const library = chunkOf.has(id) ? undefined : Object.keys(libraries).find((each) => needs(id, each, new Set()))
      if (library !== undefined) chunkOf.set(id, id.includes('client/src/') ? 'forms' : (libraries[library] ?? ''))
    }
  },
})

const assigned = (name: string, priority: number) => ({ name, priority, test: (id: string) => chunkOf.get(id) === name })
/** Code of several pages, together with other code of the same pages. */
const byPages = (mergeBelow: number) => ({ minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: mergeBelow })

/** A group also takes what its modules import, so code that more pages need has a higher priority. Code of a single page stays with it. */
export const chunkGroups = [
  assigned('first', 9),
  assigned('panel', 8),
  {
    name: 'rules',
    priority: 7,
    test: (id: string) => id.includes('/shared/') && id.endsWith('.ts') && !chunkOf.has(id),
    ...byPages(8_000),
  },
  assigned('schemas', 6),
  assigned('suffixes', 5),
  {
    name: 'ui',
    priority: 4,
    test: /node_modules\/(?!dayjs|@mantine\/dates)|client\/src\/(?:ui(?!\/form\/date)|lib)\//,
    ...byPages(16_000),
  },
  { name: 'dates', priority: 3, test: /node_modules\/(?:dayjs|@mantine\/dates)\/|\/ui\/form\/date/ },
  { ...assigned('forms', 2), ...byPages(8_000) },
  { name: 'features', priority: 1, test: /client\/src\/features\//, ...byPages(8_000) },
]
