import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

// For the container image, after the client was built: removes packages from node_modules that the server does not import, directly or
// through another package, and unused files of the remaining ones. `npm prune` would need the registry, and cannot distinguish server from
// client packages.

const root = fileURLToPath(new URL('../..', import.meta.url))
const importOf = /(?:from |^import |import\()'([^']+)'/gm
/** `@scope/name` or `name` of an import; local modules are no packages. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
const unread = /\.(map|ts|mts|cts|md|markdown|flow)$/
/** At the top level of a package; deeper ones may be part of it. */
const unreadFolders = ['test', 'tests', '__tests__', 'docs', 'examples', 'benchmark', 'benchmarks', '.github']

const names = z.record(z.string(), z.string()).default({})
const lockEntry = z.object({
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().default(false) })).default({}),
})
const packages = z
  .object({ packages: z.record(z.string(), lockEntry) })
  .parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))).packages
const own = packages['']?.dependencies ?? {}

/** Resolves `name` from a package like Node; null if it is not installed. */
function locate(from: string, name: string): string | null {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (base === '') return null
    if (!base.includes('/node_modules/')) base = ''
  }
}

async function listImported(): Promise<string[]> {
  const imported = new Set<string>()
  for (const folder of ['server', 'shared'])
    for (const file of await readdir(join(root, folder), { recursive: true })) {
      if (!file.endsWith('.ts')) continue
      for (const [, specifier = ''] of (await readFile(join(root, folder, file), 'utf8')).matchAll(importOf))
        imported.add(packageOf(specifier))
    }
  return [...imported].filter((name) => own[name] !== undefined)
}

/** Paths of these packages and all their dependencies. Optional peers count only if we import them ourselves. */
function findReachable(imported: readonly string[]): Set<string> {
  const kept = new Set<string>()
  const wanted = imported.map((name) => locate('', name))
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    const entry = path === null ? undefined : packages[path]
    if (path === null || entry === undefined || kept.has(path)) continue
    kept.add(path)
    const beside = Object.keys(entry.peerDependencies).filter(
      (name) => own[name] !== undefined && entry.peerDependenciesMeta[name]?.optional !== true,
    )
    for (const name of [...Object.keys(entry.dependencies), ...Object.keys(entry.optionalDependencies), ...beside])
      wanted.push(locate(path, name))
  }
  return kept
}

const kept = findReachable(await listImported())
for (const path of Object.keys(packages)) if (path !== '' && !kept.has(path)) await rm(join(root, path), { recursive: true, force: true })
for (const path of kept) for (const folder of unreadFolders) await rm(join(root, path, folder), { recursive: true, force: true })
for (const name of await readdir(join(root, 'node_modules'))) {
  const path = join(root, 'node_modules', name)
  // Commands, caches, and scopes without remaining packages.
  if (name.startsWith('.') || (await readdir(path)).length === 0) await rm(path, { recursive: true })
}
for (const file of await readdir(join(root, 'node_modules'), { recursive: true })) {
  const path = join(root, 'node_modules', file)
  if (unread.test(file) && (await stat(path)).isFile()) await rm(path)
}
