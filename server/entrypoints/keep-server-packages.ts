import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

// For the container, after the client was built: takes out of node_modules what the server does not import, not even by another package, and of what
// stays the files that no process reads. `npm prune` would ask the registry for it, and cannot decide the server's packages from the client's.

const root = fileURLToPath(new URL('../..', import.meta.url))
const importOf = /(?:from |^import |import\()'([^']+)'/gm
/** `@scope/name` of what is imported from it, or `name`; of our own modules what is no package. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
const unread = /\.(map|ts|mts|cts|md|markdown|flow)$/
/** At the top of a package; what stands deeper may be a part of it. */
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

/** Where `name` is found by a package, as Node looks for it; null where it is not installed. */
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

/** Paths of the packages that these need, with themselves. Packages that stand beside another one count where we ask for them ourselves. */
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
  // Commands, caches, and scopes of which nothing is left.
  if (name.startsWith('.') || (await readdir(path)).length === 0) await rm(path, { recursive: true })
}
for (const file of await readdir(join(root, 'node_modules'), { recursive: true })) {
  const path = join(root, 'node_modules', file)
  if (unread.test(file) && (await stat(path)).isFile()) await rm(path)
}
